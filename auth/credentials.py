"""The credentials of one toolset: what was given for each scheme, and what a call may use."""

import os
from collections.abc import Mapping

from .choice import Choice, Memory, Use
from .choose import Absent, Missing, Security, choose
from .environment import environment_variables
from .errors import CredentialError
from .held import Credential, Held, check, hold
from .schemes import Scheme, Unsupported, title
from .secret import Secret
from .sources import EnvironmentVariable, OverHttp, Pair, Unavailable, is_pair


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
        self._variables = environment_variables(module, schemes) if values is None else {}
        self._values = (
            _from_variables(self._variables) if values is None else _checked(schemes, values)
        )
        self._memory = Memory()

    def __repr__(self) -> str:
        return f"Credentials({', '.join(sorted(self._values))})"

    def choose(self, security: Security) -> Choice | Missing:
        """What a call under this requirement sends, or what is missing for it.

        Sources are read now; functions are only called when the choice is applied. Raises
        `CredentialError` for a secret that is there but cannot be used.
        """
        chosen: dict[str, tuple[Held, tuple[str, ...]]] | Missing = choose(security, self._look_up)
        if isinstance(chosen, Missing):
            return chosen
        return Choice(
            [
                Use(
                    name,
                    self._schemes[name],
                    held,
                    scopes,
                    isinstance(self._values[name], OverHttp),
                )
                for name, (held, scopes) in chosen.items()
            ],
            self._memory,
        )

    def usable(self, security: Security) -> bool:
        """Whether a call under this requirement has all it needs, as far as can be told now."""
        try:
            return isinstance(self.choose(security), Choice)
        except CredentialError:
            return False

    def hide(self, text: str) -> str:
        """The text with `***` for every secret that is at hand or was used so far."""
        for name in self._values:
            self._learn(name)
        return self._memory.redactor.hide(text)

    def _learn(self, name: str) -> None:
        try:
            held = self._look_up(name)
        except CredentialError:
            return
        if isinstance(held, (Secret, Pair)):
            self._memory.redactor.learn(held)

    def _look_up(self, name: str) -> Held | Absent:
        scheme = self._schemes.get(name)
        if scheme is None:
            return Absent(name, "the description declares no such scheme")
        value = self._values.get(name)
        if value is None or isinstance(scheme, Unsupported):
            return Absent(name, f"{title(scheme)}{self._hint(name)}")
        try:
            return hold(
                scheme, value.value if isinstance(value, OverHttp) else value, self._environ
            )
        except Unavailable as error:
            return Absent(name, f"{title(scheme)}{self._hint(name) or f': {error}'}")
        except CredentialError as error:
            raise CredentialError(f"{name}: {error}") from None

    def _hint(self, name: str) -> str:
        variables = self._variables.get(name, ())
        return f": set {' and '.join(variables)}" if variables else ""


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
            raise CredentialError(f"{name}: {error}") from None
    return {name: _out_of_sight(value) for name, value in values.items()}


def _out_of_sight(value: Credential) -> Credential:
    if isinstance(value, str):
        return Secret(value)
    if is_pair(value):
        return {key: Secret(part) if isinstance(part, str) else part for key, part in value.items()}
    return value


def _unknown(name: str, schemes: Mapping[str, Scheme]) -> str:
    from difflib import get_close_matches

    if not schemes:
        return f"{name!r}: the description declares no security scheme"
    close = get_close_matches(name, schemes, 1, cutoff=0.5)
    near = f" Did you mean {close[0]!r}?" if close else ""
    return f"the description declares no scheme {name!r}.{near} Known: {', '.join(schemes)}"


def _from_variables(variables: Mapping[str, tuple[str, ...]]) -> dict[str, Credential]:
    values: dict[str, Credential] = {}
    for name, names in variables.items():
        if len(names) == 1:
            values[name] = EnvironmentVariable(names[0])
        elif names and names[0].endswith("_USERNAME"):
            username, password = map(EnvironmentVariable, names)
            values[name] = {"username": username, "password": password}
    return values
