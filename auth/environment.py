"""The environment variables that a package reads when it is given no credentials."""

import re
from collections import Counter
from collections.abc import Mapping

from .schemes import HttpBasic, HttpDigest, MutualTls, Scheme, Unsupported


def environment_variables(module: str, schemes: Mapping[str, Scheme]) -> dict[str, tuple[str, ...]]:
    """For each scheme the variables that hold its credential, in order.

    `github_tools` and `bearerAuth` make `GITHUB_BEARER_AUTH`; a username and password are two
    (`…_USERNAME`, `…_PASSWORD`), a client certificate is two files (`…_CERTIFICATE`, `…_KEY`).
    Schemes whose variables would be the same get a hash, so that one secret never serves two.
    """
    prefix = _upper(module.rpartition(".")[2].removesuffix("_tools"))
    stems = {name: _stem(prefix, _upper(name)) for name in schemes}
    shared = Counter(stems.values())
    return {
        name: _variables(stem if shared[stem] == 1 else f"{stem}_{_digest(name)}", schemes[name])
        for name, stem in stems.items()
    }


def client_variables(variable: str) -> tuple[str, str]:
    """Beside an OAuth 2 scheme's variable: those of a client that gets its tokens itself.

    The id, and the secret where the client has one.
    """
    return f"{variable}_CLIENT_ID", f"{variable}_CLIENT_SECRET"


def _variables(stem: str, scheme: Scheme) -> tuple[str, ...]:
    match scheme:
        case HttpBasic() | HttpDigest():
            return (f"{stem}_USERNAME", f"{stem}_PASSWORD")
        case MutualTls():
            return (f"{stem}_CERTIFICATE", f"{stem}_KEY")
        case Unsupported():
            return ()
        case _:
            return (stem,)


def _stem(prefix: str, name: str) -> str:
    stem = "_".join(filter(None, (prefix, name))) or "CREDENTIAL"
    return f"_{stem}" if stem[0].isdigit() else stem  # no shell sets a variable like 2FA_KEY


def _upper(text: str) -> str:
    """Words in upper case, split as tool names are: `OAuth2Scheme` → `OAUTH2_SCHEME`."""
    apart = _BOUNDARY.sub("_", text.replace("OAuth", "Oauth"))
    return "_".join(re.findall(r"[A-Za-z0-9]+", apart)).upper()


_BOUNDARY = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def _digest(name: str) -> str:
    from hashlib import sha256

    return sha256(name.encode()).hexdigest()[:6].upper()
