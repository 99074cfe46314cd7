"""mypy, pyright and ruff run on files as a user's own project would run them."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, order=True)
class Complaint:
    """One error of a type checker: the file's name, the line, and what it says."""

    file: str
    line: int
    text: str


def run(command: Sequence[str | Path], cwd: Path, path: Sequence[Path] = ()) -> tuple[int, str]:
    """A tool's exit status and all it printed; `path` is where it finds imports."""
    done = subprocess.run(
        [sys.executable, "-m", *command],
        check=False,
        cwd=cwd,
        env={**os.environ, "MYPYPATH": os.pathsep.join(map(str, path))},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return done.returncode, done.stdout


def mypy(files: Sequence[Path], cwd: Path, path: Sequence[Path] = ()) -> list[Complaint]:
    """What `mypy --strict` says, with no settings of ours."""
    options = ["--strict", "--config-file", os.devnull, "--no-color-output", "--output", "json"]
    status, said = run(["mypy", *options, *files], cwd, path)
    lines = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    found = [
        Complaint(Path(one["file"]).name, one["line"], one["message"])
        for one in lines
        if one["severity"] == "error"
    ]
    assert bool(status) == bool(found), said
    return sorted(found)


def pyright(files: Sequence[Path], cwd: Path, path: Sequence[Path] = ()) -> list[Complaint]:
    """What pyright says in strict mode."""
    settings = cwd / "pyrightconfig.json"
    settings.write_text(
        json.dumps(
            {
                "typeCheckingMode": "strict",
                "include": [os.path.relpath(file, cwd) for file in files],
                "extraPaths": [str(folder) for folder in path],
            }
        )
    )
    arguments = ["--outputjson", "--pythonpath", sys.executable, "-p", str(settings)]
    status, said = run(["pyright", *arguments], cwd)
    report = json.loads(said[said.index("{") :])
    found = [
        Complaint(Path(one["file"]).name, one["range"]["start"]["line"] + 1, one["message"])
        for one in report["generalDiagnostics"]
        if one["severity"] in ("error", "warning")
    ]
    assert report["summary"]["filesAnalyzed"] > 0, said
    assert bool(status) == bool(found), said
    return sorted(found)
