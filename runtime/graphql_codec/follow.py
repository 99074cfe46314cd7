"""What is asked instead when an answer says that the same question will not do."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..operation import GraphQLOperation
from ..package import Persisted
from ..wire.reply import Reply
from ..wire.response import ResponseProblem
from . import classes
from .answer import at_root, forbidden_paths
from .request import Document
from .response import read
from .trim import leaves_only, without
from .uses import pruned


@dataclass(frozen=True, slots=True)
class Other:
    """Another document for the same call, and what is said of it."""

    document: Document
    note: str = ""


def other(
    operation: GraphQLOperation, document: Document, reply: Reply, persisted: Persisted
) -> Other | None:
    """What to ask next; None to take the answer as it is.

    A hash that the server does not know is followed by its text, which goes alone to one that
    takes no hashes. For a query of ours, a
    field that may not be seen is left out, and one that is too complex asks for leaves only.
    """
    if b'"errors"' not in reply.body:
        return None
    try:
        response = read(reply)
    except ResponseProblem:
        return None
    if response is None or not response.errors:
        return None
    if classes.has(response.errors, "unsupported_hash"):
        return Other(replace(document, known=False)) if persisted == "apq" else None
    if classes.has(response.errors, "unknown_hash"):
        learns = persisted == "apq" and not document.with_text
        return Other(replace(document, with_text=True)) if learns else None
    if not operation.effects.pure or operation.by_hand or persisted == "trusted":
        return None
    if at_root(response.data, operation.root) is not None:
        return None
    if (paths := forbidden_paths(response.errors)) and "forbidden" not in document.less:
        hidden = ", ".join(sorted({".".join(path[1:]) for path in paths}))
        note = f"Left out, because these credentials may not see it: {hidden}."
        return _less(document, without(document.text, paths), "forbidden", note)
    if classes.has(response.errors, "complex") and "complex" not in document.less:
        note = "The server found the question too complex, so objects below were left out."
        return _less(document, leaves_only(document.text, operation.root), "complex", note)
    return None


def _less(document: Document, text: str | None, why: str, note: str) -> Other | None:
    """The document with less in it; each reason takes from it once."""
    if text is None:
        return None
    written, dropped = pruned(text)
    smaller = replace(
        document,
        text=written,
        known=False,
        dropped=document.dropped | dropped,
        less=document.less | {why},
    )
    return Other(smaller, note)
