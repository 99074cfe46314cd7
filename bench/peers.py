"""The tools a user would pick instead, each in a place of its own, so figures are ratios of one run.

python -m bench.peers        installs them under ${XDG_CACHE_HOME:-~/.cache}/toolmint-peers (needs npm)
"""

import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PYTHON_PEERS = {
    "fastmcp": "fastmcp==4.2.3",
    "adk": "google-adk==2.13.0",
    "opc": "openapi-python-client==0.29.1",
}
NODE_PEER = "openapi-mcp-generator@4.0.1"
SECONDS_AT_MOST = 180


def folder() -> Path:
    """Where the peers lie."""
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "toolmint-peers"


def python_of(peer: str) -> Path:
    """The interpreter of a Python peer."""
    return folder() / peer / "bin/python"


def install() -> None:
    """Install every peer that is not there."""
    for peer, requirement in PYTHON_PEERS.items():
        if not python_of(peer).exists():
            subprocess.run([sys.executable, "-m", "venv", folder() / peer], check=True)
            subprocess.run([python_of(peer), "-m", "pip", "install", "-q", requirement], check=True)
    node = folder() / "node"
    if not (node / "node_modules").exists():
        node.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "init", "-y"], cwd=node, check=True, stdout=subprocess.DEVNULL)
        subprocess.run(
            ["npm", "install", "--silent", "--no-audit", "--no-fund", NODE_PEER],
            cwd=node,
            check=True,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One finished process: wall and processor seconds, peak MB of memory, status, stdout."""

    seconds: float
    processor: float
    peak_mb: float
    status: int  # negative: ended by that signal, as a run past the limit is
    output: str


def timed(command: Sequence[str | Path], cwd: Path | None = None) -> Run:
    """Run a command to its end, or to `SECONDS_AT_MOST`, by the operating system's own account."""
    with tempfile.TemporaryFile("w+") as output:
        start = time.perf_counter()
        process = subprocess.Popen(command, cwd=cwd, stdout=output, stderr=subprocess.DEVNULL)
        limit = threading.Timer(SECONDS_AT_MOST, process.kill)
        limit.start()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        limit.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        return Run(
            seconds=seconds,
            processor=usage.ru_utime + usage.ru_stime,
            peak_mb=usage.ru_maxrss / 1024,
            status=process.returncode,
            output=output.read(),
        )


def median(command: Sequence[str | Path], runs: int) -> Run:
    """The run of median duration among several."""
    return sorted((timed(command) for _ in range(runs)), key=lambda run: run.seconds)[runs // 2]


if __name__ == "__main__":
    install()
    print(folder())
