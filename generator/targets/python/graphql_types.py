"""The input types that a GraphQL document written at run time may declare variables of."""

from collections.abc import Iterator, Mapping
from typing import Any

from ...model.catalogue import Catalogue
from ...model.nodes import Schema


def variable_types(catalogue: Catalogue) -> Iterator[Schema]:
    """A reference to each input type that some argument of the schema has."""
    side = catalogue.api.graphql
    if side is None:
        return
    known = catalogue.api.definitions.input
    names = {name for entry in side.field_map["types"].values() for name in _arguments(entry)}
    for name in sorted(names & known.keys()):
        yield {"$ref": f"#/$defs/{name}"}


def _arguments(entry: Mapping[str, Any]) -> Iterator[str]:
    for field in entry.get("fields", {}).values():
        if not isinstance(field, str):
            for kind in field[1].values():
                yield kind.removesuffix(" =").strip("[]!")
