"""Every tool that is exported keeps its provider's documented rules."""

from collections.abc import Callable
from typing import Any, TypeAlias

import pytest

from tests.provider_rules import anthropic, gemini, mcp, openai
from tests.unit.offered import ODD, TEXT, spec, takes
from toolmint.runtime.dialects import export
from toolmint.runtime.shown.ours import OURS, offering

Check: TypeAlias = Callable[..., list[str]]
CHECKS: dict[str, Check] = {
    "openai": openai.violations,
    "anthropic": anthropic.violations,
    "gemini": gemini.violations,
    "mcp": mcp.violations,
}
TOOLS = [spec(schema, name) for name, schema in ODD.items()]
OFFERING = [spec(offering(schema, OURS), name, reads=True) for name, schema in ODD.items()]


@pytest.mark.parametrize("provider", CHECKS)
@pytest.mark.parametrize("strict", [True, False])
def test_odd_tools_keep_the_rules(provider: str, strict: bool) -> None:
    for tools in (TOOLS, OFFERING):
        exported = export(tools, provider, strict=strict)
        assert CHECKS[provider](exported.payload, whole_request=True) == []


@pytest.mark.parametrize("provider", CHECKS)
@pytest.mark.parametrize("name", ODD)
def test_each_alone_keeps_the_rules(provider: str, name: str) -> None:
    exported = export([spec(ODD[name], name)], provider, strict=True)
    assert CHECKS[provider](exported.payload, whole_request=True) == []


def test_names_whose_hashes_begin_alike_are_told_apart_in_any_order() -> None:
    """Whoever writes a description can look for two such names: these begin with e10a9d both."""
    names = [f"{'a' * 60}[4742]", f"{'a' * 60}[6599]"]
    for every in (names, names[::-1]):
        schema = takes(**{name: {"type": "string"} for name in every})
        exported = export([spec(schema)], "anthropic", strict=False)
        sent = [f"{'a' * 57}_e10a9d", f"{'a' * 56}_e10a9d5"]
        assert sorted(exported.payload[0]["input_schema"]["properties"]) == sorted(sent)
        answer = dict(zip(sent, "xy", strict=True))
        assert exported.restore("t", answer) == ("t", dict(zip(names, "xy", strict=True)))


def test_names_that_no_provider_takes_are_made_fit_and_come_back() -> None:
    names = ["größe holen", "a.b", "a-b", "a_b", "x" * 100, "7up", "😀", "☃"]
    tools = [spec({"type": "object"}, name) for name in names]
    for provider, check in CHECKS.items():
        exported = export(tools, provider, strict=True)
        assert check(exported.payload, whole_request=True) == []
        assert [exported.restore(exported.sent_name(name), {})[0] for name in names] == names


# The checkers themselves: each rule bites.


def function(**parameters: Any) -> dict[str, Any]:
    told = {"name": "t", "description": "", "parameters": parameters, "strict": True}
    return {"type": "function", "function": told}


@pytest.mark.parametrize(
    ("schema", "line"),
    [
        ({"type": "object", "anyOf": []}, "t: the top has ['anyOf']"),
        ({"type": "string"}, "t: the top is no object"),
        (
            {"type": "object", "properties": {"a": TEXT}, "additionalProperties": False},
            "t: : does not require all its properties",
        ),
        (takes(("a",), a={"type": "object"}), "t: /properties/a: is not closed"),
        (takes(("a",), a={"type": "array"}), "t: /properties/a: an array without items"),
        (takes(("a",), a={"type": "string", "minLength": 1}), "t: /properties/a: says minLength"),
        (
            takes(("a",), a={"type": "string", "format": "uri"}),
            "t: /properties/a: has the format uri",
        ),
        (takes(("a",), a={}), "t: /properties/a: has neither type nor anyOf"),
        (ODD["deep"], "t: 12 levels, more than 10"),
        (ODD["long_enum"], "t: 1100 enum values, more than 1000"),
    ],
)
def test_the_openai_checker_bites(schema: dict[str, Any], line: str) -> None:
    assert line in openai.violations([function(**schema)], whole_request=True)


@pytest.mark.parametrize(
    ("tools", "line"),
    [
        ([takes(**{"$top": TEXT})], "t0: the argument '$top' is refused"),
        ([takes(a={"type": "integer", "minimum": 1})], "t0: /properties/a: says minimum"),
        ([ODD["recursive"]], "t0: Tree is recursive"),
        ([takes()] * 21, "21 strict tools, more than 20"),
        ([ODD["many"]], "30 optional parameters of strict tools, more than 24"),
        (
            [takes(**{f"a{n}": {"type": ["string", "null"]} for n in range(17)})],
            "17 unions in strict tools, more than 16",
        ),
    ],
)
def test_the_anthropic_checker_bites(tools: list[dict[str, Any]], line: str) -> None:
    payload = [
        {"name": f"t{index}", "description": "", "input_schema": schema, "strict": True}
        for index, schema in enumerate(tools)
    ]
    assert line in anthropic.violations(payload, whole_request=True)


@pytest.mark.parametrize(
    ("schema", "line"),
    [
        (takes(a={"const": 1}), "t: /properties/a: says const"),
        (takes(**{"per-page": TEXT}), "t: the parameter 'per-page' is refused"),
        (ODD["ring"], "t: Ring is recursive by what is required"),
        (
            takes(a={"enum": [True]}),
            "t: /properties/a: has an enum of other than strings and numbers",
        ),
        (
            ODD["described_reference"],
            "t: /properties/tree: has more beside a $ref",
        ),
    ],
)
def test_the_gemini_checker_bites(schema: dict[str, Any], line: str) -> None:
    declared = {"name": "t", "description": "", "parametersJsonSchema": schema}
    payload = [{"functionDeclarations": [declared]}]
    assert line in gemini.violations(payload, whole_request=True)
