"""Arguments drawn from a tool's input schema: any that fit it, the same for the same seed."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, cast

from tests.patterns import LETTERS, Undrawable, matching
from toolmint.runtime.wire.values import is_array, is_object

_PREFIX = "#/$defs/"
_DEEPEST = 4  # below it only what is required
_SPECIAL = " -_~éß/?#&+%:@!$'()*"
"""Characters that have to be encoded somewhere; no delimiter of a style, which lose their place."""

_FORMATS = {
    "date": "2024-02-29",
    "date-time": "2024-02-29T12:30:00Z",
    "time": "12:30:00Z",
    "duration": "P1DT2H",
    "email": "a.b@example.org",
    "idn-email": "a.b@example.org",
    "hostname": "example.org",
    "idn-hostname": "example.org",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uri": "https://example.org/a?b=c&d",
    "uri-reference": "/a/b",
    "iri": "https://example.org/a",
    "iri-reference": "/a/b",
    "uri-template": "/a/{b}",
    "uuid": "2378d9bc-1726-41ee-be56-0242ac120002",
    "json-pointer": "/a/b",
    "relative-json-pointer": "0/a",
    "regex": "a+",
    "byte": "AAEC/w==",
}


def draw(schema: Mapping[str, Any], chance: Random) -> dict[str, Any]:
    """Arguments for a closed input schema. Raises Undrawable."""
    drawn = _Drawing(schema.get("$defs", {}), chance).value(schema, 0)
    if not isinstance(drawn, dict):
        raise Undrawable("arguments are an object")
    return cast("dict[str, Any]", drawn)


@dataclass(frozen=True, slots=True)
class _Drawing:
    definitions: Mapping[str, Any]
    chance: Random

    def value(self, schema: Any, depth: int) -> Any:
        """Any value of a schema."""
        if schema is False or depth > 40:
            raise Undrawable("nothing fits")
        merged = self.merged(schema, depth)
        if "const" in merged:
            return merged["const"]
        if merged.get("enum"):
            return self.chance.choice(merged["enum"])
        kind = self.kind(merged, depth)
        if kind == "object":
            return self.object(merged, depth)
        if kind == "array":
            return self.array(merged, depth)
        if kind == "string":
            return self.string(merged)
        if kind in ("integer", "number"):
            return self.number(merged, kind)
        return self.chance.random() < 0.5 if kind == "boolean" else None

    def merged(self, schema: Any, depth: int) -> dict[str, Any]:
        """One schema without references and choices: a branch of each `anyOf` and `oneOf`."""
        if not is_object(schema):
            return {}
        whole = dict(schema)
        parts: list[Any] = []
        if "$ref" in whole:
            parts.append(self.definitions[str(whole.pop("$ref")).removeprefix(_PREFIX)])
        parts += whole.pop("allOf", [])
        for choice in ("anyOf", "oneOf"):
            branches = whole.pop(choice, [])
            if branches:
                parts.append(self.branch(branches, depth))
        for part in parts:
            whole = _both(whole, self.merged(part, depth + 1))
        return whole

    def branch(self, branches: Sequence[Any], depth: int) -> Any:
        """Any branch, but rather a plain value than one more level where it is deep already."""
        plain = [one for one in branches if is_object(one) and "$ref" not in one]
        return self.chance.choice(plain if depth > _DEEPEST and plain else branches)

    def kind(self, schema: Mapping[str, Any], depth: int) -> str:
        kinds = schema.get("type")
        if isinstance(kinds, str):
            return kinds
        if kinds:
            return str(self.chance.choice([one for one in kinds if one != "null"] or kinds))
        if schema.keys() & {"properties", "additionalProperties", "required"}:
            return "object"
        if schema.keys() & {"items", "minItems"}:
            return "array"
        return "number" if schema.keys() & {"minimum", "maximum"} else "string"

    def object(self, schema: Mapping[str, Any], depth: int) -> dict[str, Any]:
        properties: Mapping[str, Any] = schema.get("properties", {})
        required = set(cast("list[str]", schema.get("required", [])))
        wanted = [
            name
            for name in properties
            if name in required or (depth < _DEEPEST and self.chance.random() < 0.5)
        ]
        members: dict[str, Any] = {}
        for name in wanted:
            try:
                members[name] = self.value(properties[name], depth + 1)
            except Undrawable:
                if name in required:
                    raise
        for name in sorted(required - properties.keys()):
            members[name] = self.value(self.others(schema), depth + 1)
        self.depend(schema, properties, members, depth)
        for number in range(schema.get("minProperties", 0) - len(members)):
            members[f"more{number}"] = self.value(self.others(schema), depth + 1)
        if not members and not properties and is_object(self.others(schema)) and depth < _DEEPEST:
            members["key"] = self.value(self.others(schema), depth + 1)
        return members

    def depend(
        self, schema: Mapping[str, Any], properties: Any, members: dict[str, Any], depth: int
    ) -> None:
        needs: Mapping[str, Sequence[str]] = schema.get("dependentRequired", {})
        for name in list(members):
            for other in needs.get(name, ()):
                if other not in members:
                    members[other] = self.value(properties[other], depth + 1)

    def others(self, schema: Mapping[str, Any]) -> Any:
        return schema.get("additionalProperties", schema.get("unevaluatedProperties", True))

    def array(self, schema: Mapping[str, Any], depth: int) -> list[Any]:
        least = max(schema.get("minItems", 1), min(1, schema.get("maxItems", 1)))
        most = min(schema.get("maxItems", least + 2), least + 2)
        length = self.chance.randint(least, max(least, most)) if depth <= _DEEPEST else least
        first = cast("list[Any]", schema.get("prefixItems", []))
        items: list[Any] = []
        for index in range(100):
            if len(items) >= length:
                break
            one = first[index] if index < len(first) else schema.get("items", True)
            item = self.value(one, depth + 1)
            if not schema.get("uniqueItems") or item not in items:
                items.append(item)
        return items

    def string(self, schema: Mapping[str, Any]) -> str:
        least = schema.get("minLength", 1)
        most = min(schema.get("maxLength", least + 12), least + 12)
        sample = _FORMATS.get(schema.get("format", ""))
        if "pattern" in schema and not (sample and _fits(sample, str(schema["pattern"]))):
            return self.matching(str(schema["pattern"]), least, schema.get("maxLength", 10_000))
        if schema.get("contentEncoding") == "base64":
            return "AAEC/w=="
        if sample is not None:
            return sample
        length = self.chance.randint(least, max(least, most))
        letters = [self.chance.choice(LETTERS + _SPECIAL) for _ in range(length)]
        for end in (0, -1):
            if letters and letters[end] == " ":  # would not survive at the end of a header
                letters[end] = "x"
        return "".join(letters)

    def matching(self, pattern: str, least: int, most: int) -> str:
        for more in range(30):  # longer and longer ones
            text = matching(pattern, self.chance, 3 + more)
            if least <= len(text) <= most and text not in (".", ".."):  # no path takes those
                return text
        raise Undrawable(f"no text was found for {pattern!r}")

    def number(self, schema: Mapping[str, Any], kind: str) -> int | float:
        step = schema.get("multipleOf", 1 if kind == "integer" else 0.25)
        low = max(schema.get("minimum", -1000), schema.get("exclusiveMinimum", -1000 - step) + step)
        high = min(schema.get("maximum", low + 2000), schema.get("exclusiveMaximum", 1e300) - step)
        first, last = -(-low // step), high // step
        if first > last:
            raise Undrawable("no number fits")
        value = self.chance.randint(int(first), int(max(first, min(last, first + 2000)))) * step
        return int(value) if value == int(value) else value


def _fits(text: str, pattern: str) -> bool:
    try:
        return re.search(pattern, text) is not None
    except re.error:
        return False


_SMALLEST = frozenset(("maximum", "maxLength", "maxItems", "exclusiveMaximum"))
_LARGEST = frozenset(("minimum", "minLength", "minItems", "exclusiveMinimum", "minProperties"))


def _both(one: dict[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """What fits two schemas, for the keywords that are drawn by."""
    whole = dict(one)
    for key, value in other.items():
        if key not in whole:
            whole[key] = value
        elif key == "properties":
            shared = whole[key].keys() & value.keys()
            both = {name: {"allOf": [whole[key][name], value[name]]} for name in shared}
            whole[key] = {**whole[key], **value, **both}
        elif key == "required":
            whole[key] = list(dict.fromkeys([*whole[key], *value]))
        elif key == "enum":
            whole[key] = [one for one in whole[key] if one in value]
        elif key in _SMALLEST:
            whole[key] = min(whole[key], value)
        elif key in _LARGEST:
            whole[key] = max(whole[key], value)
        elif key == "type":
            whole[key] = _shared(whole[key], value)
        elif key == "additionalProperties" and value is False:
            whole[key] = False
    return whole


def _shared(one: Any, other: Any) -> Any:
    first = one if is_array(one) else [one]
    second = other if is_array(other) else [other]
    shared = [kind for kind in first if kind in second]
    if "integer" in (*first, *second) and "number" in (*first, *second):
        shared.append("integer")
    if not shared:
        raise Undrawable("no type fits")
    return shared
