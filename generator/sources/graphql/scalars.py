"""Custom scalars as JSON Schema, by the names that schemas give them."""

from collections.abc import Mapping
from typing import Any

from .schema import Scalar

INT = {"type": "integer", "minimum": -(2**31), "maximum": 2**31 - 1}
_TEXT = {"type": "string"}
_WHOLE = {"type": ["integer", "string"], "pattern": r"^-?\d+$"}
_DECIMAL = {"type": ["number", "string"], "pattern": r"^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$"}
_OBJECT = {"type": "object"}
UPLOAD: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "filename": {"type": "string"},
        "content_type": {"type": "string"},
        "data_base64": {"type": "string", "contentEncoding": "base64"},
    },
    "required": ["data_base64"],
    "additionalProperties": False,
}
"""A file: sent as a part of a multipart request."""

BUILT_IN: Mapping[str, Mapping[str, Any]] = {
    "ID": _TEXT,
    "String": _TEXT,
    "Int": INT,
    "Float": {"type": "number"},
    "Boolean": {"type": "boolean"},
}
_FORMATS = {
    "date": "date",
    "email": "email",
    "emailaddress": "email",
    "guid": "uuid",
    "uuid": "uuid",
    "ipv4": "ipv4",
    "ipv6": "ipv6",
    "datetime": "date-time",
    "isodatetime": "date-time",
    "iso8601datetime": "date-time",
    "precisedatetime": "date-time",
    "gittimestamp": "date-time",
    "timestamptz": "date-time",
    "uri": "uri",
    "url": "uri",
}
_OTHERS: Mapping[str, Mapping[str, Any]] = {
    **{name: _WHOLE for name in ("bigint", "long", "int64", "uint64", "biginteger")},
    **{name: _DECIMAL for name in ("decimal", "bigdecimal", "bigfloat", "numeric")},
    **{name: _OBJECT for name in ("jsonobject", "object", "map")},
    **{
        name: _TEXT for name in ("html", "markdown", "base64string", "citext", "bpchar", "hexcolor")
    },
    "float8": {"type": "number"},
    "double": {"type": "number"},
    "positiveint": {"type": "integer", "minimum": 1},
    "nonnegativeint": {"type": "integer", "minimum": 0},
    "smallint": {"type": "integer"},
    "upload": UPLOAD,
}
_ASKED = frozenset(("maximum", "minimum", "pattern"))  # of what is sent, not of what comes back
_ANYTHING_BY_NAME = frozenset(("any", "json", "fieldset", "time", "timestamp", "void"))
ANYTHING: Mapping[str, Any] = {"type": ["string", "number", "boolean", "object", "array"]}
"""A scalar nobody told us about: any JSON but null."""


def is_scalar(name: str) -> bool:
    """Whether a name alone says that its type is a scalar."""
    return _known(name) is not None or _plain(name) in _ANYTHING_BY_NAME


def is_upload(name: str) -> bool:
    """Whether a scalar is a file (the GraphQL multipart request specification)."""
    return _plain(name) == "upload"


class Scalars:
    """The schemas of scalars; `own` are the user's, by the scalar's name."""

    def __init__(self, own: Mapping[str, Mapping[str, Any]]) -> None:
        self._own = own

    def input(self, scalar: Scalar) -> Mapping[str, Any]:
        """What is taken for a scalar."""
        known = self._own.get(scalar.name) or _known(scalar.name)
        return ANYTHING if known is None else known

    def output(self, scalar: Scalar) -> Mapping[str, Any] | bool:
        """What a scalar's value looks like in a result; True where that cannot be told."""
        known = self._own.get(scalar.name) or _known(scalar.name)
        if known is None:
            return True
        return {key: value for key, value in known.items() if key not in _ASKED}


def _known(name: str) -> Mapping[str, Any] | None:
    if name in BUILT_IN:
        return BUILT_IN[name]
    plain = _plain(name)
    if plain in _FORMATS:
        return {"type": "string", "format": _FORMATS[plain]}
    return _OTHERS.get(plain)


def _plain(name: str) -> str:
    return name.replace("_", "").lower()
