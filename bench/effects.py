"""How right the rules for effects are, on each labelled sample of hard cases.

    python -m bench.effects

prints for each sample precision and recall of each class, beside those of the method alone,
and every operation that is judged otherwise than it is labelled. Only what a sample gave when
the rules first met it says how right they are on what nobody looked at.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolmint.generator.gating.effects import METHODS, judge
from toolmint.generator.model.api import Operation, Result
from toolmint.generator.model.calls import HttpCall
from toolmint.generator.model.catalogue import Effects
from toolmint.generator.model.nodes import Location
from toolmint.generator.sources.openapi.paths import read_path

_FOLDER = Path(__file__).parents[1] / "fixtures/effects"
IN_VIEW = _FOLDER / "labels.jsonl"
HELD_OUT = _FOLDER / "held_out.jsonl"
HELD_OUT_2 = _FOLDER / "held_out_2.jsonl"
HELD_OUT_3 = _FOLDER / "held_out_3.jsonl"
HELD_OUT_4 = _FOLDER / "held_out_4.jsonl"
SAMPLES = {
    "in view of the first rules": IN_VIEW,
    "held out of the first rules, where they were 82.9 % right, and in view since": HELD_OUT,
    "held out of the mended rules, where they were 90.0 % right, and in view since": HELD_OUT_2,
    "held out of the third rules, where they were 92.9 % right, and in view since": HELD_OUT_3,
    "held out of the fourth rules, where they were 95.6 % right, and in view since": HELD_OUT_4,
}
CLASSES = ("pure", "write", "destructive")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One labelled operation and what was judged of it."""

    source: str
    key: str
    label: str
    judged: str
    reason: str

    def __str__(self) -> str:
        return (
            f"{self.source} {self.key}: labelled {self.label}, judged {self.judged} ({self.reason})"
        )


def cases(sample: Path, judged: Callable[[Operation], Effects] = judge) -> Iterator[Case]:
    """A sample, judged."""
    for line in sample.read_text("utf-8").splitlines():
        row = json.loads(line)
        effects = judged(operation(row))
        yield Case(
            source=row["source"],
            key=f"{row['method']} {row['path']}",
            label=row["label"],
            judged=class_of(effects),
            reason=effects.reason,
        )


def operation(row: Mapping[str, Any]) -> Operation:
    """A row of the sample as lowering would give it; `answers` are `status media/type`."""
    answers = [answer.partition(" ") for answer in row.get("answers", ())]
    key = f"{row['method']} {row['path']}"
    return Operation(
        key=key,
        operation_id=row["operation_id"],
        tags=(),
        summary=row["summary"],
        description=row["description"],
        deprecated=False,
        call=HttpCall(method=row["method"], path=read_path(row["path"]).path),
        arguments=(),
        input_schema={"type": "object"},
        results=tuple(
            Result(status=status, media_type=media_type or None, schema=None)
            for status, _, media_type in answers
        ),
        output_schema=None,
        security=None,
        location=Location(file=row["source"], pointer=""),
    )


def class_of(effects: Effects) -> str:
    """The class that the labels speak of."""
    if effects.destructive:
        return "destructive"
    return "pure" if effects.read_only else "write"


def by_method(operation: Operation) -> Effects:
    """The judgement of those who look at nothing but the method."""
    assert isinstance(operation.call, HttpCall)
    return METHODS[operation.call.method]


def figures(judged: list[Case]) -> Iterator[str]:
    """Precision and recall of each class, and how many are right."""
    for name in CLASSES:
        said = [case for case in judged if case.judged == name]
        meant = [case for case in judged if case.label == name]
        right = sum(case.label == name for case in said)
        precision, recall = right / max(1, len(said)), right / max(1, len(meant))
        yield f"  {name:<12} precision {precision:6.1%}   recall {recall:6.1%}   of {len(meant)}"
    right = sum(case.label == case.judged for case in judged)
    yield f"  right        {right} of {len(judged)} = {right / len(judged):.1%}"


def report(sample: Path) -> Iterator[str]:
    """Everything that is printed of a sample."""
    judged = list(cases(sample))
    yield " by words"
    yield from figures(judged)
    yield " by method alone"
    yield from figures(list(cases(sample, by_method)))
    yield " disagreements"
    yield from (f"  {case}" for case in judged if case.label != case.judged)


if __name__ == "__main__":
    for name, path in SAMPLES.items():
        print(f"{name}: {path.name}", *report(path), sep="\n")
