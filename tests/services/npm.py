"""npm servers of the tests: where `tests/services/install` puts them, and how one is started."""

import json
import os
import subprocess
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from shutil import which

from tests.needs import missing
from tests.services import INSTALL

HERE = Path(__file__).parent


def home(service: str, package: str) -> Path:
    """Where the npm packages of a service are, named by the version of the chief of them."""
    pinned = json.loads((HERE / service / "package.json").read_text("utf-8"))["dependencies"]
    cache = os.environ.get("TOOLMINT_SERVICES")
    base = os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()
    return (Path(cache) if cache else Path(base) / "toolmint-services") / (
        f"{service}-{pinned[package]}"
    )


@contextmanager
def running(
    service: str, package: str, script: str, settings: Mapping[str, object]
) -> Generator[None]:
    """A script of a service, from the moment it says `ready` until the test is done."""
    place = home(service, package)
    node = which("node")
    if not node or not (place / "node_modules" / package).is_dir():
        missing(package, INSTALL)
    told = json.dumps({"home": str(place), **settings})
    process = subprocess.Popen(
        [node, str(HERE / service / script), told],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout and process.stdout.readline() == "ready\n"
        yield
    finally:
        process.kill()
        process.wait()
        if process.stdout:
            process.stdout.close()
