"""PostGraphile over a PostgreSQL of the test's own: a GraphQL API that nobody here wrote."""

import glob
import os
import subprocess
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from shutil import chown, which

from tests.needs import missing
from tests.services import INSTALL, free_port
from tests.services.npm import running


@contextmanager
def postgraphile() -> Generator[str]:
    """The address of a server with one table of tasks, three rows in it."""
    port = free_port()
    with postgresql() as database:
        settings = {"port": port, "database": database}
        with running("postgraphile", "postgraphile", "server.mjs", settings):
            yield f"http://127.0.0.1:{port}/graphql"


@contextmanager
def postgresql() -> Generator[str]:
    """The address of an empty database, gone at the end."""
    program("initdb")  # before anything is done for it: without PostgreSQL its user is missing too
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="toolmint-pg-") as folder:
        data = Path(folder, "data")
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            chown(folder, "postgres")
        run("initdb", "-D", data, "-U", "toolmint", "--auth=trust", "--no-sync", "-E", "UTF8")
        options = f"-p {port} -h 127.0.0.1 -k {folder} -c fsync=off"
        run("pg_ctl", "-D", data, "-o", options, "-w", "-l", Path(folder, "log"), "start")
        try:
            yield f"postgres://toolmint@127.0.0.1:{port}/postgres"
        finally:
            run("pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")


def run(name: str, *arguments: str | Path) -> None:
    """Run a program of PostgreSQL's as the user that owns its data."""
    user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    command = [*user, program(name), *map(str, arguments)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def program(name: str) -> str:
    """Where a program of PostgreSQL's is; the test skips where it is nowhere."""
    found = next(iter(sorted(glob.glob(f"/usr/lib/postgresql/*/bin/{name}"))), which(name))
    return found or missing("postgresql", INSTALL)
