"""XML as JSON values, by the `xml` keywords of their schema: `xml` the other way round."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from .xml_schema import XmlSchemas, is_attribute, is_text, is_wrapped
from .xml_tree import Element, read_tree

TEXT = "#text"
"""The member that holds an element's text beside attributes nobody described."""

_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
_STRUCTURED = frozenset(("object", "array"))


def read_xml(body: bytes, schema: Any, definitions: Mapping[str, Any], charset: str | None) -> Any:
    """The value that an XML document stands for; what its root is called does not count.

    Numbers and booleans are read where the schema asks for them. Members that nobody described
    stay, a repeated one as a list. Raises NoXml.
    """
    return _Reader(XmlSchemas(definitions)).value(read_tree(body, charset), schema)


def is_structured(schema: Any, definitions: Mapping[str, Any]) -> bool:
    """Whether a value of the schema is an object or array, so that XML can be read as one."""
    return bool(XmlSchemas(definitions).kinds(schema) & _STRUCTURED)


@dataclass(frozen=True, slots=True)
class _Reader:
    schemas: XmlSchemas

    def value(self, element: Element, schema: Any) -> Any:
        """The value of one element."""
        kinds = self.schemas.kinds(schema)
        if element.is_nil:
            return None
        if "array" in kinds and "object" not in kinds:
            items = self.schemas.find(schema, "items")
            return [self.value(child, items) for child in element.children]
        if "object" in kinds or (not kinds and not element.is_bare):
            return self.object(element, schema)
        return scalar(element.text, kinds)

    def object(self, element: Element, schema: Any) -> dict[str, Any]:
        """The members: those declared, then whatever else is there."""
        members: dict[str, Any] = {}
        rest = _Rest(element)
        for key, member in self.schemas.properties(schema).items():
            for value in self.member(key, member, rest):
                members[key] = value
            if key not in members and key in self.required(schema) and self.is_list(member):
                members[key] = []  # an array without items leaves no trace
        others = self.schemas.others(schema)
        for name, text in rest.attributes.items():
            members.setdefault(name, text)
        for name, children in rest.by_name().items():
            values = [self.value(child, others) for child in children]
            members.setdefault(name, values[0] if len(values) == 1 else values)
        if rest.text.strip() and not element.children:
            members.setdefault(TEXT, rest.text)
        return members

    def member(self, key: str, schema: Any, rest: "_Rest") -> Iterator[Any]:
        """The value of a declared member, taken out of what is left; nothing where it is absent."""
        keywords = self.schemas.keywords(schema)
        name = str(keywords.get("name", key))
        kinds = self.schemas.kinds(schema)
        if is_attribute(keywords):
            if name in rest.attributes:
                yield scalar(rest.attributes.pop(name), kinds)
        elif is_text(keywords):
            yield scalar(rest.text, kinds)
            rest.text = ""
        elif self.is_list(schema):
            yield from self.list(key, name, schema, is_wrapped(keywords), rest)
        elif found := rest.take(name):
            yield self.value(found[-1], schema)

    def list(
        self, key: str, name: str, schema: Any, wrapped: bool, rest: "_Rest"
    ) -> Iterator[list[Any]]:
        """The items of an array, with or without an element around them."""
        items = self.schemas.find(schema, "items")
        own = str(self.schemas.keywords(items).get("name", key))
        found = [] if wrapped else rest.take(own)
        around = False
        if not found or own == key:
            found = found or rest.take(name)
            around = bool(found) and (wrapped or self.is_around(found, items))
        if found:
            inner = found[0].children if around else found
            yield [self.value(child, items) for child in inner]

    def is_around(self, found: Sequence[Element], items: Any) -> bool:
        """One element that cannot be an item, but holds some: many services do not say `wrapped`."""
        names = {child.name for child in found[0].children}
        if len(found) != 1 or len(names) > 1 or found[0].attributes or found[0].text.strip():
            return False
        properties = self.schemas.properties(items)
        known = {
            str(self.schemas.keywords(one).get("name", key)) for key, one in properties.items()
        }
        kinds = self.schemas.kinds(items)
        return not names & known and bool(kinds) and (bool(names) or not kinds - _STRUCTURED)

    def is_list(self, schema: Any) -> bool:
        return "array" in self.schemas.kinds(schema)

    def required(self, schema: Any) -> frozenset[str]:
        views = self.schemas.views(schema)
        return frozenset(name for view in views for name in view.get("required", ()))


class _Rest:
    """What of an element no member has taken yet."""

    def __init__(self, element: Element) -> None:
        self.attributes = dict(element.attributes)
        self.children = list(element.children)
        self.text = element.text

    def take(self, name: str) -> list[Element]:
        """The children of a name, which are then gone."""
        found = [child for child in self.children if child.name == name]
        self.children = [child for child in self.children if child.name != name]
        return found

    def by_name(self) -> dict[str, list[Element]]:
        """The children that are left."""
        grouped: dict[str, list[Element]] = {}
        for child in self.children:
            grouped.setdefault(child.name, []).append(child)
        return grouped


def scalar(text: str, kinds: set[str]) -> Any:
    """The text as the first type that it fits; text that fits none stays text."""
    if "string" in kinds or not kinds:
        return text
    for kind, read in _SCALARS.items():
        if kind in kinds and (value := read(text.strip())) is not None:
            return value
    return None if "null" in kinds and not text.strip() else text


def _integer(text: str) -> int | None:
    return int(text) if re.fullmatch(r"[+-]?\d{1,4000}", text) else None


def _number(text: str) -> int | float | None:
    whole = _integer(text)
    if whole is not None or not _NUMBER.fullmatch(text):
        return whole
    number = float(text)
    return number if isfinite(number) else None


def _boolean(text: str) -> bool | None:
    return {"true": True, "1": True, "false": False, "0": False}.get(text.lower())


_SCALARS: dict[str, Callable[[str], Any]] = {
    "integer": _integer,
    "number": _number,
    "boolean": _boolean,
}
