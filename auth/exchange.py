"""The credentials' part in one call: what each of them does to the request, and after the answer."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from .apply import apply
from .digest import DigestProof, Sessions
from .errors import AuthorizationNeeded, CredentialError, without_frames
from .flow import Flow, Proof, Prover, await_
from .held import Held
from .mtls import Certificate
from .redact import Redactor
from .request import Answer, Outgoing, origin, require_tls
from .schemes import HttpDigest, Scheme
from .secret import Secret
from .sources import Pair
from .supplied import SuppliedProof


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
            with named(use):
                request = yield from proof.sign(request)
        return request

    def retry(self, request: Outgoing, answer: Answer) -> Flow[Outgoing | None]:
        """The signed request to send in place of the one so answered; None to keep the answer.

        At most one, and only after a challenge or a refusal that fresh credentials may cure. What
        another origin says, where a redirect led, is no word about them: it could name an
        authorization server of its own.
        """
        if answer.url and origin(answer.url) != origin(request.url):
            return None
        signed: Outgoing | None = None
        for use, proof in self._steps:
            with named(use):
                signed = (yield from proof.again(signed or request, answer)) or signed
        return signed

    async def apply(self, request: Outgoing) -> Outgoing:
        """`sign`, in the running event loop."""
        return await await_(self.sign(request))

    async def again(self, request: Outgoing, answer: Answer) -> Outgoing | None:
        """`retry`, in the running event loop."""
        return await await_(self.retry(request, answer))


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


@contextmanager
def named(use: Use) -> Generator[None]:
    """Say in an error which credential it is about."""
    try:
        yield
    except AuthorizationNeeded:
        raise
    except CredentialError as error:
        # A new one, for the same object may go to many callers.
        named = CredentialError(f"{use.name}: {without_frames(error)}")
        named.retryable = error.retryable
        raise named from None
