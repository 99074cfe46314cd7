"""JSON values as XML, by the `xml` keywords of their schema (OpenAPI's XML Object)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from .refusal import Unwritable
from .values import is_array, is_object, text_of
from .xml_schema import DEFINITIONS, Schema, XmlSchemas, is_attribute, is_text, is_wrapped

DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'
_NAME = re.compile(r"[^\W\d][\w.\-]*(:[^\W\d][\w.\-]*)?")
_ILLEGAL = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NIL = {"xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance", "xsi:nil": "true"}


def write_xml(
    value: Any, schema: Any, definitions: Mapping[str, Any], *, name: str = "root"
) -> str:
    """An XML document whose root is named by the schema, its definition, or `name`."""
    return DECLARATION + "".join(_Writer(XmlSchemas(definitions)).root(value, schema, name))


@dataclass(slots=True)
class _Element:
    """One element while its members are sorted into attributes and content."""

    name: str
    attributes: dict[str, str] = field(default_factory=dict[str, str])
    content: list[str] = field(default_factory=list[str])

    def text(self) -> str:
        head = "".join(f' {name}="{_attribute(text)}"' for name, text in self.attributes.items())
        inner = "".join(self.content)
        return f"<{self.name}{head}>{inner}</{self.name}>" if inner else f"<{self.name}{head}/>"


@dataclass(frozen=True, slots=True)
class _Writer:
    schemas: XmlSchemas

    def root(self, value: Any, schema: Any, name: str) -> Iterator[str]:
        named = schema.get("$ref", "") if is_object(schema) else ""
        name = named.removeprefix(DEFINITIONS) if named else name
        yield from self.elements(name, value, schema, is_root=True)

    def elements(
        self, name: str, value: Any, schema: Any, *, is_root: bool = False
    ) -> Iterator[str]:
        """A value under a name: one element, or an unwrapped array's many (a root is one)."""
        keywords = self.schemas.keywords(schema)
        if not is_array(value):
            yield self.element(keywords.get("name", name), value, schema, keywords).text()
            return
        items = self.schemas.find(schema, "items")
        if is_root or is_wrapped(keywords):
            outer = _element(keywords.get("name", name), keywords)
            for item in value:
                outer.content += self.elements(keywords.get("name", name), item, items)
            yield outer.text()
        else:
            for item in value:
                yield from self.elements(name, item, items)

    def element(self, name: str, value: Any, schema: Any, keywords: Schema) -> _Element:
        element = _element(name, keywords)
        if value is None:
            element.attributes.update(_NIL)
        elif is_object(value):
            for key, member in value.items():
                self.add(element, key, member, self.schemas.property(schema, key))
        else:
            element.content.append(_escape(text_of(value)))
        return element

    def add(self, element: _Element, key: str, value: Any, schema: Any) -> None:
        """Put a member where its keywords say: attribute, text, or an element of its own."""
        keywords = self.schemas.keywords(schema)
        kind = keywords.get("nodeType")
        if is_attribute(keywords):
            if value is not None:
                name, declared = _qualified(keywords.get("name", key), keywords)
                if ":" in name:  # an unprefixed attribute is in no namespace, whatever is declared
                    element.attributes.update(declared)
                element.attributes[name] = text_of(value)
        elif is_text(keywords):
            if value is not None:
                write = _cdata if kind == "cdata" else _escape
                element.content.append(write(text_of(value)))
        elif kind == "none" and is_object(value):
            for inner, member in value.items():
                self.add(element, inner, member, self.schemas.property(schema, inner))
        else:
            element.content += self.elements(key, value, schema)


def _element(name: str, keywords: Schema) -> _Element:
    qualified, declared = _qualified(name, keywords)
    return _Element(qualified, declared)


def _qualified(name: str, keywords: Schema) -> tuple[str, dict[str, str]]:
    """The name with its prefix, and the namespace declaration that comes with it."""
    prefix, namespace = keywords.get("prefix"), keywords.get("namespace")
    qualified = f"{prefix}:{name}" if prefix else name
    if not _NAME.fullmatch(qualified):
        raise Unwritable(f"{qualified!r} is not a name XML can carry")
    if not namespace:
        return qualified, {}
    return qualified, {f"xmlns:{prefix}" if prefix else "xmlns": str(namespace)}


def _escape(text: str) -> str:
    if _ILLEGAL.search(text):
        raise Unwritable("holds a control character, which XML cannot carry")
    for raw, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(raw, entity)
    return text.replace("\r", "&#13;")


def _attribute(text: str) -> str:
    """Escaped, and with the blanks that a parser would level written as references."""
    return _escape(text).replace("\n", "&#10;").replace("\t", "&#9;")


def _cdata(text: str) -> str:
    _escape(text)
    return f"<![CDATA[{text.replace(']]>', ']]]]><![CDATA[>')}]]>"
