"""Lowering: what an OpenAPI document means, as the neutral model."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Any

from ...load import Document
from ...mentions import reachable
from ...model.api import Api, Definitions, Operation, Tag
from ...model.nodes import Schema
from ...model.security import SecurityScheme
from ...plain import as_array, as_object
from ...reading.library import Library
from .array_formats import usual_format
from .bodies import BodyReader
from .compiled import compiled
from .definitions import Names
from .findings import Findings, Lost, LoweringProblem
from .operations import Found, OperationReader, extensions, find
from .parameters import ParameterReader
from .references import References
from .results import ResultReader
from .scalars import prose
from .schemas import SchemaReader
from .security import WHOLE_SECURITY, SecurityReader
from .servers import ServerReader
from .skeleton import check_skeleton
from .stray import taken_in
from .versions import openapi_version


@dataclass(frozen=True, slots=True, kw_only=True)
class LowerOptions:
    """What a user may choose about reading a description."""

    media_types: Mapping[str, str] = field(default_factory=dict[str, str])
    # ^ operationId or key of an operation → the media type of its body, if it has that
    library: Library | None = None  # opens the other documents that references name


def lower(document: Document, options: LowerOptions | None = None) -> Api:
    """The meaning of a description, free of its syntax.

    An operation that cannot become a tool is left out, the rest goes on. Raises InputError
    when the document is no OpenAPI description at all. Nothing is requested, and nothing is
    read but what the library opens.
    """
    return _Lowering(document, options or LowerOptions()).api()


class _Lowering:
    """The parts of one run, wired to each other."""

    def __init__(self, document: Document, options: LowerOptions) -> None:
        version = openapi_version(document)
        written = taken_in(document.data, References(document, options.library))
        document = replace(document, data=written)
        self._written, self._version = written, version
        origins: Mapping[str, str] = {}
        lost: Sequence[Lost] = ()
        library = options.library
        if version == "2.0":
            from .swagger2 import convert

            references = References(document, library)
            converted = convert(document.data, document.address, references)
            document, origins = replace(document, data=converted.data), converted.origins
            lost = converted.lost
        self._document = document
        self._root = document.data
        name = library.file if library else str
        self._findings = findings = Findings(document.file, origins, name, document.origin)
        findings.lose_all(lost)
        self._references = references = References(document, library)
        self._names = names = Names(self._root)
        siblings = version >= "3.1"
        self._input = SchemaReader(references, names, findings, "input", siblings=siblings)
        self._output = SchemaReader(references, names, findings, "output", siblings=siblings)
        components = as_object(self._root.get("components"))
        self._security = SecurityReader(references, findings, components.get("securitySchemes"))
        with findings.within(WHOLE_SECURITY):
            required = self._security.requirement(self._root.get("security"), "/security")
        self._requirement = required or ()
        self._servers = ServerReader(findings, document.address)
        self._operations = self._operation_reader(options)

    def _operation_reader(self, options: LowerOptions) -> OperationReader:
        references, findings, arrays = self._references, self._findings, usual_format(self._root)
        return OperationReader(
            findings=findings,
            references=references,
            parameters=ParameterReader(references, findings, self._input, arrays),
            bodies=BodyReader(references, findings, self._input, arrays),
            results=ResultReader(references, findings, self._output),
            servers=self._servers,
            security=self._security,
            requirement=self._requirement,
            media_types=options.media_types,
        )

    def api(self) -> Api:
        check_skeleton(self._findings, self._written, version=self._version)
        paths = as_object(self._root.get("paths"))
        info = as_object(self._root.get("info"))
        servers = self._servers.whole(self._root.get("servers"), "/servers")
        found = list(find(paths, self._references, self._findings, version=self._version))
        operations = [one for one in map(self._operation, found) if one is not None]
        operations, definitions = compiled(
            self._findings, operations, self._definitions(operations), self._names.pointer
        )
        return Api(
            title=self._text(info, "title") or PurePath(self._document.file).stem,
            version=self._text(info, "version"),
            description=self._text(info, "description") or self._text(info, "summary"),
            servers=servers,
            security=self._requirement,
            security_schemes=_by_name(self._security.schemes),
            tags=self._tags(self._root.get("tags")),
            operations=tuple(operations),
            definitions=definitions,
            losses=self._findings.losses,
            left_out=self._findings.left_out,
            warnings=self._findings.warnings,
            operation_count=len(found),
            extensions={**extensions(info), **extensions(self._root)},
            location=self._findings.location(""),
        )

    def _text(self, info: Mapping[str, Any], key: str) -> str:
        return prose(self._findings, info, key, "/info")

    def _tags(self, declared: Any) -> tuple[Tag, ...]:
        """Declared tags, each name once."""
        found: dict[str, Tag] = {}
        for index, tag in enumerate(as_array(declared)):
            name = as_object(tag).get("name")
            if isinstance(name, str) and name not in found:
                told = prose(self._findings, tag, "description", ("/tags", index))
                found[name] = Tag(name=name, description=told)
        return tuple(found.values())

    def _operation(self, found: Found) -> Operation | None:
        with self._findings.within(found.key):
            try:
                return self._operations.read(found)
            except LoweringProblem as problem:
                described = as_object(found.described)
                said = described.get("operationId")
                self._findings.leave_out(
                    found.key,
                    problem,
                    operation_id=said if isinstance(said, str) else None,
                    tags=tuple(
                        tag for tag in as_array(described.get("tags")) if isinstance(tag, str)
                    ),
                )
                return None

    def _definitions(self, operations: list[Operation]) -> Definitions:
        returned = [one.output_schema for one in operations if one.output_schema is not None]
        described = [result.schema for one in operations for result in one.results]
        return Definitions(
            input=_used((one.input_schema for one in operations), self._input.definitions()),
            output=_used(
                returned + [schema for schema in described if schema is not None],
                self._output.definitions(),
            ),
        )


def _used(roots: Iterable[Schema], definitions: Mapping[str, Schema]) -> dict[str, Schema]:
    return {name: definitions[name] for name in sorted(reachable(roots, definitions))}


def _by_name(schemes: Mapping[str, SecurityScheme]) -> dict[str, SecurityScheme]:
    return {name: schemes[name] for name in sorted(schemes)}
