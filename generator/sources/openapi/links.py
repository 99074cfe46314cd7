"""Link Objects: which operations the result of an operation leads to (OpenAPI 3.1, 4.8.20)."""

from collections.abc import Iterator
from typing import Any

from ...plain import as_object, is_object
from ...pointers import Place, fragment_tokens
from .references import BrokenReference, References


def links(responses: Any, place: Place, references: References) -> tuple[str, ...]:
    """The operationIds and keys (`GET /a`) that links name, each once, by status and name.

    A link that cannot be read leads nowhere; nothing is lost but a suggestion.
    """
    found: dict[str, None] = {}
    described = as_object(responses)
    for status in sorted(described):
        at: Place = ((place, "responses"), status)
        for link in _links(described[status], at, references):
            named = link.get("operationId")
            name = named if isinstance(named, str) else _key(link.get("operationRef"))
            if name:
                found[name] = None
    return tuple(found)


def _links(response: Any, place: Place, references: References) -> Iterator[dict[str, Any]]:
    if not is_object(response) or not ("links" in response or "$ref" in response):
        return
    try:
        whole, at = references.follow(response, place)
        held = as_object(whole.get("links"))
        for name in sorted(held):
            yield dict(references.follow(held[name], ((at, "links"), name))[0])
    except BrokenReference:
        return


def _key(reference: Any) -> str | None:
    """`#/paths/~1users~1{id}/get` as `GET /users/{id}`; None for another document's."""
    if not isinstance(reference, str) or not reference.startswith("#/paths/"):
        return None
    tokens = fragment_tokens(reference[1:])
    return f"{tokens[2].upper()} {tokens[1]}" if len(tokens) == 3 else None
