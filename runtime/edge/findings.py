"""What is wrong with the data of an answer, in words and as facts of a result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from ..result import ToolResult

SHOWN = 3  # problems of a result in a sentence


def problems_of(result: ToolResult) -> Iterator[str]:
    """What keeps an answer from being what it should, one sentence each."""
    if result.metadata.get("partial"):
        from ..graphql_codec.answer import partial_note

        yield partial_note(cast("Sequence[Mapping[str, object]]", result.metadata["errors"]))
    details = cast("list[dict[str, Any]]", result.metadata.get("result_problems", []))
    if result.success and details:
        yield f"This result is not as described at {_places(details)}."


def _places(details: list[dict[str, Any]]) -> str:
    """Where, without what stands there: a note of ours quotes nothing."""
    named = [str(one["pointer"] or "its top") for one in details[:SHOWN]]
    more = f" and {len(details) - SHOWN} more places" if len(details) > SHOWN else ""
    return ", ".join(name if len(name) <= 100 else f"{name[:99]}…" for name in named) + more


def in_brief(details: list[dict[str, Any]]) -> str:
    """The first problems with their reasons, which quote the data."""
    told = [f"{one['pointer'] or 'the whole'} {one['reason']}" for one in details[:SHOWN]]
    more = f" and {len(details) - SHOWN} more" if len(details) > SHOWN else ""
    return "; ".join(told)[:400] + more


def found_in(results: list[ToolResult]) -> dict[str, object]:
    """What was found wrong with pages, each thing with the number of its page from 1."""
    found: dict[str, object] = {}
    for name in ("errors", "result_problems"):
        told = [
            {"page": number, **one}
            for number, result in enumerate(results, 1)
            for one in cast("Sequence[Mapping[str, object]]", result.metadata.get(name, ()))
        ]
        if told:
            found[name] = tuple(told)
    if any(result.metadata.get("partial") for result in results):
        found["partial"] = True
    return found
