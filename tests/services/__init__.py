"""Real counterparts for the tests: started on loopback, stopped when a test is done."""

import socket

INSTALL = "tests/services/install"


def free_port() -> int:
    """A port on loopback that nothing listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
