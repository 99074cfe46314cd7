"""What toolmint.toml may say, and what is said back when it says something else."""

import json
import tomllib
from importlib.resources import files
from typing import Any

import jsonschema_rs
import pytest

from toolmint.generator.errors import InputError
from toolmint.generator.model.catalogue import RateLimit
from toolmint.generator.model.nodes import Location
from toolmint.generator.settings.policy import (
    EffectSettings,
    GateSettings,
    PackageSettings,
    ToolSettings,
)
from toolmint.generator.settings.table import json_schema, package_settings

EXAMPLE = """
[[package]]
source = "specs/github.json"
upstream = "https://api.example/github.json"
output = "src/acme/github_tools"
include = ["tag:issues", "GET /repos/**", "repos/get"]
schema_tokens = 900

[package.rate_limit]
requests = 5000
per = "1h"

[package.tools."issues/create"]
name = "open_issue"
description = "Opens an issue."
effects = { destructive = false }
gate = { approval = "always", requires = ["repos/get"] }
"""


def parse(**data: Any) -> PackageSettings:
    return package_settings(data, "toolmint.toml")


def test_every_key_of_the_example_is_understood() -> None:
    (table,) = tomllib.loads(EXAMPLE)["package"]

    assert package_settings(table, "toolmint.toml") == PackageSettings(
        source="specs/github.json",
        upstream="https://api.example/github.json",
        output="src/acme/github_tools",
        include=("tag:issues", "GET /repos/**", "repos/get"),
        schema_tokens=900,
        rate_limit=RateLimit(requests=5000, seconds=3600, source="settings"),
        tools={
            "issues/create": ToolSettings(
                name="open_issue",
                description="Opens an issue.",
                effects=EffectSettings(destructive=False),
                gate=GateSettings(approval="always", requires=("repos/get",)),
            )
        },
        location=Location(file="toolmint.toml", pointer=""),
    )


def test_what_the_schema_for_editors_takes_is_what_is_read() -> None:
    schema = json_schema()
    jsonschema_rs.meta.validate(schema)
    editor = jsonschema_rs.validator_for(schema)

    assert editor.is_valid(tomllib.loads(EXAMPLE))
    assert not editor.is_valid({"package": [{"inclde": []}]})
    assert not editor.is_valid({"package": [{"tools": {"a": {"nme": "x"}}}]})


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"inclde": []}, "toolmint.toml: unknown key 'inclde'; did you mean 'include'?"),
        (
            {"tools": {"issues/create": {"nmae": "x"}}},
            "toolmint.toml #/tools/issues~1create: unknown key 'nmae'; did you mean 'name'?",
        ),
        (
            {"tools": {"a": {"gate": {"approval": "alway"}}}},
            (
                "toolmint.toml #/tools/a/gate/approval: expected one of never, consequential, "
                "destructive, always, not 'alway'. Did you mean 'always'?"
            ),
        ),
        (
            {"rate_limit": {"limits": 5}},
            "toolmint.toml #/rate_limit: unknown key 'limits'; there are requests, per.",
        ),
        (
            {"tools": {"a": {"gate": {"reads": ["untrustd"]}}}},
            (
                "toolmint.toml #/tools/a/gate/reads/0: expected one of untrusted, sensitive, "
                "not 'untrustd'. Did you mean 'untrusted'?"
            ),
        ),
        (
            {"enforce_order": "yes"},
            "toolmint.toml #/enforce_order: expected true or false, not 'yes'.",
        ),
        (
            {"rate_limit": {"requests": 5}},
            "toolmint.toml #/rate_limit: a rate limit needs per.",
        ),
        (
            {"rate_limit": {"requests": 5, "per": "fortnight"}},
            (
                'toolmint.toml #/rate_limit/per: expected a duration such as "30s" or "1h", '
                "not 'fortnight'."
            ),
        ),
        (
            {"rate_limit": {"requests": True, "per": "1h"}},
            "toolmint.toml #/rate_limit/requests: expected a number above 0, not True.",
        ),
        (
            {"rate_limit": {"requests": float("inf"), "per": "1h"}},
            "toolmint.toml #/rate_limit/requests: expected a number above 0, not inf.",
        ),
        (
            {"include": "tag:a"},
            "toolmint.toml #/include: expected a list of texts, not 'tag:a'.",
        ),
        ({"include": [1]}, "toolmint.toml #/include/0: expected a text, not 1."),
        (
            {"schema_tokens": 0},
            "toolmint.toml #/schema_tokens: expected a whole number above 0, not 0.",
        ),
        (
            {"tools": {"a": {"effects": {"read_only": "yes"}}}},
            "toolmint.toml #/tools/a/effects/read_only: expected true or false, not 'yes'.",
        ),
        ({"tools": []}, "toolmint.toml #/tools: expected a table, not []."),
        ({"tools": {"a": 1}}, "toolmint.toml #/tools/a: expected a table, not 1."),
        ({"source": " "}, "toolmint.toml #/source: expected a text, not ' '."),
        (
            {"naming": "verbs"},
            "toolmint.toml #/naming: expected one of operation_id, verb_noun, not 'verbs'.",
        ),
    ],
)
def test_a_wrong_setting_names_its_place_and_the_way_out(
    data: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError) as raised:
        parse(**data)

    assert str(raised.value) == message


def test_the_lock_is_told_what_was_decided_and_no_place() -> None:
    settings = parse(
        source="/home/somebody/api.json",
        output="out",
        exclude=["tag:b"],
        schema_tokens=1500,
        rate_limit={"requests": 10, "per": "1m"},
        tools={"b": {"effects": {"read_only": True}}, "a": {"name": "x"}},
    )

    assert settings.as_data() == {
        "exclude": ["tag:b"],
        "rate_limit": {"requests": 10, "seconds": 60, "source": "settings"},
        "tools": {"a": {"name": "x"}, "b": {"effects": {"read_only": True}}},
    }
    assert PackageSettings().as_data() == {}


def test_the_shipped_schema_for_editors_is_the_one_of_the_keys() -> None:
    """After a change of keys: write `json_schema()` to the file anew."""
    shipped = files("toolmint.generator").joinpath("toolmint.schema.json").read_text("utf-8")
    assert json.loads(shipped) == json_schema()
