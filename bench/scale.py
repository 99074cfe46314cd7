"""How generating grows: time for an operation, and memory, on the largest real descriptions.

    python -m bench.scale

Goals: MS Graph and Kubernetes take at most 1.5 times as long for an operation as GitHub, and
less memory than 80 MB and twelve times the document; Stripe a tenth of the time that fastmcp
takes until its tools can be listed. Medians of turns; processor time, so that a busy machine
counts less.
"""

import json
import tempfile
from pathlib import Path

from . import documents, peers
from .cold_start import FASTMCP
from .generate import generation

RUNS = 3
NAMES = ("github.json", "kubernetes.json", "ms-graph.json", "stripe.json")
PER_OPERATION = 1.5
FASTMCP_TIMES = 10


def memory_goal(description: Path) -> float:
    """MB that generating may take."""
    return 80 + 12 * description.stat().st_size / 1e6


def measured(description: Path) -> tuple[list[peers.Run], int]:
    """Runs into fresh folders, and how many operations there are."""
    runs: list[peers.Run] = []
    operations = 0
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory() as output:
            runs.append(peers.timed([*generation(description, Path(output)), "--json"]))
            operations = json.loads(runs[-1].output)["operations"]
    return sorted(runs, key=lambda run: run.processor), operations


def main() -> None:
    documents.fetch(list(NAMES))
    first = 0.0
    print("document           operations   seconds   processor   ms an operation       peak MB")
    for name in NAMES:
        description = documents.folder() / name
        runs, operations = measured(description)
        run = runs[RUNS // 2]
        each = run.processor / operations * 1000
        first = first or each
        print(
            f"{name:<18} {operations:>10,} {run.seconds:>9.2f} {run.processor:>11.2f}"
            f" {each:>8.2f} = {each / first:4.2f} × {run.peak_mb:>6.0f}"
            f" (goal: {memory_goal(description):.0f})"
        )
    print(f"goal: at most {PER_OPERATION} × the first for an operation")
    stripe = documents.folder() / "stripe.json"
    peers.install()
    theirs = peers.timed([peers.python_of("fastmcp"), "-c", FASTMCP, stripe])
    with tempfile.TemporaryDirectory() as output:
        ours = peers.timed(generation(stripe, Path(output)))
    print(
        f"Stripe: toolmint {ours.seconds:.2f} s, fastmcp {theirs.seconds:.2f} s at every start, "
        f"{theirs.seconds / ours.seconds:.1f} times as long (goal: {FASTMCP_TIMES})"
    )


if __name__ == "__main__":
    main()
