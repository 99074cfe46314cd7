"""The credentials chosen for one call, and how they get onto its request."""

from __future__ import annotations

import re
from collections.abc import Collection, Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, overload

from .apply import Carrier, applies, apply, carrier, mark
from .digest import DigestProof, Sessions
from .errors import AuthorizationNeeded, CredentialError
from .flow import Flow, Proof, Prover, await_
from .held import Held
from .mtls import Certificate
from .principal import principal
from .redact import Redactor
from .request import Answer, Outgoing, require_tls
from .schemes import HttpDigest, Scheme
from .secret import HIDDEN, Secret
from .sources import Pair
from .supplied import SuppliedProof, ask

if TYPE_CHECKING:
    from .http import Auth, Auth_co, HttpxLike


@dataclass(frozen=True, slots=True)
class Use:
    """One scheme of the chosen alternative, with what was found for it."""

    name: str
    scheme: Scheme
    held: Held
    scopes: tuple[str, ...] = ()
    plain_http: bool = False


@dataclass(frozen=True, slots=True)
class Memory:
    """What the calls of one toolset have in common."""

    redactor: Redactor = field(default_factory=Redactor)
    sessions: Sessions = field(default_factory=Sessions)


class Exchange:
    """The credentials' part in one call: sign the request, look at the answer, maybe once more."""

    def __init__(
        self, uses: Sequence[Use], memory: Memory, certificate: Certificate | None = None
    ) -> None:
        self._steps = tuple((use, _proof(use, memory, certificate)) for use in uses)

    def sign(self, request: Outgoing) -> Flow[Outgoing]:
        """The request with every credential on it. Raises `CredentialError`."""
        for use, proof in self._steps:
            require_tls(request, use.name, use.plain_http)
            with _named(use):
                request = yield from proof.sign(request)
        return request

    def retry(self, request: Outgoing, answer: Answer) -> Flow[Outgoing | None]:
        """The signed request to send in place of the one so answered; None to keep the answer.

        At most one, and only after a challenge or a refusal that fresh credentials may cure.
        """
        signed: Outgoing | None = None
        for use, proof in self._steps:
            with _named(use):
                signed = (yield from proof.again(signed or request, answer)) or signed
        return signed

    async def apply(self, request: Outgoing) -> Outgoing:
        """`sign`, in the running event loop."""
        return await await_(self.sign(request))

    async def again(self, request: Outgoing, answer: Answer) -> Outgoing | None:
        """`retry`, in the running event loop."""
        return await await_(self.retry(request, answer))


class Choice:
    """What a call sends. False when it is anonymous."""

    def __init__(self, uses: Sequence[Use], memory: Memory) -> None:
        self._uses = tuple(uses)
        self._memory = memory
        _refuse_shared_places(self._uses)

    def __repr__(self) -> str:
        return f"Choice({', '.join(self.names)})"

    def __bool__(self) -> bool:
        return bool(self._uses)

    @property
    def names(self) -> tuple[str, ...]:
        """The scheme names in use."""
        return tuple(use.name for use in self._uses)

    @property
    def carriers(self) -> frozenset[Carrier]:
        """Where secrets stand in a signed request: `("header", "authorization")`, …"""
        return places(self._uses)

    @property
    def identity(self) -> str:
        """Equal for equal credentials, wherever they are held. Holds secrets: never to be shown.

        What is only made when a call is sent (functions, OAuth 2 clients) is known by itself
        and by the principal.
        """
        return "\n".join(_identity(use.held) for use in self._uses)

    @property
    def certificate(self) -> Certificate | None:
        """What the connection must show: a client made with `verify=certificate.context()`."""
        shown = [use.held for use in self._uses if isinstance(use.held, Certificate)]
        return shown[0] if shown else None

    def static(self, request: Outgoing) -> tuple[Outgoing, tuple[str, ...]]:
        """The request with everything that needs no waiting, and the names of what is pending.

        What is pending has a placeholder in its place: `Bearer <oauth>`. Functions are called
        unless they are asynchronous. Nothing is sent.
        """
        pending: list[str] = []
        for use in self._uses:
            require_tls(request, use.name, use.plain_http)
            with _named(use):
                secret = _at_once(use)
                if secret is None:
                    pending.append(use.name)
                    request = mark(use.scheme, _placeholder(use.name), request)
                else:
                    self._memory.redactor.learn(secret)
                    request = apply(use.scheme, secret, request)
        return request, tuple(pending)

    def shown(self, request: Outgoing, pending: Collection[str] = ()) -> Outgoing:
        """The same as it may be shown: `***` in place of each credential, however short."""
        for use in self._uses:
            text = _placeholder(use.name) if use.name in pending else HIDDEN
            request = mark(use.scheme, text, request)
        return request

    def exchange(self, certificate: Certificate | None = None) -> Exchange:
        """The part that credentials play in one call.

        `certificate` is what the connection shows; a call under mutual TLS that would go over
        another connection is refused, not sent without.
        """
        return Exchange(self._uses, self._memory, certificate)

    async def apply(self, request: Outgoing) -> Outgoing:
        """The request as it is first sent."""
        return await self.exchange().apply(request)

    @overload
    def as_httpx_auth(self) -> Auth: ...
    @overload
    def as_httpx_auth(self, library: HttpxLike[Auth_co]) -> Auth_co: ...
    def as_httpx_auth(self, library: HttpxLike[object] | None = None) -> object:
        """For any client of httpx, or of a `library` like it: `client.get(…, auth=…)`.

        A client that follows redirects by itself takes an API key's header along to another
        origin: leave `follow_redirects` off where a server may redirect elsewhere. For mutual
        TLS the client itself is made with `verify=certificate.context()`.
        """
        from .http import httpx_auth

        hide = self._memory.redactor.hide
        return httpx_auth(lambda: self.exchange(self.certificate), hide, library)


def _placeholder(name: str) -> str:
    """A scheme's name as a header, cookie or query can hold it."""
    return f"<{_UNFIT.sub('-', name)}>"


_UNFIT = re.compile(r"[^\w.:/-]", re.ASCII)


def _identity(held: Held) -> str:
    match held:
        case Secret():
            return held.reveal()
        case Pair():
            return f"{held.username}\t{held.password.reveal()}"
        case _:
            return f"{id(held)} {principal()}"


@dataclass
class _AtHand:
    """Puts a secret that is at hand on the request; there is no second try."""

    scheme: Scheme
    secret: Secret | Pair

    def sign(self, request: Outgoing) -> Flow[Outgoing]:
        yield from ()
        return apply(self.scheme, self.secret, request)

    def again(self, request: Outgoing, answer: Answer) -> Flow[Outgoing | None]:
        yield from ()
        return None


@dataclass
class _InHandshake:
    """A certificate is shown by the connection: nothing stands in the request."""

    wanted: Certificate
    shown: Certificate | None

    def sign(self, request: Outgoing) -> Flow[Outgoing]:
        yield from ()
        if self.shown != self.wanted:
            raise CredentialError(
                "the connection does not show its certificate: make the client with "
                "verify=certificate.context()"
            )
        return request

    def again(self, request: Outgoing, answer: Answer) -> Flow[Outgoing | None]:
        yield from ()
        return None


def _proof(use: Use, memory: Memory, certificate: Certificate | None) -> Proof:
    held, learn = use.held, memory.redactor.learn
    if isinstance(held, (Secret, Pair)):
        learn(held)
    if isinstance(use.scheme, HttpDigest) and not isinstance(held, (Secret, Prover, Certificate)):
        return DigestProof(held, memory.sessions, learn)
    match held:
        case Secret() | Pair():
            return _AtHand(use.scheme, held)
        case Certificate():
            return _InHandshake(held, certificate)
        case Prover():
            return held.begin(use.scheme, use.scopes, learn)
        case _:
            return SuppliedProof(use.scheme, held, learn)


def _at_once(use: Use) -> Secret | Pair | None:
    """The secret if it can be had without waiting."""
    if not applies(use.scheme) or isinstance(use.held, (Prover, Certificate)):
        return None
    return use.held if isinstance(use.held, (Secret, Pair)) else ask(use.held, use.scheme)


@contextmanager
def _named(use: Use) -> Generator[None]:
    """Say in an error which credential it is about."""
    try:
        yield
    except AuthorizationNeeded:
        raise
    except CredentialError as error:
        named = CredentialError(f"{use.name}: {error}")  # the same object may go to many callers
        named.retryable = error.retryable
        raise named from None


def places(uses: Iterable[Use]) -> frozenset[Carrier]:
    """Where credentials stand in a request."""
    return frozenset(place for use in uses if (place := carrier(use.scheme)))


def _refuse_shared_places(uses: Sequence[Use]) -> None:
    owners: dict[Carrier, str] = {}
    for use in uses:
        place = carrier(use.scheme)
        if place and (owner := owners.setdefault(place, use.name)) != use.name:
            raise CredentialError(
                f"{owner} and {use.name} both write the {place[0]} {place[1]}: "
                "the description asks for the impossible"
            )
