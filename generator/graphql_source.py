"""A config's GraphQL schema, read and lowered: what settings mean for that kind of source."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from .config import Config, source_label
from .errors import InputError
from .model.api import Api
from .reading.addresses import is_url
from .settings.policy import PackageSettings, ToolSettings
from .sources import graphql


def live(config: Config) -> graphql.Source:
    """The schema that an endpoint tells. Raises InputError when it tells none."""
    if config.offline:
        raise InputError(
            f"{source_label(config.source)}: is on the network, and --offline forbids it. "
            "Save its schema to a file and name that."
        )
    return graphql.introspect(config.source, _headers(config), strict=config.strict)


def _headers(config: Config) -> dict[str, str]:
    headers: dict[str, str] = {}
    for line in config.headers:
        name, colon, value = line.partition(":")
        if not colon or not name.strip() or not value.strip().isprintable():
            raise InputError("--header: write it as 'Name: value'.")
        headers[name.strip()] = value.strip()
    return headers


def written(config: Config) -> graphql.Source:
    """The schema of SDL files. Raises InputError when they are none."""
    texts = graphql.texts(config.source)
    if len(texts) == 1 and not is_url(config.source):
        texts = [graphql.Text(config.source, texts[0].body)]
    return graphql.read_sdl(texts, file=config.source, strict=config.strict)


def fetched(text: str, file: str, config: Config) -> graphql.Source:
    """The schema of SDL that was read already."""
    return graphql.read_sdl([graphql.Text(file, text)], file=file, strict=config.strict)


def told(data: Any, text: str, file: str, config: Config) -> graphql.Source:
    """The schema of an introspection result."""
    return graphql.read_introspection(data, file=file, text=text, strict=config.strict)


def lowered(source: graphql.Source, config: Config) -> Api:
    """The Api of a schema under a config's settings."""
    return graphql.lower(source, options(config))


def options(config: Config) -> graphql.LowerOptions:
    """What the settings say of a GraphQL package."""
    said = config.settings.graphql
    limits = _with(
        graphql.Limits(),
        leaves=said.leaves,
        bytes=said.bytes,
        depth=said.depth,
        page=said.page,
        nested_page=said.nested_page,
        types=said.types,
    )
    return graphql.LowerOptions(
        endpoint=config.endpoint or config.address,
        title=_title(config),
        limits=limits,
        tools=_wishes(config.settings, limits),
        include_deprecated=said.include_deprecated,
        operations=graphql.all_texts(said.operations),
        scalars=said.scalars,
        preset=said.preset,
        header=said.header,
        get=said.get,
        persisted=said.persisted,
        stream=said.stream,
    )


def _title(config: Config) -> str:
    """A schema has no title; the package's name says what it is about."""
    words = config.name.rpartition(".")[2].removesuffix("_tools").strip("_").split("_")
    return " ".join(word.capitalize() for word in words) or "GraphQL"


def _wishes(settings: PackageSettings, limits: graphql.Limits) -> Mapping[str, graphql.Wishes]:
    return {
        key: graphql.Wishes(
            limits=_with(limits, depth=tool.depth, leaves=tool.budget, page=tool.page),
            fields=tool.fields or (),
            types=tool.types or (),
            lift=tool.lift or (),
            args=tool.args or {},
        )
        for key, tool in settings.tools.items()
        if _chooses(tool)
    }


def _chooses(tool: ToolSettings) -> bool:
    chosen = (tool.fields, tool.types, tool.lift, tool.args, tool.depth, tool.budget, tool.page)
    return any(one is not None for one in chosen)


def _with(limits: graphql.Limits, **said: Any) -> graphql.Limits:
    return replace(limits, **{name: value for name, value in said.items() if value is not None})
