"""What is known of well-known GraphQL servers: where they are and how they know a caller."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .selection.facts import NO_HABITS
from .selection.pages import Habits


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """The habits of one server or family of servers; settings go before them."""

    endpoint: str | None = None
    header: str | None = None  # of an API key; None: a bearer token
    required: bool = False  # no call without a credential
    scalars: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    skip: frozenset[str] = frozenset()  # root fields that only serve a client library
    unused: frozenset[str] = frozenset()  # members of inputs that only serve one
    bearer: bool = False  # a bearer token does beside the API key
    variables: Mapping[str, str | None] = field(default_factory=dict[str, str | None])
    # ^ of the endpoint, with their defaults
    habits: Habits = NO_HABITS


_UNUSED = frozenset(("clientMutationId",))
_TEXT: Mapping[str, Any] = {"type": "string"}
_POSTGRES: Mapping[str, Mapping[str, Any]] = {
    "json": {},
    "jsonb": {},
    **{
        name: _TEXT
        for name in [
            "_text",
            "bytea",
            "char",
            "cidr",
            "inet",
            "interval",
            "ltree",
            "macaddr",
            "money",
            "name",
            "time",
            "timestamp",
            "timetz",
            "tsvector",
            "xml",
        ]
    },
}

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
        unused=_UNUSED,
    ),
    "shopify": Preset(
        endpoint="https://{shop}.myshopify.com/admin/api/{version}/graphql.json",
        variables={"shop": None, "version": None},
        header="X-Shopify-Access-Token",
        required=True,
        scalars={
            "Money": {"type": "string"},
            "Decimal": {"type": "string"},
            "UnsignedInt64": {"type": "string", "pattern": "^[0-9]+$"},
        },
    ),
    "relay": Preset(skip=frozenset(("node", "nodes")), unused=_UNUSED),
    "hasura": Preset(
        header="X-Hasura-Admin-Secret",
        bearer=True,
        scalars=_POSTGRES,
        habits=Habits(size="limit", offset="offset", aside=("_aggregate", "nodes")),
    ),
}
"""By the name that settings use."""
