"""The score as a page: `docs/conformance.md`."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .run import Verdict

PAGE = Path(__file__).parents[2] / "docs" / "conformance.md"

_HEAD = """\
# Conformance

Microsoft publishes a conformance suite for client generators, [`@typespec/http-specs`][suite]: services
written in TypeSpec, a server that answers only to right requests, and a score that it keeps of
them itself. `tests/conformance` compiles every service to OpenAPI 3.1, generates a package from
each, and calls its tools. The arguments are read from the request that a scenario expects, or listed
in `tests/conformance/arguments.json`; there is no code for any one scenario.

    tests/conformance/setup               # once: lays the suite into a cache folder
    python -m tests.conformance           # the score; --write writes this page anew

[suite]: https://github.com/microsoft/typespec/tree/main/packages/http-specs
"""


def page(verdicts: Sequence[Verdict], reasons: Sequence[Mapping[str, Any]]) -> str:
    """The page: the score by suite, and why each other scenario does not pass."""
    passed = sum(verdict.passed for verdict in verdicts)
    read = [same for verdict in verdicts for same in verdict.outcome.read]
    parts = [
        _HEAD,
        f"**{passed} of {len(verdicts)} scenarios pass.**",
        f"Of {len(read)} answers that could be compared, {sum(read)} were read as they were sent.\n",
        _by_suite(verdicts),
        "## What does not pass, and why\n",
        *_failures(verdicts, reasons),
    ]
    return "\n".join(parts)


def unexplained(verdicts: Sequence[Verdict], reasons: Sequence[Mapping[str, Any]]) -> list[str]:
    """Scenarios that do not pass and for which no reason is given."""
    explained = {name for reason in reasons for name in reason["scenarios"]}
    failing = [verdict.scenario.name for verdict in verdicts if not verdict.passed]
    return [name for name in failing if name not in explained]


def _by_suite(verdicts: Sequence[Verdict]) -> str:
    every = Counter(verdict.scenario.suite for verdict in verdicts)
    passed = Counter(verdict.scenario.suite for verdict in verdicts if verdict.passed)
    rows = [f"| {suite} | {passed[suite]} | {count} |" for suite, count in sorted(every.items())]
    return "\n".join(["| suite | pass | scenarios |", "|---|--:|--:|", *rows, ""])


def _failures(verdicts: Sequence[Verdict], reasons: Sequence[Mapping[str, Any]]) -> list[str]:
    failing = {verdict.scenario.name: verdict for verdict in verdicts if not verdict.passed}
    told: list[str] = []
    for reason in reasons:
        names = [name for name in reason["scenarios"] if name in failing]
        if names:
            told.append(f"- {reason['why']}\n" + "".join(f"  - `{name}`\n" for name in names))
    told += [
        f"- Not explained: `{name}`: {failing[name].outcome.said.splitlines()[0]}\n"
        for name in unexplained(verdicts, reasons)
    ]
    return told
