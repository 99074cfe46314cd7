"""graphql-yoga with @graphql-tools/mock: a real server that answers any schema."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from tests.services import free_port
from tests.services.npm import running


@contextmanager
def yoga(schema: Path) -> Generator[str]:
    """A server of a schema's file with every field mocked; its address."""
    port = free_port()
    settings = {"port": port, "schema": str(schema)}
    with running("graphql", "graphql-yoga", "server.mjs", settings):
        yield f"http://127.0.0.1:{port}/"
