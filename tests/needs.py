"""What a test needs from outside the checkout: without it the test skips, in the gate it fails."""

import os
from pathlib import Path
from typing import NoReturn

import pytest

from bench import documents, graphql_schemas


def missing(what: str, how: str) -> NoReturn:
    """Skip the test, or fail it where `.ci/run` has promised that the thing is there."""
    reason = f"{what} is not there: run {how}"
    if os.environ.get("TOOLMINT_REQUIRE_SERVICES") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


def document(name: str) -> Path:
    """A real description that `bench.documents` fetched."""
    return documents.document(name) or missing(name, f"python -m bench.documents {name}")


def graphql_schema(name: str) -> Path:
    """A real GraphQL schema that `bench.graphql_schemas` fetched."""
    found = graphql_schemas.schemas().get(name)
    return found or missing(name, f"python -m bench.graphql_schemas {name}")
