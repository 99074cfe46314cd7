"""An Api and a policy make a catalogue."""

from typing import Any

import pytest

from toolmint.generator.errors import InputError
from toolmint.generator.model.api import Definitions
from toolmint.generator.model.catalogue import Effects, Gate, RateLimit, Tool
from toolmint.generator.model.findings import Warning
from toolmint.generator.model.nodes import Location
from toolmint.generator.settings.policy import PackageSettings
from toolmint.generator.settings.table import package_settings
from toolmint.generator.shape import shape

from .samples import api, operation

GET = operation("GET /repos/{id}", "repos/get", summary="Get one.", tags=["repos"])
CREATE = operation("POST /issues", "issues/create", summary="Create.", tags=["issues"])
DELETE = operation("DELETE /issues/{id}", "issues/delete", summary="Delete.", tags=["issues"])
API = api(GET, CREATE, DELETE)
HERE = Location(file="toolmint.toml", pointer="")


def settings(**data: Any) -> PackageSettings:
    return package_settings(data, "toolmint.toml")


def tools(**data: Any) -> dict[str, Tool]:
    return {tool.name: tool for tool in shape(API, settings(**data)).tools}


def test_without_a_policy_every_operation_is_a_tool() -> None:
    catalogue = shape(API, PackageSettings())

    assert catalogue.warnings == ()
    assert catalogue.rate_limit is None
    assert [tool.name for tool in catalogue.tools] == [
        "repos_get",
        "issues_create",
        "issues_delete",
    ]
    assert catalogue.tools[0] == Tool(
        operation=GET,
        name="repos_get",
        description="Get one.",
        effects=Effects(read_only=True, destructive=False, idempotent=True, reason="GET reads"),
        gate=Gate(),
        rate_limit=None,
        trimmed=(),
    )


@pytest.mark.parametrize("key", ["issues/create", "POST /issues", "issues_create"])
def test_a_tool_is_decided_about_by_any_of_its_names(key: str) -> None:
    decided = {
        "name": "open_issue",
        "description": "Opens an issue.",
        "effects": {"idempotent": True},
        "gate": {"approval": "always", "requires": ["repos/get", "GET /repos/{id}"]},
        "rate_limit": {"requests": 2, "per": "1m"},
    }

    assert tools(tools={key: decided})["open_issue"] == Tool(
        operation=CREATE,
        name="open_issue",
        description="Opens an issue.",
        effects=Effects(
            read_only=False,
            destructive=False,
            idempotent=True,
            reason="POST creates; settings",
        ),
        gate=Gate(approval="always", requires=("repos_get",)),
        rate_limit=RateLimit(requests=2, seconds=60, source="settings"),
        trimmed=(),
    )


def test_what_is_included_renames_nothing() -> None:
    twins = api(operation("GET /a", "one"), operation("GET /b", "One"))
    alone = shape(twins, settings(include=["/a"]))

    assert [tool.name for tool in alone.tools] == ["one_f302df"]


def test_a_pattern_that_means_nothing_is_a_warning() -> None:
    found = shape(API, settings(include=["tag:isues", "repos/get"], exclude=["/zzz"]))

    assert [tool.name for tool in found.tools] == ["repos_get"]
    assert found.warnings == (
        Warning(
            location=HERE,
            text="pattern 'tag:isues' matches no operation. Did you mean 'tag:issues'?",
        ),
        Warning(location=HERE, text="pattern '/zzz' matches no operation."),
    )


@pytest.mark.parametrize(
    ("decided", "message"),
    [
        (
            {"isues/create": {"name": "x"}},
            "#/tools/isues~1create: 'isues/create' is no operation; did you mean 'issues/create'?",
        ),
        (
            {"repos/get": {"name": "2fast"}},
            (
                "#/tools/repos~1get: '2fast' cannot name a tool; take up to 64 ASCII letters, "
                "digits and _, no digit first and no Python keyword."
            ),
        ),
        (
            {"repos/get": {"name": "_call"}},
            "#/tools/repos~1get: '_call' would be a private method; drop the _.",
        ),
        (
            {"repos/get": {"name": "describe_type"}},
            "#/tools/repos~1get: 'describe_type' is kept for a helper; choose another name.",
        ),
        (
            {"repos/get": {"name": "x"}, "issues/create": {"name": "x"}},
            "#/tools/issues~1create: 'x' names two tools; give each its own.",
        ),
        (
            {"repos/get": {"name": "x"}, "GET /repos/{id}": {"name": "y"}},
            (
                "#/tools/GET ~1repos~1{id}: GET /repos/{id} has settings already; "
                "put them in one table."
            ),
        ),
        (
            {"repos/get": {"gate": {"requires": ["repo/get"]}}},
            "#/tools/repos~1get: 'repo/get' is no operation; did you mean 'repos/get'?",
        ),
    ],
)
def test_a_decision_that_cannot_stand_is_refused(decided: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as raised:
        tools(tools=decided)

    assert str(raised.value) == f"toolmint.toml {message}"


def test_limits_come_from_the_settings_before_the_description() -> None:
    limited = api(
        operation("GET /a", "a", extensions={"x-rate-limit": "5/s"}),
        extensions={"x-ratelimit": "100/minute"},
    )

    stated = shape(limited, PackageSettings())
    decided = shape(limited, settings(rate_limit={"requests": 1, "per": "1h"}))

    assert stated.rate_limit == RateLimit(requests=100, seconds=60, source="x-ratelimit")
    assert stated.tools[0].rate_limit == RateLimit(requests=5, seconds=1, source="x-rate-limit")
    assert stated.tools[0].description == "GET /a\n\nRate limit: 5 requests per second."
    assert decided.rate_limit == RateLimit(requests=1, seconds=3600, source="settings")


def test_a_tool_is_trimmed_to_its_budget_and_one_that_cannot_be_is_told() -> None:
    deep = {"type": "object", "properties": {f"p{n}": {"type": "string"} for n in range(99)}}
    wide = {"enum": [f"value{n}" for n in range(999)]}
    limited = api(
        operation(
            "POST /a",
            "a",
            input_schema={"type": "object", "properties": {"f": {"$ref": "#/$defs/Deep"}}},
        ),
        operation(
            "POST /b",
            "b",
            input_schema={"type": "object", "properties": {"w": wide}, "required": ["w"]},
        ),
        definitions=Definitions(input={"Deep": deep}, output={}),
    )

    found = shape(limited, settings(schema_tokens=100))

    assert [tool.trimmed for tool in found.tools] == [("/$defs/Deep",), ()]
    assert [warning.text for warning in found.warnings] == [
        (
            "b takes 2749 tokens though all was cut that can be, more than schema_tokens = 100. "
            "Raise that, or exclude the tool."
        )
    ]


def test_an_over_long_name_is_warned_of_only_where_it_is_a_tool() -> None:
    twins = api(operation("GET /a", "one"), operation("GET /b", "One"), GET)

    assert shape(twins, settings(include=["repos/get"])).warnings == ()
    assert len(shape(twins, PackageSettings()).warnings) == 1
