"""HTTP digest (RFC 7616): a username and password proved without being sent."""

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

from .challenge import Challenge, challenges
from .errors import CredentialError
from .flow import Flow
from .request import Answer, Outgoing, origin, with_header
from .schemes import HttpDigest
from .secret import Secret
from .sources import Pair, Supplier
from .supplied import supplied


@dataclass
class Session:
    """A server's last challenge and how often its nonce was used.

    The client's nonce stays: a server may compute the key of a `-sess` algorithm once, from the
    first (RFC 7616 section 3.4.2).
    """

    challenge: Challenge
    client_nonce: str
    count: int = 0


@dataclass
class Sessions:
    """The challenges of all servers so far, so that later calls need not ask first."""

    known: dict[tuple[str, str, int | None], Session] = field(
        default_factory=dict[tuple[str, str, int | None], Session]
    )
    lock: Lock = field(default_factory=Lock)

    def remember(self, request: Outgoing, challenge: Challenge) -> None:
        """Answer this challenge from now on at the request's origin."""
        from secrets import token_hex

        with self.lock:
            self.known[origin(request.url)] = Session(challenge, token_hex(16))

    def next(self, request: Outgoing) -> tuple[Challenge, int, str] | None:
        """The challenge to answer at the request's origin, the count of this answer, and the
        client's nonce."""
        with self.lock:
            session = self.known.get(origin(request.url))
            if session is None:
                return None
            session.count += 1
            return session.challenge, session.count, session.client_nonce


@dataclass
class DigestProof:
    """Answers a known challenge at once, a new one after the server's 401."""

    given: Pair | Supplier
    sessions: Sessions
    learn: Callable[[Secret | Pair], None]

    def sign(self, request: Outgoing) -> Flow[Outgoing]:
        """The request with the answer to the challenge that is known, if one is."""
        turn = self.sessions.next(request)
        if turn is None:
            return request
        from .digest_answer import respond

        pair = yield from self._pair()
        return with_header(request, "Authorization", respond(request, pair, *turn))

    def again(self, request: Outgoing, answer: Answer) -> Flow[Outgoing | None]:
        """The request with the answer to a new challenge; None when it was answered before."""
        if answer.status != 401:
            return None
        from .digest_answer import strongest

        challenge = strongest(challenges(answer, "digest"))
        if challenge is None or _was_answered(request, challenge):
            return None
        self.sessions.remember(request, challenge)
        return (yield from self.sign(request))

    def _pair(self) -> Flow[Pair]:
        if isinstance(self.given, Pair):
            return self.given
        pair = yield from supplied(self.given, HttpDigest())
        self.learn(pair)
        if isinstance(pair, Secret):
            raise CredentialError("a username and a password are needed")
        return pair


def _was_answered(request: Outgoing, challenge: Challenge) -> bool:
    """Whether this very nonce was refused: the password is wrong, unless it was only stale."""
    from .digest_answer import quoted

    nonce = quoted(challenge.parameters.get("nonce", ""))
    stale = challenge.parameters.get("stale", "").lower() == "true"
    return f"nonce={nonce}" in (request.header("Authorization") or "") and not stale
