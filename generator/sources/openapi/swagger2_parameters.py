"""Parameters of OpenAPI 2.0, whose schemas stand in them, and the forms they make."""

from collections.abc import Mapping, Sequence
from typing import Any

from ...plain import is_object

_OWN = frozenset(
    (
        *("name", "in", "description", "required", "allowEmptyValue", "collectionFormat"),
        *("schema", "deprecated"),
    )
)
_STYLES = {
    "ssv": ("spaceDelimited", False),
    "pipes": ("pipeDelimited", False),
    "tsv": ("tabDelimited", False),
    "multi": ("form", True),
}
_FORMS = ("multipart/form-data", "application/x-www-form-urlencoded")


def parameter(described: Any) -> Any:
    """A parameter of path, query or header with a `schema` and a style."""
    if not is_object(described) or "$ref" in described or "schema" in described:
        return described
    converted = {key: described[key] for key in described if key in _OWN}
    converted |= {key: described[key] for key in described if key.startswith("x-")}
    converted["schema"] = _schema(described)
    style = _style(described)
    if style is not None and (described.get("in") == "query" or style[0] != "form"):
        converted["style"], converted["explode"] = style
    return converted


def form_media_type(consumed: Sequence[str], members: Sequence[Mapping[str, Any]]) -> str:
    """How a form is sent: as multipart when it has files, else as the document prefers."""
    multipart, urlencoded = _FORMS
    if any(member.get("type") == "file" for member in members):
        return multipart
    named = [one for one in consumed if one.partition(";")[0].strip().lower() in _FORMS]
    return urlencoded if not named or urlencoded in named else named[0]


def form_body(members: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The Media Type Object of a form: one property for each parameter."""
    named = {str(member["name"]): member for member in members if "name" in member}
    encoding: dict[str, Any] = {}
    for name, member in named.items():
        style = _style(member)
        if style is not None:
            encoding[name] = {"style": style[0], "explode": style[1]}
    return {
        "schema": {
            "type": "object",
            "properties": {name: _member(member) for name, member in named.items()},
            "required": [name for name in named if named[name].get("required") is True],
        },
        "encoding": encoding,
    }


def _member(described: Mapping[str, Any]) -> dict[str, Any]:
    schema = _schema(described)
    return {**schema, **{key: described[key] for key in ("description",) if key in described}}


def _schema(described: Mapping[str, Any]) -> dict[str, Any]:
    schema = {key: described[key] for key in described if key not in _OWN}
    if "x-example" in described:
        schema.setdefault("example", described["x-example"])
    return schema


def _style(described: Mapping[str, Any]) -> tuple[str, bool] | None:
    """`collectionFormat` as style and explode; arrays are comma-separated by default."""
    if described.get("type") != "array":
        return None
    return _STYLES.get(str(described.get("collectionFormat")), ("form", False))
