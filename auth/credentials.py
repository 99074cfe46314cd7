"""The credentials of one toolset: what was given for each scheme, and what a call may use."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from .ambient import Ambient
from .apply import carrier
from .choice import Choice, places
from .choose import Absent, Missing, Security, choose
from .errors import CredentialError, without_frames
from .exchange import Memory, Use
from .held import Credential, Given, Held, check, hold
from .schemes import Scheme, Unsupported, title
from .secret import Secret
from .sources import OverHttp, Pair, Unavailable, secretly

if TYPE_CHECKING:
    from .oauth2.client import OAuthClient


class Credentials:
    """What is known about a package's credentials.

    `values` is taken as it is, even when empty; None reads the environment variables that
    `environment_variables(module, schemes)` names, at each call. Raises `CredentialError` for
    a scheme that is not declared and for a value of a kind its scheme cannot use.
    """

    def __init__(
        self,
        schemes: Mapping[str, Scheme],
        values: Mapping[str, Credential] | None = None,
        *,
        module: str = "",
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self._schemes = schemes
        self._environ = os.environ if environ is None else environ
        self._ambient = Ambient(module, schemes, self._environ) if values is None else None
        self._values = _checked(schemes, values or {})
        self._memory = Memory()

    def __repr__(self) -> str:
        given = "from the environment" if self._ambient else ", ".join(sorted(self._values))
        return f"Credentials({given})"

    def choose(self, security: Security, optional: Sequence[str] = ()) -> Choice | Missing:
        """What a call under this requirement sends, or what is missing for it.

        Those of `optional` that are there go along, where no other credential has their place.
        Sources are read now; functions are only called when the choice is applied. Raises
        `CredentialError` for a secret that is there but cannot be used.
        """
        chosen: dict[str, tuple[Held, tuple[str, ...]]] | Missing = choose(security, self._look_up)
        if isinstance(chosen, Missing):
            return chosen
        uses = [self._use(name, held, scopes) for name, (held, scopes) in chosen.items()]
        for name in optional:
            held = self._look_up(name)
            if isinstance(held, Absent) or carrier(self._schemes[name]) in places(uses):
                continue
            uses.append(self._use(name, held, ()))
        return Choice(uses, self._memory)

    def usable(self, security: Security) -> bool:
        """Whether a call under this requirement has all it needs, as far as can be told now."""
        try:
            return isinstance(self.choose(security), Choice)
        except CredentialError:
            return False

    def clients(self) -> dict[str, OAuthClient]:
        """The OAuth 2 clients at hand, by scheme: with these a person can sign in and out."""
        from .oauth2.client import OAuthClient

        held = {name: self._known(name) for name in self._schemes}
        return {name: client for name, client in held.items() if isinstance(client, OAuthClient)}

    def hide(self, text: str) -> str:
        """The text with `***` for every secret that is at hand or was used so far."""
        for name in self._schemes if self._ambient else self._values:
            held = self._known(name)
            if isinstance(held, (Secret, Pair)):
                self._memory.redactor.learn(held)
        return self._memory.redactor.hide(text)

    def _known(self, name: str) -> Held | None:
        try:
            held = self._look_up(name)
        except CredentialError:
            return None
        return None if isinstance(held, Absent) else held

    def _use(self, name: str, held: Held, scopes: tuple[str, ...]) -> Use:
        plain_http = isinstance(self._values.get(name), OverHttp)
        return Use(name, self._schemes[name], held, scopes, plain_http)

    def _look_up(self, name: str) -> Held | Absent:
        scheme = self._schemes.get(name)
        if scheme is None:
            return Absent(name, "the description declares no such scheme")
        if isinstance(scheme, Unsupported):
            return Absent(name, title(scheme))
        try:
            given = self._given(name)
            return (
                Absent(name, title(scheme)) if given is None else hold(scheme, given, self._environ)
            )
        except Unavailable as error:
            return Absent(name, f"{title(scheme)}: {error}")
        except CredentialError as error:
            raise CredentialError(f"{name}: {without_frames(error)}") from None

    def _given(self, name: str) -> Given | None:
        if self._ambient:
            return self._ambient.given(name)
        value = self._values.get(name)
        return value.value if isinstance(value, OverHttp) else value


def _checked(
    schemes: Mapping[str, Scheme], values: Mapping[str, Credential]
) -> dict[str, Credential]:
    """The values, known to fit, with plain strings out of sight."""
    for name, value in values.items():
        if name not in schemes:
            raise CredentialError(_unknown(name, schemes))
        try:
            check(schemes[name], value)
        except CredentialError as error:
            raise CredentialError(f"{name}: {without_frames(error)}") from None
    return {name: cast(Credential, secretly(value)) for name, value in values.items()}


def _unknown(name: str, schemes: Mapping[str, Scheme]) -> str:
    from difflib import get_close_matches

    if not schemes:
        return f"{name!r}: the description declares no security scheme"
    close = get_close_matches(name, schemes, 1, cutoff=0.5)
    near = f" Did you mean {close[0]!r}?" if close else ""
    return f"the description declares no scheme {name!r}.{near} Known: {', '.join(schemes)}"
