"""The type checkers and the linter on packages of the corpus, as their users would run them."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path


def complaints(root: Path, sample: Sequence[str]) -> list[str]:
    """One line a tool: what it was run on and what it said."""
    return [
        f"ruff check on all packages: {_ruff(root, 'check')}",
        f"ruff format on all packages: {_ruff(root, 'format', '--check')}",
        f"mypy --strict on {len(sample)} packages: {_told(_mypy(root, sample))}",
        f"pyright, strict, on {len(sample)} packages: {_told(_pyright(root, sample))}",
    ]


def _run(root: Path, *command: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *command],
        check=False,
        cwd=root,
        env={**os.environ, "MYPYPATH": str(root)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return done.stdout


def _ruff(root: Path, *command: str) -> str:
    said = _run(root, "ruff", *command, "--isolated", "--no-cache", "--quiet", ".").splitlines()
    return _told(line for line in said if line.strip())


def _mypy(root: Path, sample: Sequence[str]) -> Iterator[str]:
    packages = [word for name in sample for word in ("-p", name)]
    options = ["--strict", "--config-file", os.devnull, "--cache-dir", os.devnull]
    said = _run(root, "mypy", *options, *packages)
    return (line for line in said.splitlines() if ": error:" in line)


def _pyright(root: Path, sample: Sequence[str]) -> Iterator[str]:
    settings = root / "pyrightconfig.json"
    settings.write_text(
        json.dumps({"typeCheckingMode": "strict", "include": list(sample), "exclude": []})
    )
    said = _run(
        root, "pyright", "--outputjson", "--pythonpath", sys.executable, "-p", str(settings)
    )
    for one in json.loads(said[said.index("{") :])["generalDiagnostics"]:
        yield f"{one['file']}:{one['range']['start']['line'] + 1}: {one['message']}"


def _told(lines: Iterator[str]) -> str:
    found = list(lines)
    if not found:
        return "clean"
    return f"{len(found)} complaints, the first: {found[0]}"
