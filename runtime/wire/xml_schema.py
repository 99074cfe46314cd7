"""What a schema says of XML: its `xml` keywords, members and items, through all it is made of."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .values import is_object

DEFINITIONS = "#/$defs/"

Schema = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class XmlSchemas:
    """Reads schemas that refer to these definitions."""

    definitions: Mapping[str, Any]

    def keywords(self, schema: Any) -> Schema:
        """The `xml` keywords, those nearest to the use winning over the definition's."""
        found: dict[str, Any] = {}
        for view in self.views(schema):
            xml = view.get("xml")
            if is_object(xml):
                found = {**xml, **found}
        return found

    def properties(self, schema: Any) -> dict[str, Any]:
        """The declared members and their schemas."""
        found: dict[str, Any] = {}
        for view in self.views(schema):
            properties = view.get("properties")
            if is_object(properties):
                found = {**found, **{key: properties[key] for key in properties.keys() - found}}
        return found

    def property(self, schema: Any, name: str) -> Any:
        """The schema of a member, declared or not."""
        properties = self.properties(schema)
        return properties[name] if name in properties else self.others(schema)

    def others(self, schema: Any) -> Any:
        """The schema of members that are not declared, True where nothing is said."""
        found = self.find(schema, "additionalProperties")
        return self.find(schema, "unevaluatedProperties") if found in (True, False) else found

    def find(self, schema: Any, keyword: str) -> Any:
        """The nearest value of a keyword, True where there is none."""
        return next((view[keyword] for view in self.views(schema) if keyword in view), True)

    def kinds(self, schema: Any) -> set[str]:
        """The types that the schema names, or that its keywords mean."""
        found: set[str] = set()
        for view in self.views(schema):
            kinds = view.get("type", ())
            found.update([kinds] if isinstance(kinds, str) else kinds)
            if "properties" in view:
                found.add("object")
        return found

    def views(self, schema: Any, seen: frozenset[str] = frozenset()) -> Iterator[Schema]:
        """The schema and everything it is put together from, nearest first."""
        if not is_object(schema):
            return
        yield schema
        target = str(schema.get("$ref", ""))
        if target.startswith(DEFINITIONS) and target not in seen:
            name = target.removeprefix(DEFINITIONS)
            yield from self.views(self.definitions.get(name), seen | {target})
        for keyword in ("allOf", "anyOf", "oneOf"):
            for part in schema.get(keyword, ()):
                yield from self.views(part, seen)


def is_attribute(keywords: Schema) -> bool:
    """The member is an attribute of its object's element."""
    return keywords.get("attribute") is True or keywords.get("nodeType") == "attribute"


def is_text(keywords: Schema) -> bool:
    """The member is its object's text: 3.2's `nodeType`, or the extension that came before it."""
    return keywords.get("nodeType") in ("text", "cdata") or keywords.get("x-ms-text") is True


def is_wrapped(keywords: Schema) -> bool:
    """The array has an element of its own around its items."""
    return keywords.get("wrapped") is True or keywords.get("nodeType") == "element"
