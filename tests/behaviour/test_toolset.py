"""A toolset is a collection of tools, cheap to make, with views and descriptions."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.behaviour.packages import petstore_tools
from tests.behaviour.packages.petstore_tools import Petstore
from toolmint.auth import CredentialError
from toolmint.runtime import Package, RateLimit, Recovery, Tool, ToolError, Toolset

ROOT = Path(__file__).parents[2]
NAMES = ["create_pet", "delete_pet", "get_pet", "list_pets", "get_photo", "health", "place_order"]


@pytest.fixture
def petstore() -> Petstore:
    return Petstore(credentials={"bearerAuth": "tok-123456"})


def test_it_holds_exactly_the_operations_tools(petstore: Petstore) -> None:
    assert petstore_tools.TOOLSET is Petstore
    assert petstore.names() == NAMES
    assert len(petstore) == 7
    assert [tool.name for tool in petstore] == NAMES
    assert "get_pet" in petstore
    assert "describe_type" not in petstore
    assert 7 not in petstore
    assert petstore["get_pet"] is petstore["get_pet"]
    assert repr(petstore) == "Petstore(7 tools)"


def test_an_unknown_name_is_a_key_error_with_near_names(petstore: Petstore) -> None:
    with pytest.raises(KeyError, match="did you mean get_pet"):
        petstore["get_pets"]


def test_a_tool_says_what_it_is(petstore: Petstore) -> None:
    tool = petstore["delete_pet"]
    assert (tool.name, tool.group, tool.method, tool.path) == (
        "delete_pet",
        "pets",
        "DELETE",
        "/pets/{id}",
    )
    assert (tool.operation_id, tool.tags, tool.deprecated) == ("deletePet", ("pets",), True)
    assert tool.description == "[deprecated] Delete a pet."
    assert (tool.effects.destructive, tool.effects.consequential) == (True, True)
    assert tool.gate.approval == "consequential"
    assert tool.rate_limit is None
    assert list(tool.security) == [{"bearerAuth": []}, {"apiKey": [], "basicAuth": []}]
    assert petstore["health"].security == []
    assert tool.output_schema is None
    assert petstore["health"].output_schema == {}
    assert repr(tool) == "Tool('delete_pet')"


def test_schemas_are_closed_and_the_advertised_one_is_cut(petstore: Petstore) -> None:
    tool = petstore["list_pets"]
    full, advertised = tool.input_schema, tool.advertised_schema
    node = full["$defs"]["Node"]
    assert node["properties"]["children"]["items"] == {"$ref": "#/$defs/Node"}
    assert full["additionalProperties"] is False
    assert full["properties"]["filter"]["properties"]["deep"] == {"$ref": "#/$defs/Node"}
    assert "$defs" not in advertised
    deep = advertised["properties"]["filter"]["properties"]["deep"]
    assert deep["type"] == "object"
    assert "describe_type" in deep["description"]
    assert petstore["get_pet"].output_schema == {
        "$ref": "#/$defs/Pet",
        "$defs": {
            "Pet": {
                "type": "object",
                "properties": {
                    "id": {"type": "integer"},
                    "name": {"type": "string"},
                    "tag": {"type": ["string", "null"]},
                },
                "required": ["id", "name"],
            }
        },
    }
    told = {"name": tool.name, "description": tool.description, "input_schema": advertised}
    size = len(json.dumps(told, separators=(",", ":"), ensure_ascii=False).encode())
    assert tool.tokens == -(-size // 4)


def test_a_schema_handed_out_is_the_callers_own(petstore: Petstore) -> None:
    petstore["list_pets"].input_schema["$defs"]["Node"].clear()
    petstore["list_pets"].advertised_schema["properties"].clear()
    petstore.describe("json-schema")[3]["input_schema"]["properties"].clear()
    assert petstore["list_pets"].input_schema["$defs"]["Node"] != {}
    assert petstore["list_pets"].advertised_schema["properties"] != {}


def test_find_by_operation(petstore: Petstore) -> None:
    assert petstore.find("GET /pets/{id}").name == "get_pet"
    assert petstore.find(operation="getPet").name == "get_pet"
    with pytest.raises(KeyError, match="did you mean getPet"):
        petstore.find("getPets")


def names(toolset: Toolset) -> list[str]:
    return toolset.names()


def test_select_makes_a_view(petstore: Petstore) -> None:
    assert names(petstore.select(tags="store")) == ["get_photo", "health", "place_order"]
    assert names(petstore.select(tags=["store"], names=["health", "get_pet"])) == ["health"]
    assert names(petstore.select(effects="pure")) == ["get_pet", "list_pets", "get_photo", "health"]
    assert names(petstore.select(effects=["consequential", "idempotent"])) == ["delete_pet"]
    assert names(petstore.select(predicate=lambda tool: tool.deprecated)) == ["delete_pet"]
    assert names(petstore.select(tags="pets").select(effects="pure")) == ["get_pet", "list_pets"]
    assert len(petstore) == 7


def test_a_misspelt_selection_is_an_error_not_an_empty_view(petstore: Petstore) -> None:
    with pytest.raises(KeyError, match="did you mean store"):
        petstore.select(tags="stores")
    with pytest.raises(KeyError, match="did you mean get_pet"):
        petstore.select(names="get_pets")
    with pytest.raises(ValueError, match="there is no effect 'readonly'"):
        petstore.select(effects="readonly")  # type: ignore[arg-type]


def test_a_view_runs_no_other_tool_whatever_the_entry(petstore: Petstore) -> None:
    view = petstore.select(effects="pure")
    assert asyncio.run(view.call("create_pet", {"name": "x"})).outcome == "unknown_tool"
    assert view.pets.create_pet(name="x").result().run().outcome == "unknown_tool"
    with pytest.raises(ToolError, match="there is no tool 'create_pet'"):
        view.prepare("create_pet", {"name": "x"})
    assert view.prepare("get_pet", {"id": 1}).method == "GET"


def test_a_prefix_goes_before_every_name() -> None:
    petstore = Petstore(credentials={"bearerAuth": "tok-123456"}, prefix="shop_")
    assert petstore.names()[:2] == ["shop_create_pet", "shop_delete_pet"]
    assert "create_pet" not in petstore
    assert petstore["shop_get_pet"].name == "shop_get_pet"
    assert petstore.prepare("shop_get_pet", {"id": 1}).url.endswith("/pets/1")
    assert petstore.pets.get_pet(id=1).prepare().url.endswith("/pets/1")
    assert petstore.describe("json-schema")[-1]["name"] == "shop_describe_type"
    answer = asyncio.run(
        petstore.call("shop_describe_type", {"tool": "shop_list_pets", "argument": "limit"})
    )
    assert answer.outcome == "ok"
    for wrong in ("", "shop", "shop_shop_", "a" * 60):
        assert asyncio.run(petstore.call(f"{wrong}create_pet", {})).outcome == "unknown_tool"
    for bad in ("sh-op_", "7", "a" * 60):
        with pytest.raises(ValueError, match="no tool name"):
            Petstore(credentials={}, prefix=bad)


def test_a_setting_that_nothing_would_obey_is_refused() -> None:
    wrong: list[tuple[type[Exception], str, dict[str, Any]]] = [
        (KeyError, "did you mean get_pet", {"limits": {"get_pets": RateLimit(1, 1)}}),
        (TypeError, "limits= takes", {"limits": 5}),
        (TypeError, "policy= takes", {"policy": bool}),
        (KeyError, "did you mean get_pet", {"recovery": {"get_pets": Recovery()}}),
        (ValueError, "known are fail, repair, retry", {"validation": "strict"}),
        (TypeError, "audit= takes", {"audit": 5}),
    ]
    for error, words, given in wrong:
        with pytest.raises(error, match=words):
            Petstore(credentials={}, **given)


def test_credentials_for_an_undeclared_scheme_are_refused() -> None:
    with pytest.raises(CredentialError, match="bearerAuth"):
        Petstore(credentials={"bearer": "x"})


def test_describe_gives_each_provider_its_shape(petstore: Petstore) -> None:
    schema = petstore["get_pet"].advertised_schema
    plain = {"name": "get_pet", "description": "Get a pet.", "input_schema": schema}
    assert petstore.describe()[2] == plain
    assert petstore.describe("anthropic")[2] == plain
    assert petstore.describe("openai")[2] == {
        "type": "function",
        "function": {
            "name": "get_pet",
            "description": "Get a pet.",
            "parameters": schema,
            "strict": False,
        },
    }
    assert petstore.describe("mcp")[2] == {
        "name": "get_pet",
        "description": "Get a pet.",
        "inputSchema": schema,
        "annotations": {
            "readOnlyHint": True,
            "destructiveHint": False,
            "idempotentHint": True,
            "openWorldHint": True,
        },
    }
    declared = {"name": "get_pet", "description": "Get a pet.", "parametersJsonSchema": schema}
    assert petstore.describe("gemini")[0]["functionDeclarations"][2] == declared
    with pytest.raises(ValueError, match="'cohere'; known are json-schema, openai, anthropic"):
        petstore.describe("cohere")  # type: ignore[arg-type]


def test_describe_type_is_added_only_where_something_was_cut(petstore: Petstore) -> None:
    assert petstore.describe("json-schema")[-1]["name"] == "describe_type"
    assert [tool["name"] for tool in petstore.select(tags="store").describe("json-schema")] == [
        "get_photo",
        "health",
        "place_order",
    ]


@pytest.mark.parametrize(
    "place", ["filter.deep", "/filter/deep", "#/filter/deep", "filter.deep.children"]
)
def test_describe_type_shows_what_was_cut(petstore: Petstore, place: str) -> None:
    arguments = json.dumps({"tool": "list_pets", "argument": place})
    result = asyncio.run(petstore.call("describe_type", arguments))
    assert result.outcome == "ok"
    assert result.data["$defs"]["Node"]["properties"]["name"]["type"] == "string"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"tool": "list_pets", "argument": "filter.deeq"}, "there are deep, kind"),
        ({"tool": "list_pet", "argument": "filter"}, "did you mean list_pets"),
        ({"tool": "list_pets"}, "/argument: is required"),
        ("{", "not JSON"),
    ],
)
def test_describe_type_says_what_is_wrong(
    petstore: Petstore, arguments: dict[str, object] | str, said: str
) -> None:
    result = asyncio.run(petstore.call("describe_type", arguments))
    assert result.outcome == "invalid_arguments"
    assert said in result.to_message()


@pytest.mark.parametrize(
    ("compatibility", "way_out"),
    [(99, r"pip install -U toolmint"), (0, r"run `toolmint generate` again")],
)
def test_a_package_of_another_age_says_so_at_import(compatibility: int, way_out: str) -> None:
    package = Package(module="stale_tools", compatibility=compatibility, groups={})
    with pytest.raises(ImportError, match=way_out) as caught:
        type("Stale", (Toolset,), {"package": package})
    assert "\n" not in str(caught.value)


def test_a_subclass_of_a_generated_toolset_is_one_too() -> None:
    class Mine(Petstore):
        pass

    mine = Mine(credentials={"bearerAuth": "tok-123456"})
    assert mine.names() == NAMES
    assert isinstance(mine["get_pet"], Tool)


def test_listing_and_describing_load_nothing_heavy() -> None:
    script = """
import sys
import toolmint.runtime
from tests.behaviour.packages.petstore_tools import Petstore
petstore = Petstore()
petstore.names(), petstore.describe("json-schema"), len(petstore)
heavy = ("httpx", "httpx2", "asyncio", "jsonschema_rs", "ssl", "email", "socket", "inspect_")
heavy += ("jinja2", "click", "yaml", "openapi_pydantic", "graphql", "toolmint.generator")
heavy += ("tests.behaviour.packages.petstore_tools.pets", "concurrent", "logging", "difflib")
print([name for name in heavy if name in sys.modules])
petstore.prepare("health")
print([name for name in ("httpx", "asyncio", "ssl") if name in sys.modules])
"""
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n[]\n"
