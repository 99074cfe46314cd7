"""Which leaves tell most of an object, and which are never chosen by themselves."""

import re
from collections.abc import Mapping
from itertools import pairwise

from ....words import words
from ..schema import Composite, Enum, Field, NonNull, Scalar, Schema, is_list, named

_LABELS = [
    "title",
    "name",
    "login",
    "slug",
    "key",
    "number",
    "displayName",
    "fullName",
    "label",
    "username",
    "identifier",
    "sku",
    "email",
    "message",
    "code",
    "subject",
    "text",
    "body",
    "content",
    "value",
]
_FACTS = ("state", "status", "type", "kind", "url", "description", "summary", "amount", "priority")
_DATE = re.compile(r"(?:At|On|Date|_at|_on|_date)$|^date")
_DATES = frozenset(("date", "datetime", "time", "timestamp", "timestamptz"))
_SECRETS = frozenset(
    [
        "token",
        "secret",
        "password",
        "passphrase",
        "passwd",
        "credential",
        "credentials",
        "private",
        "apikey",
    ]
)
_SECRET_PAIRS = frozenset(("api_key", "private_key", "access_key", "secret_key", "signing_key"))
_DUPLICATES = re.compile(
    r"(?P<base>.+?)(?:HTML|Html|_html|Text|Markdown|JSON|Json|Preview|ResourcePath)$"
)
_SECOND_NAMES = frozenset(
    [
        "databaseId",
        "fullDatabaseId",
        "legacyResourceId",
        "resourcePath",
        "nodeId",
        "clientMutationId",
    ]
)


def leaf_fields(schema: Schema, kind: Composite) -> list[Field]:
    """The leaves of a type that may be chosen, the most telling first."""
    fields = schema.fields(kind)
    found = [field for field in fields.values() if _is_leaf(schema, field)]
    places = {field.name: place for place, field in enumerate(found)}
    kept = [field for field in found if not is_hidden(field) and not _is_duplicate(field, fields)]
    return sorted(kept, key=lambda field: (*_rank(schema, field, fields), places[field.name]))


def reference_fields(schema: Schema, kind: Composite) -> list[Field]:
    """What names an object to a reader: its id and one label, or its two best leaves."""
    ranked = leaf_fields(schema, kind)
    fields = schema.fields(kind)
    tiers = [(_rank(schema, field, fields)[0], field) for field in ranked]
    ids = [field for tier, field in tiers if tier == 0][:1]
    labels = [field for tier, field in tiers if tier == 1][:1]
    chosen = [*ids, *labels]
    return [*chosen, *(field for tier, field in tiers if tier and field not in chosen)][:2]


def last_resort(schema: Schema, kind: Composite) -> list[Field]:
    """The leaves of a type that has nothing else to say, even if they look like secrets.

    A model is never shown such values, but the program that calls the tool may need them.
    """
    return [
        field
        for field in schema.fields(kind).values()
        if _is_leaf(schema, field)
        and field.deprecated is None
        and not field.required
        and field.name not in _SECOND_NAMES
    ]


def is_hidden(field: Field) -> bool:
    """Deprecated, in need of an argument, or by its name a secret."""
    return field.deprecated is not None or bool(field.required) or is_secret(field.name)


def is_secret(name: str) -> bool:
    """Whether a name says that the value is a secret (`tokenCount` is none)."""
    spoken = words(name)
    pairs = {"_".join(pair) for pair in pairwise(spoken)}
    return bool(spoken) and (spoken[-1] in _SECRETS or bool(pairs & _SECRET_PAIRS))


def _is_leaf(schema: Schema, field: Field) -> bool:
    return isinstance(schema.types.get(named(field.type)), Scalar | Enum)


def _is_duplicate(field: Field, known: Mapping[str, Field]) -> bool:
    """The same thing again in another form: `bodyHTML` beside `body`."""
    if field.name == "cursor" and "node" in known:
        return True  # of an edge: it says where the item stood, not what it is
    if field.name in _SECOND_NAMES:
        return field.name == "clientMutationId" or "id" in known or "url" in known
    again = _DUPLICATES.fullmatch(field.name)
    return again is not None and (again["base"] in known or f"{again['base']}Url" in known)


def _rank(schema: Schema, field: Field, known: Mapping[str, Field]) -> tuple[int, int]:
    """Tier and place in it: id, label, fact or date, non-null, nullable, boolean."""
    name, kind = field.name, named(field.type)
    if not is_list(field.type):
        if name == "id" or ("id" not in known and kind == "ID" and name.lower().endswith("id")):
            return (0, 0)
        if name in _LABELS and not isinstance(schema.types.get(kind), Enum):
            return (1, _LABELS.index(name))
        if name in _FACTS:
            return (2, _FACTS.index(name))
        if kind.lower() in _DATES or _DATE.search(name):
            return (2, len(_FACTS))
    if kind == "Boolean":
        return (5, 0)
    return (3 if isinstance(field.type, NonNull) else 4, 0)
