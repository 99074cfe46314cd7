"""Debian's redis-server as a process of the test's own."""

import socket
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from shutil import which

from tests.needs import missing
from tests.services import INSTALL, free_port


@contextmanager
def redis_server(folder: Path) -> Generator[str]:
    """The URL of a Redis that keeps nothing."""
    program = which("redis-server")
    if program is None:
        missing("redis-server", INSTALL)
    port = free_port()
    command = [
        program,
        "--port",
        str(port),
        "--bind",
        "127.0.0.1",
        "--save",
        "",
        "--dir",
        str(folder),
    ]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    url = f"redis://127.0.0.1:{port}/0"
    try:
        _await(port)
        yield url
    finally:
        process.terminate()
        process.wait()


def _await(port: int) -> None:
    for _ in range(500):
        try:
            with socket.create_connection(("127.0.0.1", port)) as connection:
                connection.sendall(b"PING\r\n")
                if connection.recv(5) == b"+PONG":
                    return
        except ConnectionError:
            time.sleep(0.01)
    raise AssertionError("redis-server does not answer")
