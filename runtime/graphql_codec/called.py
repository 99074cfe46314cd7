"""The committed tools that a document of this moment calls, and what their gates come to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..operation import Approval, Effects, Gate, GraphQLOperation
from ..tool import Tool
from .nodes import Body, DocumentNode, FieldNode, InlineNode, OperationNode
from .validate import InvalidDocument

_LABELS = {"query": "Query", "mutation": "Mutation", "subscription": "Subscription"}
_STRICTNESS: tuple[Approval, ...] = ("never", "destructive", "consequential", "always")


def label(kind: str, name: str) -> str:
    """A root field as reports spell it: `Mutation.createIssue`."""
    return f"{_LABELS[kind]}.{name}"


def fields(document: DocumentNode, body: Body) -> Iterator[FieldNode]:
    """The fields of a selection, also those in fragments."""
    for one in body.selections:
        if isinstance(one, FieldNode):
            if one.name != "__typename":
                yield one
        elif isinstance(one, InlineNode):
            yield from fields(document, one.body)
        else:
            yield from fields(document, document.fragments[one.name].body)


def called(document: DocumentNode, node: OperationNode, tools: Sequence[Tool]) -> list[Tool]:
    """The tools of every root field that an operation calls, also below namespaces.

    Of a root field that only documents of people call, all of their tools: each may be the
    gravest. Raises InvalidDocument for a field without a tool.
    """
    automatic: dict[str, Tool] = {}
    by_hand: dict[str, list[Tool]] = {}
    for tool in tools:
        operation = tool.operation
        if isinstance(operation, GraphQLOperation) and operation.by_hand:
            for root in operation.roots:
                by_hand.setdefault(root, []).append(tool)
        elif isinstance(operation, GraphQLOperation):
            automatic[label(operation.kind, operation.root)] = tool
    found: list[Tool] = []
    for one in fields(document, node.body):
        root = label(node.kind, one.name)
        those = _below(document, one, root, automatic) or by_hand.get(root, [])
        if not those:
            raise InvalidDocument(f"{root} has no tool in this package")
        found += those
    return found


def _below(
    document: DocumentNode, node: FieldNode, place: str, automatic: Mapping[str, Tool]
) -> list[Tool]:
    """The tool of a field, or those of what is asked of a namespace; none where neither is."""
    if place in automatic:
        return [automatic[place]]
    if node.body is None or not any(key.startswith(f"{place}.") for key in automatic):
        return []
    found: list[Tool] = []
    for one in fields(document, node.body):
        here = f"{place}.{one.name}"
        tools = _below(document, one, here, automatic)
        if not tools:
            raise InvalidDocument(f"{here} has no tool in this package")
        found += tools
    return found


def gravest(effects: Sequence[Effects]) -> Effects:
    """The effects of calls that are made together."""
    return Effects(
        read_only=all(one.read_only for one in effects),
        destructive=any(one.destructive for one in effects),
        idempotent=all(one.idempotent for one in effects),
        open_world=any(one.open_world for one in effects),
        reason="; ".join(dict.fromkeys(one.reason for one in effects)),
    )


def strictest(gates: Sequence[Gate]) -> Gate:
    """A gate that holds back whatever one of these would."""
    asked = {one.approval for one in gates}
    return Gate(
        approval=next(one for one in reversed(_STRICTNESS) if one in asked),
        requires=tuple(dict.fromkeys(name for one in gates for name in one.requires)),
        reads=tuple(dict.fromkeys(name for one in gates for name in one.reads)),
    )
