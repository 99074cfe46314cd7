"""What a test needs from outside the checkout: without it the test skips, in the gate it fails."""

import os
from pathlib import Path
from typing import NoReturn

import pytest

from bench import documents


def missing(what: str, how: str) -> NoReturn:
    """Skip the test, or fail it where `.ci/run` has promised that the thing is there."""
    reason = f"{what} is not there: run {how}"
    if os.environ.get("TOOLMINT_REQUIRE_SERVICES") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


def document(name: str) -> Path:
    """A real description that `bench.documents` fetched."""
    return documents.document(name) or missing(name, f"python -m bench.documents {name}")
