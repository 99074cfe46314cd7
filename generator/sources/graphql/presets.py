"""What is known of well-known GraphQL servers: where they are and how they know a caller."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """The habits of one server or family of servers; settings go before them."""

    endpoint: str | None = None
    header: str | None = None  # of an API key; None: a bearer token
    required: bool = False  # no call without a credential
    scalars: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    skip: frozenset[str] = frozenset()  # root fields that only serve a client library


PRESETS: Mapping[str, Preset] = {
    "github": Preset(
        endpoint="https://api.github.com/graphql",
        required=True,
        scalars={
            "GitObjectID": {"type": "string", "pattern": "^[0-9a-fA-F]{4,64}$"},
            "GitSSHRemote": {"type": "string"},
            "X509Certificate": {"type": "string"},
        },
        skip=frozenset(("relay",)),
    ),
    "shopify": Preset(
        header="X-Shopify-Access-Token",
        required=True,
        scalars={
            "Money": {"type": "string"},
            "Decimal": {"type": "string"},
            "UnsignedInt64": {"type": "string", "pattern": "^[0-9]+$"},
        },
    ),
    "relay": Preset(skip=frozenset(("node", "nodes"))),
    "hasura": Preset(
        header="X-Hasura-Admin-Secret",
        scalars={"jsonb": {}, "json": {}, "_text": {"type": "string"}, "time": {"type": "string"}},
    ),
}
"""By the name that settings use."""
