"""Arguments drawn from a JSON Schema: always valid, small, and the same for the same seed."""

import random
from collections.abc import Mapping
from typing import Any

_TEXTS = {
    "date-time": "2026-01-02T03:04:05Z",
    "date": "2026-01-02",
    "uri": "https://example.org/x",
    "uuid": "7d444840-9dc0-11d1-b245-5ffdce74fad2",
    "email": "ann@example.org",
    "ipv4": "127.0.0.1",
    "ipv6": "::1",
}


def drawn(schema: Mapping[str, Any], chance: random.Random, *, full: bool) -> Any:
    """A value that the closed schema takes; `full` gives some optional members too."""
    return _Drawer(schema.get("$defs", {}), chance, full).value(schema, 0)


class _Drawer:
    def __init__(self, definitions: Mapping[str, Any], chance: random.Random, full: bool) -> None:
        self._definitions = definitions
        self._chance = chance
        self._full = full

    def value(self, schema: Mapping[str, Any], depth: int) -> Any:
        """One value; deep down only what must be there."""
        if "$ref" in schema:
            return self.value(self._definitions[schema["$ref"].rpartition("/")[2]], depth)
        if "enum" in schema:
            return self._chance.choice(schema["enum"])
        if "anyOf" in schema:
            return self.value(schema["anyOf"][0], depth)
        kinds = schema.get("type", "string")
        kind = kinds if isinstance(kinds, str) else kinds[0]
        match kind:
            case "object":
                return self._object(schema, depth)
            case "array":
                return [self.value(schema["items"], depth + 1)]
            case "integer":
                return self._chance.randint(1, 9)
            case "number":
                return 1.5
            case "boolean":
                return self._chance.random() < 0.5
            case _:
                return self._text(schema)

    def _object(self, schema: Mapping[str, Any], depth: int) -> dict[str, Any]:
        properties: Mapping[str, Any] = schema.get("properties", {})
        wanted = set(schema.get("required", ()))
        if self._full and depth < 3:
            wanted |= {name for name in properties if self._chance.random() < 0.4}
        if schema.get("maxProperties") == 1:
            wanted = {self._chance.choice(sorted(properties))}
        if "first" in wanted:
            wanted.discard("last")
        return {
            name: self.value(one, depth + 1) for name, one in properties.items() if name in wanted
        }

    def _text(self, schema: Mapping[str, Any]) -> str:
        if "contentEncoding" in schema:
            return "aGk="
        pattern = schema.get("pattern")
        if pattern is not None:
            return "12345678" if "fA-F" in pattern else "1"
        return _TEXTS.get(schema.get("format", ""), f"text {self._chance.randint(1, 99)}")
