"""toolset.py of a package: the class of all its tools, and what it says of the package."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ....runtime.package import Package
from ....runtime.version import COMPATIBILITY
from ...model.catalogue import Catalogue
from . import carriers, imports
from .expressions import Scope
from .layout import Node, call, changed_fields, listing, mapping, render, sequence, value_of
from .literals import docstring, string
from .schemes import scheme
from .texts import DESCRIPTION, brief


@dataclass(frozen=True, slots=True)
class Root:
    """toolset.py: the class of the whole package."""

    class_name: str
    docstring: str
    class_docstring: str
    imports: tuple[str, ...]
    package: str  # the expression behind `package = `


def root(
    catalogue: Catalogue,
    class_name: str,
    title: str,
    groups: Mapping[str, Sequence[str]],
    result_tokens: int,
) -> Root:
    """Plan the class; `groups` are the names of the tools by module."""
    scope = Scope({})
    scope.name("Toolset")
    package = _package(catalogue, groups, result_tokens, scope)
    said = f"{title}.\n\n{brief(catalogue.api.description, DESCRIPTION)}".strip()
    return Root(
        class_name=class_name,
        docstring=docstring(f"{title} as a toolset: one lazily imported group per tag.", 0),
        class_docstring=docstring(said, 4),
        imports=imports.blocks(
            ["from typing import TYPE_CHECKING"] if groups else [],
            [
                *imports.toolmint("auth", scope.used, {}),
                *imports.toolmint("runtime", scope.used, {}),
            ],
        ),
        package=package,
    )


def _package(
    catalogue: Catalogue, groups: Mapping[str, Sequence[str]], result_tokens: int, scope: Scope
) -> str:
    """The expression that makes the `Package`."""
    api = catalogue.api
    limit = catalogue.rate_limit
    made = Package(
        module=None,
        title=api.title,
        version=api.version,
        compatibility=COMPATIBILITY,
        servers=tuple(carriers.server(server) for server in api.servers),
        schemes={name: scheme(one) for name, one in sorted(api.security_schemes.items())},
        security=carriers.security(api.security),
        rate_limit=None if limit is None else carriers.rate_limit(limit),
        graphql=carriers.graphql(api.graphql),
        result_tokens=result_tokens,
        groups={module: tuple(names) for module, names in groups.items()},
    )
    scope.name("Package")
    nodes = {**changed_fields(made, scope.name), **_exploded(made, scope)}
    if not made.security:
        nodes.pop("security", None)
    return render(call("Package", (), nodes, explode=True), 4, before=len("package = "))


def _exploded(made: Package, scope: Scope) -> dict[str, Node]:
    """The members that stand one item a line."""
    nodes: dict[str, Node] = {"module": "__package__"}
    if made.servers:
        servers = (value_of(server, scope.name) for server in made.servers)
        nodes["servers"] = sequence(servers, explode=True)
    if made.schemes:
        nodes["schemes"] = mapping(
            {name: value_of(one, scope.name) for name, one in made.schemes.items()}
        )
    if made.security:
        alternatives = (value_of(one, scope.name) for one in made.security)
        nodes["security"] = listing(alternatives, explode=True)
    nodes["groups"] = mapping(
        {
            module: sequence((string(tool) for tool in tools), explode=True)
            for module, tools in made.groups.items()
        }
    )
    return nodes
