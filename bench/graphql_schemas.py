"""Real GraphQL schemas for tests and benchmarks, fetched from the npm registry.

    python -m bench.graphql_schemas [NAME ...]

lays each under `${XDG_CACHE_HOME:-~/.cache}/toolmint-documents/graphql` once, at a pinned
version, and prints its path. `TOOLMINT_GRAPHQL_SCHEMAS` names a folder with further ones.
Nothing of them is part of the project.
"""

import os
import shutil
import sys
from pathlib import Path

from . import documents

SOURCES: dict[str, tuple[str, str]] = {
    "cardano-hasura.graphql": (
        "@cardano-graphql/client-ts@6.2.0",
        "api/cardano-db-hasura/schema.graphql",
    ),
    "dialogporten.graphql": ("@digdir/dialogporten-schema@1.40.0", "schema.verified.graphql"),
    "github.graphql": ("@octokit/graphql-schema@15.26.1", "schema.graphql"),
    "github.json": ("@octokit/graphql-schema@15.26.1", "schema.json"),
    "relay-test.graphql": ("relay-test-utils-internal@13.0.2", "lib/testschema.graphql"),
    "shopify-customer.json": (
        "@shopify/hydrogen-react@2026.4.4",
        "customer-account.schema.json",
    ),
    "shopify-storefront.json": ("@shopify/hydrogen-react@2026.4.4", "storefront.schema.json"),
}
"""File name → the npm package that carries it, and where in there."""


def folder() -> Path:
    """Where the fetched schemas lie."""
    return documents.folder() / "graphql"


def schemas() -> dict[str, Path]:
    """Every schema that is there, by file name: fetched ones and those of the further folder."""
    places = [folder(), *map(Path, filter(None, [os.environ.get("TOOLMINT_GRAPHQL_SCHEMAS")]))]
    found = {
        path.name: path
        for place in places
        if place.is_dir()
        for path in sorted(place.iterdir())
        if path.suffix in (".graphql", ".json") and path.is_file()
    }
    return dict(sorted(found.items()))


def fetch(names: list[str]) -> None:
    """Lay the named schemas into the folder; those that are there stay."""
    folder().mkdir(parents=True, exist_ok=True)
    missing = [name for name in names if not (folder() / name).exists()]
    for package in sorted({SOURCES[name][0] for name in missing}):
        with documents.unpacked(package) as content:
            for name in (name for name in missing if SOURCES[name][0] == package):
                shutil.copy(content / SOURCES[name][1], folder() / name)


if __name__ == "__main__":
    wanted = sys.argv[1:] or list(SOURCES)
    if unknown := [name for name in wanted if name not in SOURCES]:
        sys.exit(f"unknown schema {unknown[0]}; known: {', '.join(SOURCES)}")
    fetch(wanted)
    print(*(folder() / name for name in wanted), sep="\n")
