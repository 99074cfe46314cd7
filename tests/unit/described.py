"""GraphQL schemas of a few lines, read as the generator reads them, and what came of them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from toolmint.generator.config import Config
from toolmint.generator.description import Description, read
from toolmint.generator.model.api import Operation
from toolmint.generator.model.calls import GraphQLCall
from toolmint.generator.progress import silent
from toolmint.generator.settings.policy import GraphQLSettings, PackageSettings, ToolSettings


def described(
    sdl: str,
    folder: Path,
    tools: Mapping[str, ToolSettings] | None = None,
    strict: bool = False,
    **graphql: Any,
) -> Description:
    (folder / "schema.graphql").write_text(sdl, "utf-8")
    settings = PackageSettings(graphql=GraphQLSettings(**graphql), tools=tools or {})
    source = str(folder / "schema.graphql")
    return read(Config(source=source, output="x_tools", settings=settings, strict=strict), silent)


def document(found: Description, key: str) -> str:
    return call(found, key).document


def call(found: Description, key: str) -> GraphQLCall:
    operation = operation_of(found, key)
    assert isinstance(operation.call, GraphQLCall)
    return operation.call


def operation_of(found: Description, key: str) -> Operation:
    return next(one for one in found.api.operations if one.key == key)


def keys(found: Description) -> list[str]:
    return [one.key for one in found.api.operations]
