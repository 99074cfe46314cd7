"""Generating GitHub (1,223 operations) beside the generators a user would pick instead.

    python -m bench.generate [DOCUMENT ...]      names of `bench.documents`, default github.json

openapi-mcp-generator writes untyped TypeScript, openapi-python-client typed Python.
Each writes into an empty folder; the floor is reading the file with `json.load`.
"""

import sys
import tempfile
from pathlib import Path

from . import documents, peers

RUNS = 3


def commands(description: Path, output: Path) -> dict[str, list[str | Path]]:
    """Who is timed, and how each is called to write into `output`."""
    node = peers.folder() / "node/node_modules/openapi-mcp-generator/bin/openapi-mcp-generator.js"
    opc = peers.folder() / "opc/bin/openapi-python-client"
    return {
        "json.load": [sys.executable, "-c", f"import json; json.load(open({str(description)!r}))"],
        "toolmint": [
            sys.executable,
            "-m",
            "toolmint",
            "generate",
            description,
            "-o",
            output / "a_tools",
        ],
        "openapi-mcp-generator": [
            "node",
            node,
            "--input",
            description,
            "--output",
            output / "b",
            "--force",
        ],
        "openapi-python-client": [
            opc,
            "generate",
            "--path",
            description,
            "--output-path",
            output / "c",
        ],
    }


def measure(name: str, description: Path) -> peers.Run:
    """The run of median duration, each into a fresh folder."""
    runs: list[peers.Run] = []
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory() as output:
            runs.append(peers.timed(commands(description, Path(output))[name], cwd=Path(output)))
    return sorted(runs, key=lambda run: run.seconds)[RUNS // 2]


def compare(document: str) -> None:
    """Print one document's figures, as seconds and as multiples of toolmint's."""
    documents.fetch([document])
    description = documents.folder() / document
    figures = {name: measure(name, description) for name in commands(description, Path())}
    ours = figures["toolmint"].seconds
    print(document)
    for name, run in figures.items():
        ended = "" if run.status == 0 else f"  exit {run.status}"
        print(
            f"  {name:<22} {run.seconds:7.2f} s  {run.peak_mb:5.0f} MB  {run.seconds / ours:6.2f} ×{ended}"
        )


if __name__ == "__main__":
    peers.install()
    for name in sys.argv[1:] or ["github.json"]:
        compare(name)
