"""The suite as `setup` laid it out: its scenarios, its descriptions, and its server."""

import json
import os
import subprocess
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from tests.services import free_port

SETUP = "tests/conformance/setup"
_SPECS = "node_modules/@typespec/http-specs/specs"
_SERVER = "node_modules/@typespec/spector/cmd/cli.mjs"
_STARTING = 60.0  # seconds; it reads all specs first


@dataclass(frozen=True, slots=True)
class Exchange:
    """What a right client sends, and how it is answered; a body is as `scenarios.mjs` says."""

    method: str
    uri: str
    status: int
    query: Mapping[str, Any] = field(default_factory=dict[str, Any])
    headers: Mapping[str, Any] = field(default_factory=dict[str, Any])
    body: Mapping[str, Any] | None = None
    answer: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Scenario:
    """One thing that the suite scores."""

    name: str
    suite: str
    calls: tuple[Exchange, ...]


def home() -> Path | None:
    """Where the suite lies, None where it was not set up."""
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    services = Path(os.environ.get("TOOLMINT_SERVICES", cache / "toolmint-services"))
    folder = services / "http-specs-0.1.0-33"
    return folder if (folder / "complete").exists() else None


def scenarios(folder: Path) -> list[Scenario]:
    """Every scenario, by suite, then by name."""
    read = json.loads((folder / "scenarios.json").read_text("utf-8"))
    found = [
        Scenario(name, said["suite"], tuple(Exchange(**call) for call in said["calls"]))
        for name, said in read.items()
    ]
    return sorted(found, key=lambda one: (one.suite, one.name))


def descriptions(folder: Path) -> dict[str, list[Path]]:
    """Suite → its descriptions, one for each version of the service."""
    root = folder / "descriptions"
    found: dict[str, list[Path]] = {}
    for path in sorted(root.rglob("*.json")):
        found.setdefault(path.parent.relative_to(root).as_posix(), []).append(path)
    return found


@dataclass(slots=True)
class Server:
    """The suite's server; `coverage` is filled from its file when it has ended."""

    url: str
    coverage: dict[str, str] = field(default_factory=dict[str, str])  # scenario → verdict


@contextmanager
def serving(folder: Path, work: Path) -> Generator[Server]:
    """The server on a free port, which writes its coverage file into `work` as it ends."""
    port = free_port()
    written = work / "coverage.json"
    command = [
        "node",
        _SERVER,
        "serve",
        _SPECS,
        "--port",
        str(port),
        "--coverageFile",
        str(written),
    ]
    with (work / "server.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, stdout=log, stderr=subprocess.STDOUT)
        server = Server(f"http://localhost:{port}")
        try:
            _await(server.url, process)
            yield server
            httpx.post(f"{server.url}/.admin/stop")
            process.wait(timeout=_STARTING)
            for report in json.loads(written.read_text("utf-8")):
                server.coverage |= report["results"]
        finally:
            process.kill()
            process.wait()


def _await(url: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _STARTING
    while time.monotonic() < deadline and process.poll() is None:
        try:
            httpx.get(f"{url}/.coverage")
        except httpx.TransportError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError(f"the suite's server does not answer at {url}")
