"""Discriminators: every branch of a union gets the tag that tells it apart."""

from collections.abc import Iterator, Mapping
from typing import Any

from ...plain import as_array, as_object, is_array, is_object
from ...pointers import Place, tokens
from .references import BrokenReference, References

_DEEPEST = 10


def tagged(
    references: References,
    schema: Mapping[str, Any],
    place: Place,
    out: dict[str, Any],
) -> dict[str, Any]:
    """The read schema with `const` tags on the branches of its union, and a sentence.

    The union stays, nothing becomes required. A branch that says itself what its tag is
    keeps that: a mapping that contradicts it would make the branch unsatisfiable. The branch
    for every other tag (3.2, `defaultMapping`) gets none.
    """
    said = schema["discriminator"]
    discriminator = {"propertyName": said} if isinstance(said, str) else as_object(said)  # 2.0
    name = discriminator.get("propertyName")
    if not isinstance(name, str):
        return out
    tags = _mapped(references, discriminator.get("mapping"), place)
    other = discriminator.get("defaultMapping")
    default = _mapped(references, {"": other} if other else {}, place).get("")
    kept: dict[str, str] = {}
    otherwise: str | None = None
    union = next((key for key in ("oneOf", "anyOf") if is_array(out.get(key))), None)
    if union is not None and is_array(schema.get(union)):
        branches: list[Any] = []
        for written, read in zip(schema[union], out[union], strict=True):
            target = _target(references, written, place)
            values = _tags(tags, target)
            if target is not None and target == default and is_object(read):
                otherwise = str(read.get("$ref", "")) or None
                values = [tag for tag in values if tag in tags]
                kept.update((value, str(read["$ref"])) for value in values if otherwise)
            elif target is not None and values and is_object(read) and "$ref" in read:
                kept.update((value, str(read["$ref"])) for value in values)
                if not any(_own_tags(references, target, name)):
                    read = {**read, "properties": {name: _tag(values)}}
            branches.append(read)
        out = {**out, union: branches}
    out["discriminator"] = _written(name, kept, otherwise)
    if values := sorted(kept) or sorted(tags):
        out["description"] = _sentence(out.get("description"), name, values, otherwise)
    return out


def _written(name: str, mapping: Mapping[str, str], otherwise: str | None) -> dict[str, Any]:
    """A Discriminator Object."""
    told: dict[str, Any] = {"propertyName": name}
    if mapping:
        told["mapping"] = {tag: mapping[tag] for tag in sorted(mapping)}
    if otherwise is not None:
        told["defaultMapping"] = otherwise
    return told


def _mapped(references: References, mapping: Any, place: Place) -> dict[str, str]:
    """Tag → pointer of the schema it stands for; a bare name is one under `components`."""
    found: dict[str, str] = {}
    for value, target in sorted(as_object(mapping).items()):
        for reference in (target, f"#/components/schemas/{target}"):
            pointer = _target(references, {"$ref": reference}, place)
            if pointer is not None:
                found[value] = pointer
                break
    return found


def _target(references: References, branch: Any, place: Place) -> str | None:
    reference = as_object(branch).get("$ref")
    if not isinstance(reference, str):
        return None
    try:
        return references.resolve(reference, place).pointer
    except BrokenReference:
        return None


def _tags(mapped: Mapping[str, str], pointer: str | None) -> list[str]:
    """The tags of a branch: those mapped to it, or else the name of its schema."""
    if pointer is None:
        return []
    return [tag for tag, target in mapped.items() if target == pointer] or [*tokens(pointer)[-1:]]


def _own_tags(references: References, pointer: str, name: str, depth: int = 0) -> Iterator[Any]:
    """`const` or `enum` that the schema at a pointer has for its tag, through `allOf`."""
    yield from _tags_within(references, references.at(pointer).value, pointer, name, depth)


def _tags_within(
    references: References, schema: Any, place: Place, name: str, depth: int
) -> Iterator[Any]:
    if not is_object(schema) or depth > _DEEPEST:
        return
    reference = schema.get("$ref")
    if isinstance(reference, str):
        try:
            target = references.resolve(reference, place)
        except BrokenReference:
            return
        yield from _tags_within(references, target.value, target.pointer, name, depth + 1)
    yield from _values(references, as_object(schema.get("properties")).get(name), place)
    for branch in as_array(schema.get("allOf")):
        yield from _tags_within(references, branch, place, name, depth + 1)


def _values(references: References, schema: Any, place: Place) -> Iterator[Any]:
    """The value that a tag is fixed to: an enumeration of several fixes nothing."""
    try:
        schema, _ = references.follow(schema, place)
    except BrokenReference:
        return
    if schema.get("const") is not None:
        yield schema["const"]
    values = schema.get("enum")
    if is_array(values) and len(values) == 1:
        yield values[0]


def _tag(values: list[str]) -> dict[str, Any]:
    return {"const": values[0]} if len(values) == 1 else {"enum": values}


def _sentence(description: Any, name: str, values: list[str], otherwise: str | None) -> str:
    told = f"`{name}` tells the kinds apart: {', '.join(f'`{value}`' for value in values)}"
    told += f"; anything else is `{otherwise.rpartition('/')[2]}`." if otherwise else "."
    return f"{description}\n\n{told}" if isinstance(description, str) and description else told
