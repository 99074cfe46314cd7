"""A sign-in under way: what a person has to open, and what waits until they have."""

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event, Thread
from typing import TypeAlias

from ..errors import AuthorizationNeeded, CredentialError, without_frames
from .token import Token

SECONDS = 600.0
"""How long a sign-in may take."""

ABANDON_SECONDS = 2.0

Obtain: TypeAlias = Callable[[Event], Token]
"""Waits for the person and gives the token; ends early when the event is set."""


@dataclass(eq=False)
class Login:
    """A sign-in under way: open `url`, and enter `code` when there is one.

    It goes on by itself; when the person is done, the token is kept and calls work.
    """

    url: str
    code: str | None
    finished: Event = field(default_factory=Event, repr=False)
    failure: CredentialError | None = field(default=None, repr=False)
    abandoned: Event = field(default_factory=Event, repr=False)

    def wait(self, seconds: float | None = None) -> None:
        """Until the token is kept. Raises what went wrong; `AuthorizationNeeded` if time is up."""
        if not self.finished.wait(seconds):
            raise self.needed()
        if self.failure:
            raise self.failure

    def needed(self) -> AuthorizationNeeded:
        """What to tell a caller meanwhile."""
        code = f" and enter the code {self.code}" if self.code else ""
        return AuthorizationNeeded(
            f"somebody has to sign in: open {self.url}{code}, then call again",
            url=self.url,
            code=self.code,
        )

    def abandon(self) -> None:
        """Wait for the person no longer; a sign-in that takes its place may begin then."""
        self.abandoned.set()
        self.finished.wait(ABANDON_SECONDS)

    def _run(self, obtain: Obtain, keep: Callable[[Token], None]) -> None:
        self.failure = CredentialError("the sign-in broke off")
        try:
            keep(obtain(self.abandoned))
            self.failure = None
        except CredentialError as error:
            replaced = CredentialError("another sign-in took the place of this one")
            self.failure = replaced if self.abandoned.is_set() else without_frames(error)
        finally:
            self.finished.set()

    def start(self, obtain: Obtain, keep: Callable[[Token], None]) -> "Login":
        """Go on in the background; a program that ends does not wait for it."""
        Thread(target=self._run, args=(obtain, keep), daemon=True).start()
        return self
