"""An OAuth 2 client as a credential: give it for a scheme, and calls carry fresh tokens."""

import os
import time
from collections.abc import Callable, Iterable
from threading import Lock

from ..acting import principal
from ..errors import CredentialError, frameless
from ..flow import Job, Proof
from ..network import Fetch
from ..schemes import Scheme
from ..secret import Secret
from ..sources import EnvironmentVariable, Pair, SecretFile, Text, text
from ..store import Key, Store
from ..store.memory import MemoryStore
from .browser import begin_code
from .client_auth import ClientAuthentication, ClientSecret, PublicClient
from .device import begin_device
from .endpoints import Endpoints
from .grants import (
    AuthorizationCode,
    ClientCredentials,
    DeviceCode,
    Grant,
    Interactive,
    flow_kinds,
    form,
)
from .keeper import Keeper
from .locate import Locator, Target
from .login import Login
from .proof import OAuthProof
from .server import Server
from .token import Token

ITSELF = ClientCredentials()


class OAuthClient:
    """A client of an authorization server.

    `secret` is a text (sent as the server prefers it) or a way of client authentication. The
    server's addresses come from `token_url=` and the like, from `issuer=`, from the scheme, or
    from the API itself: the first that is there. `scopes` are asked for beside those of the
    operation. Tokens are kept in `store`, apart for each principal (`acting_for`); without one,
    in this object.
    """

    def __init__(
        self,
        client_id: str,
        secret: Text | ClientAuthentication | None = None,
        *,
        grant: Grant = ITSELF,
        issuer: str = "",
        token_url: str = "",
        authorization_url: str | None = None,
        device_authorization_url: str | None = None,
        scopes: Iterable[str] = (),
        resource: str | None = None,
        audience: str | None = None,
        store: Store | None = None,
        fetch: Fetch | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._client_id, self._grant = text(client_id, {}).reveal(), grant
        self._authentication = _authentication(secret)
        self._scopes = frozenset(scopes)
        self._resource, self._audience = resource, audience
        self._clock = clock
        given = Endpoints(
            token=token_url,
            authorization=authorization_url,
            device=device_authorization_url,
            issuer=issuer,
        )
        self._locator = Locator(given, flow_kinds(grant), self._authentication, fetch)
        self._keeper = Keeper(store or MemoryStore(), clock)
        self._logins: dict[Key, tuple[frozenset[str], Interactive, Login]] = {}
        self._guard = Lock()

    def __repr__(self) -> str:
        return f"OAuthClient({self._client_id!r}, {type(self._grant).__name__})"

    # ── as a credential ─────────────────────────────────────────────────────────────

    def begin(
        self, scheme: Scheme, scopes: tuple[str, ...], learn: Callable[[Secret | Pair], None]
    ) -> Proof:
        """Take part in a call on behalf of the principal that is acting now."""
        return OAuthProof(self, scheme, frozenset(scopes), principal(), learn)

    def at_hand(self, target: Target, refused: Secret | None) -> Token | None:
        """A token that needs no waiting."""
        key = self._key(target)
        return self._keeper.at_hand(key, refused) if key else None

    def renewal(self, target: Target, refused: Secret | None) -> Job[Token] | None:
        """Wait for a token other than the refused one; None until the API said where to ask."""
        key = self._key(target)
        if key is None:
            return None
        return self._keeper.renewal(key, refused, lambda kept: self._obtain(target, kept))

    def discover(self, target: Target, stated: str | None) -> None:
        """Ask the API for its authorization server (RFC 9728); may block."""
        self._locator.discover(target, stated)

    @property
    def interactive(self) -> bool:
        """Whether a person has to sign in."""
        return isinstance(self._grant, (AuthorizationCode, DeviceCode))

    # ── for a person ────────────────────────────────────────────────────────────────

    @frameless()
    def login(self, target: Target, way: Interactive | None = None) -> Login:
        """Start a sign-in, or join the one that is under way; may block.

        `way` signs in otherwise than the client's own grant: with a device code where there is
        no browser.
        """
        grant = self._interactive(way)
        key, scopes = self._key_or_ask(target), self._scopes | target.scopes
        with self._guard:
            if key in self._logins:
                asked, by, begun = self._logins[key]
                if scopes <= asked and by == grant and not begun.finished.is_set():
                    return begun
                begun.abandon()
            login = self._begin(target, key, scopes, grant)
            self._logins[key] = scopes, grant, login
            return login

    def login_under_way(self, target: Target) -> Login:
        """The sign-in that was started last; starts none but may ask the API; may block."""
        key = self._key_or_ask(target)
        if key not in self._logins:
            raise CredentialError("no sign-in was started")
        return self._logins[key][2]

    @frameless()
    def logout(self, target: Target) -> bool:
        """Forget the token that is kept, and revoke it where the server can; may block.

        Whether there was one. Raises `CredentialError`, which says whether it is still kept.
        """
        token = self._keeper.forget(self._key_or_ask(target))
        if token is None:
            return False
        try:
            self._server(target, self._locator.completed(target, "revocation")).revoke(token)
        except CredentialError as error:
            raise CredentialError(
                f"forgotten here, but perhaps not by the server: {error}"
            ) from None
        return True

    @frameless()
    def status(self, target: Target) -> Token | None:
        """The token that is kept; may block."""
        return self._keeper.kept(self._key_or_ask(target))

    def is_ready(self, target: Target) -> bool:
        """Whether a call can be made without a person; asks the store and no server."""
        if not self.interactive:
            return True
        key = self._key(target)
        kept = self._keeper.kept(key) if key else None
        return kept is not None and (kept.refresh is not None or kept.is_fresh(self._clock()))

    # ── inside ──────────────────────────────────────────────────────────────────────

    def _key(self, target: Target) -> Key | None:
        """Tokens of a sign-in serve every operation, others exactly the scopes they need."""
        issuer = self._locator.identity(target)
        scopes = self._scopes if self.interactive else self._scopes | target.scopes
        return (
            issuer
            and Key(
                issuer,
                self._client_id,
                tuple(sorted(scopes)),
                target.principal,
                self._narrow(target),
            )
        ) or None

    def _key_or_ask(self, target: Target) -> Key:
        key = self._key(target)
        if key is None:
            self.discover(target, None)
            key = self._key(target)
        assert key is not None, "discovery found an issuer or raised"
        return key

    def _narrow(self, target: Target) -> str:
        found = self._locator.resource(target)
        return self._resource or (found.identifier if found else "")

    def _server(self, target: Target, endpoints: Endpoints | None = None) -> Server:
        return Server(
            client_id=self._client_id,
            authentication=self._authentication,
            endpoints=endpoints or self._locator.endpoints(target),
            fetch=self._locator.fetch(target),
            clock=self._clock,
            resource=self._narrow(target) or None,
            audience=self._audience,
        )

    def _obtain(self, target: Target, kept: Token | None) -> Token:
        """By the refresh token if there is one, by the grant if not.

        A client that acts for itself needs none (RFC 6749 section 4.4.3): servers that give it
        one all the same do not always take it back.
        """
        server = self._server(target)
        if kept and kept.refresh and not isinstance(self._grant, ClientCredentials):
            return server.refreshed(kept)
        if isinstance(self._grant, (AuthorizationCode, DeviceCode)):
            raise self.login(target).needed()
        return server.token(form(self._grant, os.environ), self._scopes | target.scopes)

    def _interactive(self, way: Interactive | None) -> Interactive:
        """How a person signs in. Raises `CredentialError` where the client acts for itself: its
        calls would go on in their name until the token ends, and then in its own."""
        if not isinstance(self._grant, (AuthorizationCode, DeviceCode)):
            raise CredentialError("nobody has to sign in: this client gets its tokens by itself")
        return way or self._grant

    def _begin(self, target: Target, key: Key, scopes: frozenset[str], way: Interactive) -> Login:
        def keep(token: Token) -> None:
            self._keeper.adopt(key, token)

        match way:
            case AuthorizationCode():
                return begin_code(self._server(target), way, scopes, keep)
            case DeviceCode():
                endpoints = self._locator.completed(target, "device")
                return begin_device(self._server(target, endpoints), scopes, keep)


def _authentication(secret: Text | ClientAuthentication | None) -> ClientAuthentication:
    if secret is None:
        return PublicClient()
    if isinstance(secret, str):
        return ClientSecret(Secret(secret))
    if isinstance(secret, (Secret, EnvironmentVariable, SecretFile)):
        return ClientSecret(secret)
    return secret
