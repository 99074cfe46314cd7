"""Reading a schema: SDL in one text or many, or introspection, leniently with warnings."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ...errors import InputError, describe
from ...model.findings import Warning
from ...model.nodes import Location
from ..recognise import introspected
from .core import Core, Fault, SchemaError, Text, from_introspection, from_sdl
from .schema import Schema


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A schema that was read, and what judges documents by it."""

    file: str  # as the user named it
    digest: str
    schema: Schema = field(repr=False)
    judge: Core = field(repr=False)
    warnings: tuple[Warning, ...] = ()

    def describe(self, location: Location) -> str:
        """The place with its line: `schema.graphql:41 #/Query/user`."""
        line = None
        if location.file == self.file:
            key = location.pointer.removeprefix("/").split("/")[:2]
            root = self.schema.root_names.get(key[0].lower(), key[0])
            line = self.schema.lines.get(".".join((root, *key[1:])))
        return describe(location, line=line)


def read_sdl(texts: Sequence[Text], *, file: str, strict: bool = False) -> Source:
    """A schema from SDL. Raises InputError when it means none, or is dirty and must not be."""
    try:
        schema, judge, faults = from_sdl(texts)
    except SchemaError as error:
        raise _input_error(error, file) from None
    return _source(file, [text.body for text in texts], schema, judge, faults, strict)


def read_introspection(data: Any, *, file: str, text: str, strict: bool = False) -> Source:
    """A schema from an introspection result, with or without its `data` wrapper."""
    inner = introspected(data)
    if inner is None:
        raise InputError(
            f"{file}: holds no `__schema`. Name the result of an introspection query, or SDL."
        )
    try:
        schema, judge, faults = from_introspection(inner)
    except SchemaError as error:
        raise _input_error(error, file) from None
    return _source(file, [text], schema, judge, faults, strict)


def _source(
    file: str,
    texts: Sequence[str],
    schema: Schema,
    judge: Core,
    faults: Sequence[Fault],
    strict: bool,
) -> Source:
    if schema.query is None:
        raise InputError(f"{file}: has no Query type, so there is nothing to ask. Add one.")
    if strict and faults:
        raise InputError(f"{_place(faults[0], file)}: {faults[0].text}; --strict forbids that.")
    digest = hashlib.sha256()
    for text in texts:
        digest.update(text.replace("\r\n", "\n").encode("utf-8", "surrogatepass"))
    return Source(
        file=file,
        digest=digest.hexdigest(),
        schema=schema,
        judge=judge,
        warnings=tuple(_warning(fault, file) for fault in faults),
    )


def _warning(fault: Fault, file: str) -> Warning:
    at = f" (line {fault.lines[-1]})" if fault.lines else ""
    return Warning(
        location=Location(file=fault.file or file, pointer=""), text=f"{fault.text}{at}."
    )


def _place(fault: Fault, file: str) -> str:
    name = fault.file or file
    return f"{name}:{fault.lines[0]}" if fault.lines else name


def _input_error(error: SchemaError, file: str) -> InputError:
    name = error.file or file
    place = f"{name}:{error.line}" if error.line else name
    return InputError(f"{place}: {error}. Correct it there.")
