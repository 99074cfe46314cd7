"""What one call costs in the process, beside bare httpx and beside what peers make of the same call.

python -m bench.call_cost [CALLS]        one run; needs `python -m bench.peers` once

Each row is a ratio to a bare request of the HTTP library beneath it, on a mock transport that
answers at once: what is left is the tool's own work. fastmcp stands on httpx2, google-adk on
httpx; a toolset takes a client of either, and is measured on both. Everybody reads a different
repository each time. A machine is hardly ever idle: everybody's turn comes several times, and
for everybody the quietest batch of calls counts.
"""

import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import httpx2

from bench.peers import python_of
from toolmint.generator import Config, compile, write
from toolmint.runtime import Toolset

CALLS = 5000
ROUNDS = 3
BATCHES = 10  # a round
READ = {"owner": "o", "repo": "r"}
WRITE = {**READ, "title": "t", "body": "b"}
DESCRIPTION: dict[str, Any] = {
    "openapi": "3.0.3",
    "info": {"title": "Forge", "version": "1"},
    "servers": [{"url": "https://forge.example"}],
    "paths": {
        "/repos/{owner}/{repo}": {
            "parameters": [
                {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
                for name in ("owner", "repo")
            ],
            "get": {
                "operationId": "repos_get",
                "tags": ["repos"],
                "responses": {"200": {"$ref": "#/components/responses/repository"}},
            },
        },
        "/repos/{owner}/{repo}/issues": {
            "parameters": [
                {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
                for name in ("owner", "repo")
            ],
            "post": {
                "operationId": "issues_create",
                "tags": ["issues"],
                "requestBody": {
                    "required": True,
                    "content": {
                        "application/json": {
                            "schema": {
                                "type": "object",
                                "required": ["title"],
                                "properties": {
                                    "title": {"type": "string"},
                                    "body": {"type": "string"},
                                    "labels": {"type": "array", "items": {"type": "string"}},
                                },
                            }
                        }
                    },
                },
                "responses": {"201": {"$ref": "#/components/responses/repository"}},
            },
        },
    },
    "components": {
        "responses": {
            "repository": {
                "description": "It.",
                "content": {
                    "application/json": {
                        "schema": {
                            "type": "object",
                            "properties": {
                                "id": {"type": "integer"},
                                "name": {"type": "string"},
                            },
                        }
                    }
                },
            }
        }
    },
}

PEERS = {
    "fastmcp": """
import httpx2 as hx
from fastmcp import FastMCP
async def main():
    mock = hx.MockTransport(lambda request: hx.Response(200, json={"id": 1, "name": "x"}))
    async with hx.AsyncClient(base_url="https://forge.example", transport=mock) as client:
        await bench("bare", lambda: client.get("/repos/o/r"))
        server = FastMCP.from_openapi(spec, client)
        read, write = await server.get_tool("repos_get"), await server.get_tool("issues_create")
        await bench("read", lambda: read.run(other()))
        await bench("write", lambda: write.run(dict(WRITE)))
""",
    "adk": """
import httpx as hx
from google.adk.tools.openapi_tool import OpenAPIToolset
async def main():
    mock = hx.MockTransport(lambda request: hx.Response(200, json={"id": 1, "name": "x"}))
    async with hx.AsyncClient(base_url="https://forge.example", transport=mock) as client:
        await bench("bare", lambda: client.get("/repos/o/r"))
    toolset = OpenAPIToolset(
        spec_dict=spec,
        allow_private_network_access=True,
        httpx_client_factory=lambda: hx.AsyncClient(transport=mock),
    )
    tools = {tool.name: tool for tool in await toolset.get_tools()}
    read, write = tools["repos_get"], tools["issues_create"]
    await bench("read", lambda: read.run_async(args=other(), tool_context=None))
    await bench("write", lambda: write.run_async(args=dict(WRITE), tool_context=None))
""",
}
HEAD = f"""
import asyncio, json, logging, statistics, sys, time
logging.disable(50)
spec, count = json.loads(sys.stdin.read()), int(sys.argv[1])
READ, WRITE = {READ!r}, {WRITE!r}
numbers = iter(range(10**9))
def other(): return READ | {{"repo": f"r{{next(numbers)}}"}}
async def bench(label, call):
    for _ in range(50): await call()
    medians = []
    for _ in range({BATCHES}):
        taken = []
        for _ in range(count // {BATCHES}):
            start = time.perf_counter(); await call(); taken.append(time.perf_counter() - start)
        medians.append(statistics.median(taken) * 1e6)
    print(json.dumps([label, min(medians)]), flush=True)
"""


def peer(name: str, calls: int) -> dict[str, float]:
    """Median µs of a peer's calls and of the bare request beneath them."""
    script = f"{HEAD}{PEERS[name]}\nasyncio.run(main())"
    done = subprocess.run(
        [python_of(name), "-c", script, str(calls)],
        input=json.dumps(DESCRIPTION),
        capture_output=True,
        text=True,
        check=True,
    )
    return dict(json.loads(line) for line in done.stdout.splitlines())


async def median(call: Callable[[], Awaitable[object]], calls: int) -> float:
    """Median µs of a call in the quietest of some batches."""
    for _ in range(50):
        await call()
    medians: list[float] = []
    for _ in range(BATCHES):
        taken: list[float] = []
        for _ in range(calls // BATCHES):
            start = time.perf_counter()
            await call()
            taken.append(time.perf_counter() - start)
        medians.append(statistics.median(taken) * 1e6)
    return min(medians)


def generated(folder: Path) -> type[Toolset]:
    """The description's package, made and imported."""
    source = folder / "forge.json"
    source.write_text(json.dumps(DESCRIPTION))
    config = Config(source=str(source), output=str(folder / "forge_tools"))
    write(compile(config), config.output)
    sys.path.insert(0, str(folder))
    toolset: type[Toolset] = import_module("forge_tools").TOOLSET
    return toolset


async def ours(
    kind: type[Toolset], library: ModuleType, folder: Path, calls: int
) -> dict[str, dict[str, float]]:
    """Our calls, with the usual settings and with everything on."""

    def answer(_: object) -> object:
        return library.Response(200, json={"id": 1, "name": "x"})

    mock = library.MockTransport(answer)
    everything: dict[str, Any] = {
        "audit": folder / "audit.jsonl",
        "validation": "repair",
        "cache": True,
    }
    rows: dict[str, dict[str, float]] = {}
    async with library.AsyncClient(base_url="https://forge.example", transport=mock) as client:
        bare = await median(lambda: client.get("/repos/o/r"), calls)
        for label, settings in (("", {}), (", everything on", everything)):
            toolset = kind(credentials={}, client=client, **settings)
            numbers = iter(range(10**9))  # no two reads alike, or the cache would answer

            async def read(toolset: Toolset = toolset, numbers: Any = numbers) -> None:
                given = {**READ, "repo": f"r{next(numbers)}"}
                assert (await toolset.call("repos_get", given)).success

            async def change(toolset: Toolset = toolset) -> None:
                assert (await toolset.call("issues_create", WRITE)).success

            rows[f"toolmint on {library.__name__}{label}"] = {
                "bare": bare,
                "read": await median(read, calls),
                "write": await median(change, calls),
            }
    return rows


def main() -> None:
    """Print a table: µs, ratio to bare, µs added; then how we compare."""
    calls = (int(sys.argv[1]) if len(sys.argv) > 1 else CALLS) // ROUNDS
    rows: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        kind = generated(folder)
        for _ in range(ROUNDS):
            for library in (httpx, httpx2):
                for name, row in asyncio.run(ours(kind, library, folder, calls)).items():
                    keep(rows, name, row)
            for name in PEERS:
                keep(rows, name, peer(name, calls))
    print(f"{'':34}{'bare':>8}{'read':>8}{'write':>8}  {'ratio':>6}{'added':>8}  median µs")
    for name, row in rows.items():
        mean = (row["read"] + row["write"]) / 2
        print(
            f"{name:34}{row['bare']:8.0f}{row['read']:8.0f}{row['write']:8.0f}"
            f"  {mean / row['bare']:6.2f}{added(row):8.0f}"
        )
    theirs = added(rows["fastmcp"])
    for name, row in rows.items():
        if name not in PEERS:
            print(f"{name} adds {added(row) / theirs:.2f} times what fastmcp adds")


def keep(rows: dict[str, dict[str, float]], name: str, row: Mapping[str, float]) -> None:
    """Keep the least of each figure."""
    known = rows.setdefault(name, dict(row))
    known.update({label: min(known[label], taken) for label, taken in row.items()})


def added(row: Mapping[str, float]) -> float:
    """µs that a call takes beyond the bare request, reads and writes alike."""
    return (row["read"] + row["write"]) / 2 - row["bare"]


if __name__ == "__main__":
    main()
