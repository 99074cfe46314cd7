"""Sends a GraphQL request the way its kind needs, and reads the status that the answer means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .http import as_http

if TYPE_CHECKING:
    from ...auth.mtls import Certificate
    from ...auth.request import Outgoing
    from ..operation import GraphQLOperation
    from ..package import GraphQL
    from ..wire.reply import Reply
    from ..wire.transport import Transport


async def carried(
    operation: GraphQLOperation,
    settings: GraphQL,
    transport: Transport,
    request: Outgoing,
    private: frozenset[str],
    *,
    within: float,
    certificate: Certificate | None,
    now: float,
) -> Reply:
    """The answer to a signed request. Raises `SendFailure`."""
    if operation.kind == "subscription" and settings.stream == "websocket":
        from .websocket import listened

        return await listened(request, private, transport.bounds, within)
    reply = await transport.send(request, private, within=within, certificate=certificate)
    return as_http(reply, now)
