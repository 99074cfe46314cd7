"""An OAuth 2 client's part in one call: a token on the request, and a better one if refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from ..apply import apply
from ..challenge import challenges
from ..flow import Flow, Job, in_thread, perform
from ..request import Answer, Outgoing
from ..schemes import Scheme
from ..secret import Secret
from ..sources import Pair
from .locate import Target
from .login import Login
from .token import Token


class TokenSource(Protocol):
    """What gives tokens: an OAuth 2 client."""

    @property
    def interactive(self) -> bool:
        """Whether a person has to sign in."""
        ...

    def at_hand(self, target: Target, refused: Secret | None) -> Token | None:
        """A token that needs no waiting."""
        ...

    def renewal(self, target: Target, refused: Secret | None) -> Job[Token] | None:
        """Wait for a token other than the refused one; None until the API said where to ask."""
        ...

    def discover(self, target: Target, stated: str | None) -> None:
        """Ask the API for its authorization server; may block."""
        ...

    def login(self, target: Target) -> Login:
        """Start a sign-in, or join the one that is under way; may block."""
        ...


@dataclass
class OAuthProof:
    """Signs with the client's token; one more try after a refusal that a token can cure."""

    client: TokenSource
    scheme: Scheme
    scopes: frozenset[str]
    principal: str
    learn: Callable[[Secret | Pair], None]
    sent: Token | None = None
    is_new: bool = False

    def sign(self, request: Outgoing) -> Flow[Outgoing]:
        """The request with a token; without one when only the API can say where to get it."""
        token = yield from self._token(self._target(request), refused=None)
        return self._signed(request, token) if token else request

    def again(self, request: Outgoing, answer: Answer) -> Flow[Outgoing | None]:
        """The request with a token of more scopes, a renewed one, or the first one."""
        if answer.status not in (401, 403):
            return None
        asked = {
            key: value
            for one in challenges(answer, "bearer")
            for key, value in one.parameters.items()
        }
        if asked.get("error") == "insufficient_scope":
            return (yield from self._with_more(request, frozenset(asked.get("scope", "").split())))
        if answer.status == 403 or self.is_new:
            return None  # a token that was just made is not stale
        if self.sent is None:
            discover = partial(
                self.client.discover, self._target(request), asked.get("resource_metadata")
            )
            yield from perform(in_thread(discover))
            self.scopes |= frozenset(asked.get("scope", "").split())
        refused = self.sent.access if self.sent else None
        token = yield from self._token(self._target(request), refused)
        return self._signed(request, token) if token and token.access != refused else None

    def _with_more(self, request: Outgoing, wanted: frozenset[str]) -> Flow[Outgoing | None]:
        """Step up to the scopes that the API asks for, unless the token has them."""
        had = self.sent.scopes if self.sent else frozenset[str]()
        if wanted <= had | self.scopes:
            return None
        self.scopes |= wanted | (had if self.client.interactive else frozenset())
        target = self._target(request)
        if self.client.interactive:
            login = yield from perform(in_thread(partial(self.client.login, target)))
            raise login.needed()
        token = yield from self._token(target, refused=None)
        return self._signed(request, token) if token else None

    def _token(self, target: Target, refused: Secret | None) -> Flow[Token | None]:
        if token := self.client.at_hand(target, refused):
            return token
        renewal = self.client.renewal(target, refused)
        if renewal is None:
            return None
        self.is_new = True
        return (yield from perform(renewal))

    def _signed(self, request: Outgoing, token: Token) -> Outgoing:
        self.sent = token
        for secret in filter(None, (token.access, token.refresh)):
            self.learn(secret)
        return apply(self.scheme, token.access, request)

    def _target(self, request: Outgoing) -> Target:
        return Target(request.url, self.scheme, self.scopes, self.principal)
