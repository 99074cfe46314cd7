"""Every generated document runs on a real server that knows nothing but the schema.

graphql-yoga mocks six published schemas; each tool is called with arguments drawn from its
own input schema. What a mock makes of them is its business, but no server may find fault
with a document or a variable.
"""

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.behaviour.generated import imported
from tests.drawn import drawn
from tests.needs import graphql_schema
from tests.services.graphql import yoga
from toolmint.generator import Config
from toolmint.runtime import Bounds, Tool, ToolResult, Toolset

SCHEMAS = (
    "cardano-hasura.graphql",
    "dialogporten.graphql",
    "github.graphql",
    "relay-test.graphql",
    "shopify-customer.json",
    "shopify-storefront.json",
)
FAULTS = ("GRAPHQL_VALIDATION_FAILED", "BAD_USER_INPUT", "GRAPHQL_PARSE_FAILED")
PROSE = ("Cannot query field", "Unknown argument", 'Variable "', "must not be null", "Syntax Error")


def package_of(schema: Path, folder: Path) -> type[Toolset]:
    name = f"{schema.name.split('.')[0].replace('-', '_')}_mocked_tools"
    return imported(Config(source=str(schema), output=str(folder / name)))


def arguments(tool: Tool) -> Iterator[dict[str, Any]]:
    """What it must be given, and that with some of what it may."""
    for full in (False, True):
        given: dict[str, Any] = drawn(tool.input_schema, random.Random(tool.name), full=full)
        assert tool.problems(given) == []
        yield given


def fault(result: ToolResult) -> str | None:
    """What the server had against the document or its variables."""
    errors: Any = result.metadata.get("errors", ())
    for error in errors:
        said = str(error["message"])
        if error.get("code") in FAULTS or any(word in said for word in PROSE):
            return said
    if result.error is not None and result.metadata.get("status", 0) != 200:
        return str(result.error)
    return None


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_document_runs(name: str, tmp_path: Path) -> None:
    schema = graphql_schema(name)
    toolset = package_of(schema, tmp_path)

    async def faults(address: str) -> list[str]:
        bounds = Bounds(stream_seconds=1)
        async with toolset(
            base_url=address, credentials={}, retry=False, bounds=bounds, limits=False
        ) as tools:
            calls = [(tool, given) for tool in tools for given in arguments(tool)]
            results = [await tools.call(tool.name, given) for tool, given in calls]
        told = [
            (tool.name, fault(result)) for (tool, _), result in zip(calls, results, strict=True)
        ]
        assert sum(result.data is not None for result in results) > len(results) / 2
        return [f"{tool}: {said}" for tool, said in told if said]

    with yoga(schema) as address:
        assert asyncio.run(faults(address)) == []
