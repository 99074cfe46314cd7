"""The credentials that the environment holds, for a toolset that is given none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from .environment import client_variables, environment_variables
from .held import Given
from .mtls import Certificate
from .schemes import HttpBasic, HttpDigest, MutualTls, OAuth2, OpenIdConnect, Scheme
from .sources import EnvironmentVariable, Unavailable
from .store.named import VARIABLE, store_of

if TYPE_CHECKING:
    from .oauth2.client import OAuthClient
    from .store import Store


class Ambient:
    """Reads a package's environment variables at each call.

    Where there is no access token for an OAuth 2 scheme, `…_CLIENT_ID` (and `…_CLIENT_SECRET`)
    make a client whose tokens are kept where `TOOLMINT_TOKEN_STORE` says: in the user's
    `FileStore` unless it names another.
    """

    def __init__(
        self, module: str, schemes: Mapping[str, Scheme], environ: Mapping[str, str]
    ) -> None:
        self._variables = environment_variables(module, schemes)
        self._schemes, self._environ = schemes, environ
        self._clients: dict[tuple[str, ...], OAuthClient] = {}
        self._stores: dict[str, Store] = {}

    def given(self, name: str) -> Given:
        """What is there for a scheme. Raises `Unavailable` with the variables to set."""
        scheme, variables = self._schemes[name], self._variables[name]
        match scheme:
            case HttpBasic() | HttpDigest():
                self._require(variables)
                username, password = map(EnvironmentVariable, variables)
                return {"username": username, "password": password}
            case MutualTls():
                self._require(variables, filled=True)
                return Certificate(*(self._environ[variable] for variable in variables))
            case OAuth2() | OpenIdConnect() if not self._environ.get(variables[0]):
                return self._client(name, scheme, variables[0])
            case _:
                self._require(variables, filled=True)
                return EnvironmentVariable(variables[0])

    def _require(self, variables: tuple[str, ...], *, filled: bool = False) -> None:
        """All of them must be set; of a username and a password one may be empty."""
        values = [self._environ.get(variable) for variable in variables]
        if None in values or (filled and "" in values):
            raise Unavailable(f"set {' and '.join(variables)}")

    def _client(self, name: str, scheme: OAuth2 | OpenIdConnect, variable: str) -> OAuthClient:
        identity, secrecy = client_variables(variable)
        client_id = self._environ.get(identity, "")
        if not client_id:
            raise Unavailable(f"set {variable}, or {identity}")
        secret = self._environ.get(secrecy, "")
        place = self._environ.get(VARIABLE, "")
        key = (name, client_id, secret, place)
        if key not in self._clients:
            store = self._stores.get(place) or store_of(self._environ)
            self._stores[place] = store
            self._clients[key] = _client_for(scheme, client_id, secret, store)
        return self._clients[key]


def _client_for(
    scheme: OAuth2 | OpenIdConnect, client_id: str, secret: str, store: Store
) -> OAuthClient:
    """A client that uses the flow which asks least of a person, among those described."""
    from .oauth2.client import OAuthClient
    from .oauth2.grants import AuthorizationCode, ClientCredentials, DeviceCode, Grant

    kinds = {flow.kind for flow in scheme.flows} if isinstance(scheme, OAuth2) else set[str]()
    grant: Grant = AuthorizationCode()
    if secret and "clientCredentials" in kinds:
        grant = ClientCredentials()
    elif kinds == {"deviceAuthorization"}:
        grant = DeviceCode()
    # OpenID Connect leaves undefined what a sign-in without its scope means.
    scopes = ("openid",) if isinstance(scheme, OpenIdConnect) else ()
    return OAuthClient(client_id, secret or None, grant=grant, scopes=scopes, store=store)
