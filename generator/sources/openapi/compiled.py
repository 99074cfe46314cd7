"""The last check of lowering: every schema compiles, and what does not is opened with a loss."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from ...model.api import Definitions, Operation
from ...model.nodes import Schema
from ...schema_check import culprits
from .circles import circles
from .findings import Findings, LoweringProblem
from .hiding import Direction


def compiled(
    findings: Findings,
    operations: list[Operation],
    definitions: Definitions,
    place: Callable[[str], str],
) -> tuple[list[Operation], Definitions]:
    """The same operations and definitions, without anything that a validator refuses.

    `place` says where the schema of a definition stands.

    A definition or a result that does not compile is opened; an operation whose own input
    schema does not is left out, because nobody could check its arguments.
    """
    opening = _Opening(findings, place)
    definitions = opening.without_circles(definitions)
    refused, refused_inputs = culprits(definitions.input, [one.input_schema for one in operations])
    inputs = opening.opened("input", definitions.input, _compiling(refused))
    for index, why in refused_inputs.items():
        one = operations[index]
        problem = LoweringProblem(one.location, f"its input schema does not compile: {why}")
        findings.leave_out(one.key, problem)
    kept = [one for index, one in enumerate(operations) if index not in refused_inputs]

    described = list({id(one): one for each in kept for one in _described(each)}.values())
    refused, refused_results = culprits(definitions.output, described)
    outputs = opening.opened("output", definitions.output, _compiling(refused))
    if refused_results:
        broken = {id(described[index]): why for index, why in refused_results.items()}
        kept = [_without(findings, one, broken) for one in kept]
    return kept, Definitions(input=inputs, output=outputs)


def _described(operation: Operation) -> Iterator[Schema]:
    """Schemas of the results that say more than which definition they are."""
    for schema in (operation.output_schema, *(result.schema for result in operation.results)):
        if isinstance(schema, Mapping) and not (len(schema) == 1 and "$ref" in schema):
            yield schema


def _without(findings: Findings, operation: Operation, broken: Mapping[int, str]) -> Operation:
    """The operation with its broken results undescribed."""
    reasons = [broken[id(one)] for one in _described(operation) if id(one) in broken]
    if not reasons:
        return operation
    with findings.within(operation.key):
        findings.lose(operation.location, f"a result's schema does not compile: {reasons[0]}")
    return replace(
        operation,
        output_schema=None,
        results=tuple(
            replace(result, schema=None) if id(result.schema) in broken else result
            for result in operation.results
        ),
    )


@dataclass(frozen=True, slots=True)
class _Opening:
    """Takes everything for a definition that cannot be checked, with a loss for who uses it."""

    findings: Findings
    place: Callable[[str], str]

    def without_circles(self, definitions: Definitions) -> Definitions:
        """The definitions, open where one only refers to itself."""
        return Definitions(
            input=self.opened("input", definitions.input, _endless(definitions.input)),
            output=self.opened("output", definitions.output, _endless(definitions.output)),
        )

    def opened(
        self, direction: Direction, definitions: Mapping[str, Schema], refused: Mapping[str, str]
    ) -> Mapping[str, Schema]:
        """The definitions, with everything allowed for those that are refused: name → why."""
        for name, why in sorted(refused.items()):
            with self.findings.within((direction, name)):
                self.findings.lose(
                    self.place(name), f"the definition {name!r} {why}; any value is taken"
                )
        return {name: {} if name in refused else schema for name, schema in definitions.items()}


def _endless(definitions: Mapping[str, Schema]) -> dict[str, str]:
    return dict.fromkeys(circles(definitions), "refers to nothing but itself")


def _compiling(refused: Mapping[str, str]) -> dict[str, str]:
    return {name: f"does not compile ({why})" for name, why in refused.items()}
