"""The credentials chosen for one call, and how they get onto its request."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, overload

from .acting import principal
from .apply import Carrier, applies, apply, carrier, mark
from .errors import CredentialError
from .exchange import Exchange, Memory, Use, named
from .flow import Prover, await_
from .held import Held
from .mtls import Certificate
from .request import Outgoing, require_tls
from .secret import HIDDEN, Secret
from .sources import Pair
from .supplied import ask, supplied

if TYPE_CHECKING:
    from .http import Auth, Auth_co, HttpxLike


class Choice:
    """What a call sends. False when it is anonymous."""

    def __init__(self, uses: Sequence[Use], memory: Memory) -> None:
        self._uses = _without_repeats(uses)
        self._memory = memory

    def __repr__(self) -> str:
        return f"Choice({', '.join(self.names)})"

    def __bool__(self) -> bool:
        return bool(self._uses)

    @property
    def names(self) -> tuple[str, ...]:
        """The scheme names in use."""
        return tuple(use.name for use in self._uses)

    @property
    def waits(self) -> bool:
        """Whether something of it is only made when a call is sent, which may take its time."""
        return not all(isinstance(use.held, (Secret, Pair, Certificate)) for use in self._uses)

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

    async def known(self) -> str:
        """`identity`, where a function is known by what it gives at this moment.

        Raises `CredentialError` where it gives nothing that can be used.
        """
        return "\n".join([await self._known(use) for use in self._uses])

    async def _known(self, use: Use) -> str:
        if isinstance(use.held, (Secret, Pair, Prover, Certificate)):
            return _identity(use.held)
        with named(use):
            secret = await await_(supplied(use.held, use.scheme))
        self._memory.redactor.learn(secret)
        return _identity(secret)

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
            with named(use):
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


def _at_once(use: Use) -> Secret | Pair | None:
    """The secret if it can be had without waiting."""
    if not applies(use.scheme) or isinstance(use.held, (Prover, Certificate)):
        return None
    return use.held if isinstance(use.held, (Secret, Pair)) else ask(use.held, use.scheme)


def places(uses: Iterable[Use]) -> frozenset[Carrier]:
    """Where credentials stand in a request."""
    return frozenset(place for use in uses if (place := carrier(use.scheme)))


def _without_repeats(uses: Iterable[Use]) -> tuple[Use, ...]:
    """The uses without those that would write the same credential in the same place again.

    Google's descriptions ask for two OAuth 2 schemes at once, which are one token. Raises
    CredentialError where two different credentials would have to stand in one place.
    """
    kept: list[Use] = []
    owners: dict[Carrier, Use] = {}
    for use in uses:
        place = carrier(use.scheme)
        if place is None or (owner := owners.setdefault(place, use)) is use:
            kept.append(use)
        elif type(owner.scheme) is not type(use.scheme) or not _same(owner.held, use.held):
            raise CredentialError(
                f"{owner.name} and {use.name} both write the {place[0]} {place[1]}, and their "
                "credentials differ: give both the same"
            )
    return tuple(kept)


def _same(one: Held, other: Held) -> bool:
    return one is other or _identity(one) == _identity(other)
