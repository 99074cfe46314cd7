"""Generating GitHub (1,223 operations) beside the generators a user would pick instead.

    python -m bench.generate [DOCUMENT ...]      names of `bench.documents`, default github.json

openapi-mcp-generator writes untyped TypeScript, openapi-python-client typed Python.
Each writes into an empty folder; the floor is reading the file with `json.load`. All take
turns, so that a busy machine is busy for all; the figure is the median.
"""

import sys
import tempfile
from pathlib import Path

from . import documents, peers

RUNS = 5
SLOW = frozenset(("openapi-python-client",))  # once is enough to see it

Command = list[str | Path]


def generation(description: Path, output: Path) -> Command:
    """How toolmint is called."""
    return [sys.executable, "-m", "toolmint", "generate", description, "-o", output / "a_tools"]


def commands(description: Path, output: Path, done: Path) -> dict[str, Command]:
    """Who is timed, and how each is called to write into `output`; `done` holds the package."""
    node = peers.folder() / "node/node_modules/openapi-mcp-generator/bin/openapi-mcp-generator.js"
    opc = peers.folder() / "opc/bin/openapi-python-client"
    load = f"import json; json.load(open({str(description)!r}))"
    return {
        "json.load": [sys.executable, "-c", load],
        "toolmint, unchanged": generation(description, done),
        "toolmint": generation(description, output),
        "openapi-mcp-generator": [
            *("node", node, "--input", description, "--output", output / "b", "--force")
        ],
        "openapi-python-client": [
            *(opc, "generate", "--path", description, "--output-path", output / "c")
        ],
    }


def measure(description: Path) -> dict[str, peers.Run]:
    """The run of median duration of each, in turns, each into a fresh folder."""
    with tempfile.TemporaryDirectory() as done:
        peers.timed(generation(description, Path(done)))
        runs: dict[str, list[peers.Run]] = {}
        for turn in range(RUNS):
            for name in commands(description, Path(), Path()):
                if turn and name in SLOW:
                    continue
                with tempfile.TemporaryDirectory() as output:
                    command = commands(description, Path(output), Path(done))[name]
                    runs.setdefault(name, []).append(peers.timed(command, cwd=Path(output)))
    return {
        name: sorted(turns, key=lambda run: run.seconds)[len(turns) // 2]
        for name, turns in runs.items()
    }


def compare(document: str) -> None:
    """Print one document's figures, as seconds and as multiples of toolmint's."""
    documents.fetch([document])
    figures = measure(documents.folder() / document)
    ours = figures["toolmint"].seconds
    print(document)
    for name, run in figures.items():
        ended = "" if run.status == 0 else f"  exit {run.status}"
        print(
            f"  {name:<22} {run.seconds:7.2f} s  {run.peak_mb:5.0f} MB"
            f"  {run.seconds / ours:6.2f} ×{ended}"
        )
    unchanged = figures["toolmint, unchanged"].seconds / figures["json.load"].seconds
    untyped = ours / figures["openapi-mcp-generator"].seconds
    typed = figures["openapi-python-client"].seconds / ours
    print(f"  of openapi-mcp-generator's time    {untyped:5.2f} ×  (goal: at most 2.0)")
    print(f"  faster than openapi-python-client  {typed:5.2f} ×  (goal: at least 6)")
    print(f"  unchanged, of json.load's time     {unchanged:5.2f} ×  (goal: at most 2.0)")


if __name__ == "__main__":
    peers.install()
    for name in sys.argv[1:] or ["github.json"]:
        compare(name)
