"""What a call does, and why that is believed."""

from typing import Any

import pytest

from toolmint.generator.gating.effects import Opinion, judge, overridden
from toolmint.generator.model.catalogue import Effects

from .samples import field, operation


def effects(*flags: str, reason: str, open_world: bool = True) -> Effects:
    return Effects(
        read_only="read_only" in flags,
        destructive="destructive" in flags,
        idempotent="idempotent" in flags,
        open_world=open_world,
        reason=reason,
    )


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("GET", effects("read_only", "idempotent", reason="GET reads")),
        ("HEAD", effects("read_only", "idempotent", reason="HEAD reads")),
        ("OPTIONS", effects("read_only", "idempotent", reason="OPTIONS reads")),
        ("TRACE", effects("read_only", "idempotent", reason="TRACE reads")),
        ("POST", effects(reason="POST creates")),
        ("PUT", effects("idempotent", reason="PUT replaces")),
        ("PATCH", effects(reason="PATCH changes")),
        ("DELETE", effects("destructive", "idempotent", reason="DELETE removes")),
        ("PURGE", effects("destructive", reason="PURGE may do anything")),
    ],
)
def test_the_method_decides_where_nothing_else_does(method: str, expected: Effects) -> None:
    assert judge(operation(f"{method} /things/{{id}}")) == expected


def test_a_query_reads_and_a_mutation_changes() -> None:
    assert judge(field("Query.a")) == effects("read_only", "idempotent", reason="a query reads")
    assert judge(field("Mutation.a", "mutation")) == effects(reason="a mutation changes something")


@pytest.mark.parametrize(
    ("method", "said", "expected"),
    [
        ("GET", True, effects(reason="x-openai-isConsequential: true")),
        (
            "POST",
            False,
            effects("read_only", "idempotent", reason="x-openai-isConsequential: false"),
        ),
        ("DELETE", False, effects("destructive", "idempotent", reason="DELETE removes")),
        ("POST", True, effects(reason="POST creates")),
        ("POST", "false", effects(reason="POST creates")),
    ],
)
def test_is_consequential_is_heard_where_it_can_be_believed(
    method: str, said: Any, expected: Effects
) -> None:
    extensions = {"x-openai-isConsequential": said}

    assert judge(operation(f"{method} /a", extensions=extensions)) == expected


@pytest.mark.parametrize(
    "extensions",
    [
        {"x-mcp-annotations": {"readOnlyHint": True}},
        {"x-mcp": {"annotations": {"readOnlyHint": True}}},
        {"x-speakeasy-mcp": {"annotations": {"readOnlyHint": True}}},
        {"x-mcp-tool": {"read_only_hint": True}},
        {"x-readOnlyHint": True},
    ],
)
def test_mcp_hints_are_found_wherever_they_are_kept(extensions: dict[str, Any]) -> None:
    (where,) = extensions

    assert judge(operation("POST /search", extensions=extensions)) == effects(
        "read_only", "idempotent", reason=f"{where} says read_only: true"
    )


def test_a_hint_that_decides_nothing_keeps_the_reason_of_the_method() -> None:
    said = {"x-mcp": {"idempotentHint": True, "openWorldHint": False}}

    assert judge(operation("POST /a", extensions=said)) == effects(
        "idempotent",
        open_world=False,
        reason="POST creates; x-mcp says idempotent: true, open_world: false",
    )


def test_what_destroys_is_not_read_only() -> None:
    said = {"x-mcp": {"destructiveHint": True}}

    assert judge(operation("GET /installation", extensions=said)) == effects(
        "destructive", "idempotent", reason="x-mcp says destructive: true"
    )


def test_settings_override_what_was_judged() -> None:
    judged = judge(operation("DELETE /stars/{id}"))

    assert overridden(judged, Opinion(destructive=False, reason="settings")) == effects(
        "idempotent", reason="settings"
    )
