"""Documents with less in them: without some fields, or without objects below the root."""

from collections.abc import Collection, Iterator, Sequence

from .nodes import Body, DocumentNode, FieldNode, InlineNode
from .syntax import GraphQLSyntaxError, parse

_STRUCTURE = frozenset(("nodes", "edges", "node", "pageInfo"))
Path = tuple[str, ...]


def without(text: str, paths: Collection[Path]) -> str | None:
    """The document without the fields at these response paths; None when nothing is left.

    Objects that held nothing else go too; the root field never does.
    """
    document = parse(text)
    operation = document.operations[0]
    cuts = list(_cuts(operation.body, (), frozenset(paths)))
    if not cuts or any(len(path) <= 1 for path, _ in cuts):
        return None
    return _cut(text, [span for _, span in cuts])


def leaves_only(text: str, root: str) -> str | None:
    """The document with only the leaves of its root's objects; None where that is no less."""
    document = parse(text)
    body = root_body(document, root)
    if body is None:
        return None
    spans = list(_objects(body))
    left = _cut(text, spans)
    try:
        parse(left)
    except GraphQLSyntaxError:  # an object had nothing but objects
        return None
    return left if spans else None


def root_body(document: DocumentNode, root: str) -> Body | None:
    """The selection of what a dotted path of response keys leads to."""
    body: Body | None = document.operations[0].body
    for key in root.split("."):
        fields = body.selections if body else ()
        found = [one for one in fields if isinstance(one, FieldNode) and one.key == key]
        body = found[0].body if found else None
    return body


def _cuts(
    body: Body, place: Path, paths: frozenset[Path]
) -> Iterator[tuple[Path, tuple[int, int]]]:
    for one in body.selections:
        if isinstance(one, FieldNode):
            here = (*place, one.key)
            if here in paths or (one.body is not None and _all_gone(one.body, here, paths)):
                yield here, (one.start, one.end)
            elif one.body is not None:
                yield from _cuts(one.body, here, paths)
        elif isinstance(one, InlineNode):
            if _all_gone(one.body, place, paths):
                yield (*place, "..."), (one.start, one.end)
            else:
                yield from _cuts(one.body, place, paths)


def _all_gone(body: Body, place: Path, paths: frozenset[Path]) -> bool:
    return all(
        isinstance(one, FieldNode)
        and (
            (*place, one.key) in paths
            or (one.body is not None and _all_gone(one.body, (*place, one.key), paths))
        )
        for one in body.selections
    )


def _objects(body: Body) -> Iterator[tuple[int, int]]:
    for one in body.selections:
        if isinstance(one, FieldNode) and one.body is not None:
            if one.name in _STRUCTURE:
                yield from _objects(one.body)
            else:
                yield one.start, one.end
        elif isinstance(one, InlineNode):
            yield from _objects(one.body)


def _cut(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text without these spans; a line that held nothing else goes with its span."""
    for start, end in sorted(spans, reverse=True):
        line = text.rfind("\n", 0, start) + 1
        if not text[line:start].strip() and text[end : end + 1] == "\n":
            start, end = line, end + 1
        text = text[:start] + text[end:]
    return text
