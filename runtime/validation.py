"""Check arguments against their full schema, and say what is wrong so that a model can mend it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn, cast

from .wire.formats import is_duration, is_time
from .wire.values import is_array, is_object

if TYPE_CHECKING:
    from jsonschema_rs import ValidationError

ECHO = 60  # characters of a wrong value that are shown
EXPECTED = 400  # characters of a sub-schema that are shown in a message
SHOWN = 8  # problems in a message; `details` have all
THE_VALUE = "the value"  # what stands in the library's sentences instead of the value itself


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with the arguments. `pointer` is the place, RFC 6901; it need not exist."""

    pointer: str
    argument: str | None  # the top-level argument, None when it is about all of them
    reason: str
    expected: object = None  # the schema of that place, where there is one

    def detail(self) -> dict[str, object]:
        """The problem as plain data, for `ToolError.details`."""
        told: dict[str, object] = {
            "pointer": self.pointer,
            "argument": self.argument,
            "reason": self.reason,
        }
        return told if self.expected is None else {**told, "expected": self.expected}


class Validator:
    """A compiled JSON Schema 2020-12: formats asserted, nothing ever fetched.

    Raises ValueError for a schema that does not compile.
    """

    def __init__(self, schema: Mapping[str, Any]) -> None:
        from jsonschema_rs import Draft202012Validator

        self._schema = schema
        self._compiled = Draft202012Validator(
            cast("dict[str, Any]", schema),
            validate_formats=True,
            formats={"duration": is_duration, "time": is_time},
            retriever=_refuse,
            mask=THE_VALUE,
        )

    def problems(self, value: object) -> list[Problem]:
        """All that is wrong, in the schema's order; a value that is not JSON is one problem."""
        try:
            if self._compiled.is_valid(value):
                return []
            errors = list(self._compiled.iter_errors(value))
        except ValueError as error:
            return [Problem("", None, f"not JSON: {error}")]
        found = [problem for error in errors for problem in self._explain(error, value)]
        return list({(problem.pointer, problem.reason): problem for problem in found}.values())

    def _explain(self, error: ValidationError, value: object) -> Iterator[Problem]:
        kind, path = error.kind.name, error.instance_path
        schema = _at(self._schema, error.schema_path[:-1])
        if kind == "required":
            missing = str(getattr(error.kind, "property", ""))
            expected = _member(schema, missing) or self._top(path, missing)
            yield _problem([*path, missing], "is required", expected)
        elif _about_unknown(error):
            yield from self._unknown(error, schema, value)
        else:
            yield _problem(path, _reason(error, value), None if kind == "falseSchema" else schema)

    def _unknown(self, error: ValidationError, schema: object, value: object) -> Iterator[Problem]:
        allowed = _at(schema, ["unevaluatedProperties"])
        if is_object(allowed):  # others are welcome, but not as these are
            for name in _unexpected(error, None, ()):
                yield _problem([*error.instance_path, name], "is not as it must be", allowed)
            return
        known = _known(schema)
        given = _at(value, error.instance_path)
        for name in _unexpected(error, given, known):
            yield _problem([*error.instance_path, name], f"is unknown{_near(name, known)}", None)

    def _top(self, path: Sequence[str | int], name: str) -> object:
        return None if path else _member(self._schema, name)


def message(tool: str, problems: Sequence[Problem]) -> str:
    """What a model needs to mend its call: each place, what is wrong there, what is expected."""
    count = len(problems)
    lines = [f"{tool}: {'1 problem' if count == 1 else f'{count} problems'} with the arguments"]
    for problem in problems[:SHOWN]:
        place = problem.pointer[:EXPECTED] or "the arguments"
        line = f"- {place}: {problem.reason}"
        if problem.expected is not None:
            line += f"; expected {shortened(problem.expected, EXPECTED)}"
        lines.append(line)
    if count > SHOWN:
        lines.append(f"- and {count - SHOWN} more")
    return "\n".join(lines)


def near_names(name: str, known: Sequence[str]) -> list[str]:
    """At most three known names that look like this one, the nearest first."""
    from difflib import get_close_matches

    return get_close_matches(name, known, n=3, cutoff=0.6)


def did_you_mean(name: str, known: Sequence[str]) -> str:
    """What follows the word of a name that is not known: the near ones, or nothing."""
    near = near_names(name, known)
    return f"; did you mean {' or '.join(near)}?" if near else ""


def not_there(kind: str, name: str, known: Sequence[str]) -> str:
    """That nothing has this name, and which near ones there are."""
    return f"there is no {kind} {name[:80]!r}{did_you_mean(name, known)}"


def shortened(value: object, room: int) -> str:
    """Compact JSON text of at most `room` characters."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_type_name)
    return text if len(text) <= room else f"{text[: room - 1]}…"


def pointer(path: Sequence[str | int]) -> str:
    """An RFC 6901 pointer."""
    return "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in path)


def _problem(path: Sequence[str | int], reason: str, expected: object) -> Problem:
    argument = str(path[0]) if path else None
    return Problem(pointer(path), argument, reason, expected if _worth_showing(expected) else None)


def _worth_showing(expected: object) -> bool:
    """The schema of all arguments, or a bare true or false, says nothing about one place."""
    return isinstance(expected, Mapping) and "$defs" not in expected


def _reason(error: ValidationError, value: object) -> str:
    wrong = shortened(_at(value, error.instance_path), ECHO)
    kind = error.kind.name
    sentence = error.message
    if kind == "type":
        types = cast("list[str]", error.kind.value)
        sentence = f"must be {' or '.join(types)}"
    elif kind in ("anyOf", "oneOf"):
        sentence = f"fits none of the allowed forms{_closest(error)}"
        if "more than one" in error.message:
            sentence = "fits more than one of the allowed forms, where exactly one is wanted"
    elif kind == "falseSchema":
        sentence = "is not allowed"
    elif kind == "format":
        sentence = f"must be a valid {error.kind.value}"
    else:
        sentence = sentence.removeprefix(f"{THE_VALUE} ")
    return f"{sentence[:EXPECTED]}, got {wrong}"


def _closest(error: ValidationError) -> str:
    """What keeps the value from the form it comes nearest to: the one it fails deepest inside."""
    branches = cast("list[list[ValidationError]]", getattr(error.kind, "context", []))
    depth = len(error.instance_path)
    inside = [errors for errors in branches if errors and all(_below(one, depth) for one in errors)]
    if not inside:
        return ""
    nearest = min(inside, key=len)[0]
    where = pointer(nearest.instance_path) or "the whole"
    return f" (nearest: {where}: {nearest.message.removeprefix(THE_VALUE + ' ')[: ECHO * 2]})"


def _below(error: ValidationError, depth: int) -> bool:
    return len(error.instance_path) > depth or error.kind.name == "required"


def _about_unknown(error: ValidationError) -> bool:
    return error.kind.name in ("additionalProperties", "unevaluatedProperties") or (
        error.kind.name == "falseSchema"
        and error.schema_path[-1:] in (["additionalProperties"], ["unevaluatedProperties"])
    )


def _unexpected(error: ValidationError, given: object, known: Sequence[str]) -> list[str]:
    """The names that are too many; the library does not say them where none is declared."""
    if error.kind.name != "falseSchema":
        return [str(name) for name in cast("list[object]", error.kind.value)]
    names = cast("Mapping[str, object]", given) if isinstance(given, Mapping) else ()
    return [name for name in names if name not in known]


def _near(name: str, known: Sequence[str]) -> str:
    if not known:
        return "; none is allowed"
    if meant := did_you_mean(name, known):
        return meant
    return f"; known are {', '.join(known)}" if len(known) <= 12 else ""


def _known(schema: object) -> list[str]:
    properties = _at(schema, ["properties"])
    return list(cast("Mapping[str, object]", properties)) if isinstance(properties, Mapping) else []


def _member(schema: object, name: str) -> object:
    return _at(schema, ["properties", name])


def _at(value: object, path: Sequence[str | int]) -> object:
    """The part of plain data at a path, None when it is not there."""
    for part in path:
        if is_object(value):
            value = value.get(str(part))
        elif is_array(value) and isinstance(part, int) and part < len(value):
            value = value[part]
        else:
            return None
    return value


def _type_name(value: object) -> str:
    return f"<{type(value).__name__}>"


def _refuse(uri: str) -> NoReturn:
    raise ValueError(f"schemas are never fetched: {uri}")
