"""Introspection of any age, and of careless servers, with the members that graphql-core insists on."""

from collections.abc import Iterator, Mapping
from typing import Any

import graphql as core

from ....plain import as_array, as_text, is_object
from .judging import Fault

_LISTS: Mapping[str, tuple[str, ...]] = {
    "OBJECT": ("interfaces", "fields"),
    "INTERFACE": ("interfaces", "fields", "possibleTypes"),
    "UNION": ("possibleTypes",),
    "ENUM": ("enumValues",),
    "INPUT_OBJECT": ("inputFields",),
}
_TEXTS = ("description", "deprecationReason", "specifiedByURL")


class Completion:
    """Completes one result; `faults` are what was dropped from it."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def schema(self, told: Mapping[str, Any]) -> dict[str, Any]:
        """The object under `__schema`."""
        return {
            **_with_texts(told),
            "types": list(map(self._type, _objects(told.get("types")))),
            "directives": list(map(self._directive, _objects(told.get("directives")))),
        }

    def _type(self, told: Mapping[str, Any]) -> dict[str, Any]:
        kind = _with_texts(told)
        lists = _LISTS.get(as_text(kind.get("kind")), ())
        for key in lists:
            kind[key] = [_with_texts(one) for one in _objects(kind.get(key))]
        name = as_text(kind.get("name"))
        for field in kind["fields"] if "fields" in lists else ():
            field["args"] = self._inputs(field.get("args"), f"{name}.{field.get('name')}")
        if "inputFields" in lists:
            kind["inputFields"] = self._inputs(kind["inputFields"], name)
        return kind

    def _directive(self, told: Mapping[str, Any]) -> dict[str, Any]:
        args = self._inputs(told.get("args"), f"@{told.get('name')}")
        return {**_with_texts(told), "args": args}

    def _inputs(self, told: Any, of: str) -> list[dict[str, Any]]:
        """Arguments or input fields of something, without defaults that are no values of GraphQL."""
        inputs = [_with_texts(one) for one in _objects(told)]
        for one in inputs:
            default = one.get("defaultValue")
            if default is not None and not _is_value(default):
                one["defaultValue"] = None
                text = f"the default of {one.get('name')!r} of {of} is no value; it is dropped"
                self.faults.append(Fault(text, None, ()))
        return inputs


def _objects(told: Any) -> Iterator[Mapping[str, Any]]:
    return filter(is_object, as_array(told))


def _with_texts(told: Mapping[str, Any]) -> dict[str, Any]:
    """A copy whose texts are texts."""
    odd = [key for key in _TEXTS if not isinstance(told.get(key), str | None)]
    return {**told, **dict.fromkeys(odd)}


def _is_value(text: Any) -> bool:
    if not isinstance(text, str):
        return False
    try:
        core.parse_value(text)
    except (core.GraphQLError, RecursionError):
        return False
    return True
