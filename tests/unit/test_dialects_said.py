"""An export says what it changed: each keyword that is gone or new stands under a change."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from tests.behaviour.packages.petstore_tools import Petstore
from tests.unit.offered import ODD, TEXT, spec, takes
from toolmint.runtime.dialects import Provider, export
from toolmint.runtime.dialects.export import Described
from toolmint.runtime.shown.closure import children
from toolmint.runtime.shown.ours import OURS

MORE = {
    "remarks": takes(("a",), a={**TEXT, "examples": ["x"], "deprecated": True, "x-order": 1}),
    "one_value": takes(("a",), a={"const": "x"}),
    "typed": takes(("a",), a={"type": "object", "anyOf": [takes(b=TEXT), takes(c=TEXT)]}),
    "no_items": takes(("a",), a={"type": "array"}),
}
TOOLS: list[Described] = [
    *(spec(schema, name) for name, schema in {**ODD, **MORE}.items()),
    *Petstore(credentials={}),
]
FREE = {
    *("title", "description"),
    "type",  # is added where the values have one
    "required",  # each member that is asked for now is named itself
    "$defs",  # those that nothing refers to any more are gone
}


def places(node: Mapping[str, Any], at: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every schema, with its pointer."""
    yield at, node
    for path, child in children(node):
        steps = [step.replace("~", "~0").replace("/", "~1") for step in path]
        yield from places(child, "/".join([at, *steps]))


def unsaid(before: Any, after: Any, noted: set[str]) -> list[str]:
    """Pointers and keywords that changed, of places that are still there and not noted."""
    there = dict(places(after))
    return [
        f"{at}: {keyword}"
        for at, node in places(before)
        if at in there and at not in noted
        for keyword in {*node, *there[at]} - FREE
        if _value(node, keyword) != _value(there[at], keyword)
    ]


def _value(node: Mapping[str, Any], keyword: str) -> Any:
    """What a keyword says at this place alone; what is below is looked at by itself."""
    value = node.get(keyword)
    if keyword == "properties":
        return sorted(set(value or ()) - set(OURS))  # which a strict write leaves out, and says so
    if keyword in ("items", "anyOf"):
        return keyword in node
    if keyword == "additionalProperties" and isinstance(value, Mapping):
        return True
    return value


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("provider", ["openai", "anthropic", "gemini"])
@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_nothing_is_changed_unsaid(tool: Described, provider: Provider, strict: bool) -> None:
    exported = export([tool], provider, strict=strict)
    told = exported.payload[0]
    told = told.get("functionDeclarations", [told])[0]
    told = told.get("function", told)
    sent = next(told[key] for key in _SCHEMAS if key in told)
    noted = {pointer for change in exported.changes for pointer in change.pointers}
    before: dict[str, Any] = {"type": "object", "properties": {}, **tool.advertised_schema}
    whole = any(
        "the whole input" in one.text or "is called" in one.text for one in exported.changes
    )
    assert unsaid(before, sent, noted) == [] or whole


_SCHEMAS = ("parameters", "input_schema", "parametersJsonSchema")
