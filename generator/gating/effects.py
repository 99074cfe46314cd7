"""Judges what a call does from what the description says of it, and records the reason.

The rules are a table, weakest first: a later one that has an opinion overrides an earlier
one. In doubt the graver class stands; settings override everything.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, assert_never

from ...runtime.shown.closure import is_node
from ..model.api import Operation
from ..model.calls import GraphQLCall, HttpCall
from ..model.catalogue import Effects
from ..words import words
from .effect_words import by_wording
from .verb_table import act_of

_HINTS = {
    "readOnlyHint": "read_only",
    "destructiveHint": "destructive",
    "idempotentHint": "idempotent",
    "openWorldHint": "open_world",
}
"""MCP's tool annotations, as the protocol spells them."""
_SPELLINGS = {
    **_HINTS,
    "read_only_hint": "read_only",
    "destructive_hint": "destructive",
    "idempotent_hint": "idempotent",
    "open_world_hint": "open_world",
}
_CONSEQUENTIAL = "x-openai-isConsequential"

# RFC 9110, 9.2.1 and 9.2.2: which methods are safe, which idempotent.
METHODS = {
    "GET": Effects(read_only=True, destructive=False, idempotent=True, reason="GET reads"),
    "HEAD": Effects(read_only=True, destructive=False, idempotent=True, reason="HEAD reads"),
    "OPTIONS": Effects(read_only=True, destructive=False, idempotent=True, reason="OPTIONS reads"),
    "TRACE": Effects(read_only=True, destructive=False, idempotent=True, reason="TRACE reads"),
    "QUERY": Effects(read_only=True, destructive=False, idempotent=True, reason="QUERY reads"),
    "POST": Effects(read_only=False, destructive=False, idempotent=False, reason="POST creates"),
    "PUT": Effects(read_only=False, destructive=False, idempotent=True, reason="PUT replaces"),
    "PATCH": Effects(read_only=False, destructive=False, idempotent=False, reason="PATCH changes"),
    "DELETE": Effects(read_only=False, destructive=True, idempotent=True, reason="DELETE removes"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """What one rule says; None is no opinion."""

    read_only: bool | None = None
    destructive: bool | None = None
    idempotent: bool | None = None
    open_world: bool | None = None
    reason: str


Rule: TypeAlias = Callable[[Operation], Opinion | None]


def judge(operation: Operation) -> Effects:
    """The effects of a call, by its method or kind and then by every rule of the table."""
    effects = _by_kind(operation)
    for rule in RULES:
        opinion = rule(operation)
        if opinion is not None:
            effects = overridden(effects, opinion)
    return effects


def overridden(effects: Effects, opinion: Opinion) -> Effects:
    """The effects where an opinion has none, the opinion where it has one.

    What becomes read-only destroys nothing and may be repeated, and what destroys is not
    read-only, unless the opinion says so itself.
    """
    read_only = _first(opinion.read_only, False if opinion.destructive else None, effects.read_only)
    became_read_only = read_only and not effects.read_only
    return Effects(
        read_only=read_only,
        destructive=_first(opinion.destructive, False if read_only else None, effects.destructive),
        idempotent=_first(
            opinion.idempotent, True if became_read_only else None, effects.idempotent
        ),
        open_world=_first(opinion.open_world, effects.open_world),
        reason=_reason(effects, opinion),
    )


def _reason(effects: Effects, opinion: Opinion) -> str:
    decides = opinion.read_only is not None or opinion.destructive is not None
    return opinion.reason if decides else f"{effects.reason}; {opinion.reason}"


def _first(*values: bool | None) -> bool:
    return next((value for value in values if value is not None), False)


def _by_kind(operation: Operation) -> Effects:
    match operation.call:
        case HttpCall(method=method):
            unknown = Effects(
                read_only=False,
                destructive=True,
                idempotent=False,
                reason=f"{method} may do anything",
            )
            return METHODS.get(method, unknown)
        case GraphQLCall(kind="mutation"):
            return replace(METHODS["POST"], reason="a mutation changes something")
        case GraphQLCall(kind=kind):
            return replace(METHODS["GET"], reason=f"a {kind} reads")
        case _:
            assert_never(operation.call)


# ── rules ───────────────────────────────────────────────────────────────────────────


def by_words(operation: Operation) -> Opinion | None:
    """What the words of the name, the summary and the description say of the call, and its answers."""
    said = by_wording(operation)
    if said is None or (said.verdict == "pure" and isinstance(operation.call, GraphQLCall)):
        return None  # a mutation that reads would be a query
    match said.verdict:
        case "pure":
            return Opinion(read_only=True, reason=said.reason)
        case "write":
            acts = _by_kind(operation).read_only
            idempotent = False if acts else None  # a GET that acts promises nothing
            return Opinion(
                read_only=False, destructive=False, idempotent=idempotent, reason=said.reason
            )
        case "destructive":
            idempotent = False if _by_kind(operation).read_only else None
            return Opinion(destructive=True, idempotent=idempotent, reason=said.reason)


def by_root_fields(operation: Operation) -> Opinion | None:
    """What a mutation destroys by the first or last word of a field it calls.

    `deletePost` and `postDelete` are both in use, and a document may call several fields.
    """
    call = operation.call
    if not isinstance(call, GraphQLCall) or call.kind != "mutation":
        return None
    for root in call.roots:
        spoken = words(root.rpartition(".")[2])
        for word in (*spoken[:1], *spoken[-1:]):
            if act_of(word) in ("destroys", "removes"):
                return Opinion(destructive=True, reason=f'"{word}" in {root} destroys')
    return None


def by_consequence(operation: Operation) -> Opinion | None:
    """`x-openai-isConsequential`: true makes a read a write; false makes a POST a read.

    False is not believed of a PUT, PATCH or DELETE, nor of a POST whose words destroy.
    """
    said = operation.extensions.get(_CONSEQUENTIAL)
    if not isinstance(said, bool):
        return None
    reason = f"{_CONSEQUENTIAL}: {str(said).lower()}"
    known = _by_kind(operation)
    if said:
        return (
            Opinion(read_only=False, idempotent=False, reason=reason) if known.read_only else None
        )
    worded = by_wording(operation)
    destroys = worded is not None and worded.verdict == "destructive"
    if isinstance(operation.call, HttpCall) and operation.call.method == "POST" and not destroys:
        return Opinion(read_only=True, reason=reason)
    return None


def by_hints(operation: Operation) -> Opinion | None:
    """MCP's hints, wherever an extension for MCP keeps them.

    Seen in the field: `x-mcp-annotations`, `x-mcp: {annotations}`, `x-speakeasy-mcp`, and
    the bare hint as an extension of its own.
    """
    said: dict[str, bool] = {}
    where = ""
    for key, value in sorted(operation.extensions.items()):
        found = _hints(key, value)
        said.update(found)
        where = key if found else where
    if not said:
        return None
    listed = ", ".join(f"{name}: {str(value).lower()}" for name, value in sorted(said.items()))
    return Opinion(
        read_only=said.get("read_only"),
        destructive=said.get("destructive"),
        idempotent=said.get("idempotent"),
        open_world=said.get("open_world"),
        reason=f"{where} says {listed}",
    )


def _hints(key: str, value: Any) -> dict[str, bool]:
    bare = _SPELLINGS.get(key.removeprefix("x-").removeprefix("mcp-"))
    if bare is not None:
        return {bare: value} if isinstance(value, bool) else {}
    if "mcp" not in key.lower() or not is_node(value):
        return {}
    return _within(value)


def _within(value: Mapping[str, Any]) -> dict[str, bool]:
    said: dict[str, bool] = {}
    for inner in ("annotations", "hints", "mcp"):
        nested = value.get(inner)
        if is_node(nested):
            said.update(_within(nested))
    said.update(
        (_SPELLINGS[name], flag)
        for name, flag in value.items()
        if name in _SPELLINGS and isinstance(flag, bool)
    )
    return said


RULES: tuple[Rule, ...] = (by_words, by_root_fields, by_consequence, by_hints)
"""Weakest first; the method or kind of the call comes before all of them."""
