"""Real counterparts for the tests: started on loopback, stopped when a test is done."""

import os
import socket
from typing import NoReturn

import pytest


def missing(what: str) -> NoReturn:
    """Skip the test, or fail it where the gate has promised that the service is there."""
    reason = f"{what} is not there: run tests/services/install"
    if os.environ.get("TOOLMINT_REQUIRE_SERVICES") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


def free_port() -> int:
    """A port on loopback that nothing listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
