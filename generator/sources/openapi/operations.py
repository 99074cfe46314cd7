"""One operation at a time: from its Path Item and Operation Objects to the neutral model."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...model import HttpCall, Operation, SecurityRequirement, Server
from ...plain import as_object, as_text, is_array, is_object, ordered
from ...pointers import Place
from .arguments import input_schema, table
from .bodies import BodyReader
from .contents import is_field_name
from .findings import Findings, LoweringProblem
from .links import links
from .parameters import ParameterReader
from .path_parameters import agree
from .paths import read_path
from .references import BrokenReference, References
from .results import ResultReader, accepted, output_schema
from .security import SecurityReader
from .servers import ServerReader
from .taken import sort_out

_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """An operation where it stands, with what its path item says for all of its methods."""

    key: str
    method: str
    path: str
    described: Any
    place: Place
    shared: Mapping[str, Any]
    shared_place: Place


def find(
    paths: Mapping[str, Any], references: References, findings: Findings, *, version: str
) -> Iterator[Found]:
    """Every operation under `paths`, by path, then by method."""
    for path in sorted(paths):
        if path.startswith("x-"):
            continue
        place: Place = ("/paths", path)
        try:
            item, at = references.follow(paths[path], place)
        except BrokenReference as problem:
            findings.leave_out(path, LoweringProblem(place, f"the path cannot be read: {problem}"))
            continue
        own = as_object(paths[path] if at != place else None)
        item = {**item, **{key: own[key] for key in own if key != "$ref"}}
        for method, described, keys in sorted(_methods(item, version), key=lambda one: one[0]):
            home: Place = place if keys[0] in own else at
            for key in keys:
                home = (home, key)
            yield Found(
                key=f"{method} {path}",
                method=method,
                path=path,
                described=described,
                place=home,
                shared=item,
                shared_place=at,
            )


def _methods(item: Mapping[str, Any], version: str) -> Iterator[tuple[str, Any, tuple[str, ...]]]:
    newest = version >= "3.2"
    for method in (*_METHODS, "query") if newest else _METHODS:
        if method in item:
            yield method.upper(), item[method], (method,)
    more = as_object(item.get("additionalOperations") if newest else None)
    for method in sorted(more):
        yield method, more[method], ("additionalOperations", method)


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationReader:
    """Reads operations with the readers of their parts."""

    findings: Findings
    references: References
    parameters: ParameterReader
    bodies: BodyReader
    results: ResultReader
    servers: ServerReader
    security: SecurityReader
    requirement: SecurityRequirement  # of the document
    media_types: Mapping[str, str]

    def read(self, found: Found) -> Operation:
        """The operation. Raises LoweringProblem when it cannot become a tool."""
        described = found.described
        if not is_object(described):
            raise LoweringProblem(found.place, "the operation is no object")
        if not is_field_name(found.method):  # a method is a token, as field names are
            raise LoweringProblem(found.place, f"{found.method!r} is no HTTP method")
        operation_id = described.get("operationId")
        name = operation_id if isinstance(operation_id, str) and operation_id.strip() else None
        requirement = self.security.requirement(
            described.get("security"), (found.place, "security")
        )
        path = read_path(found.path)
        declared = self.parameters.read_all(
            (found.shared.get("parameters"), (found.shared_place, "parameters")),
            (described.get("parameters"), (found.place, "parameters")),
        )
        agreed = agree(self.findings, path, declared, found.place)
        parameters = sort_out(
            self.security,
            agreed.arguments,
            self.requirement if requirement is None else requirement,
        )
        request = self.bodies.read(
            described.get("requestBody"),
            (found.place, "requestBody"),
            self.media_types.get(found.key) or self.media_types.get(name or ""),
        )
        arguments = table(parameters.arguments, request.arguments)
        results = self.results.read(described.get("responses"), (found.place, "responses"))
        return Operation(
            key=found.key,
            operation_id=name,
            tags=_strings(described.get("tags")),
            summary=_text(described, "summary") or _text(found.shared, "summary"),
            description=_text(described, "description") or _text(found.shared, "description"),
            deprecated=described.get("deprecated") in (True, "true"),
            call=HttpCall(
                method=found.method,
                path=agreed.template,
                query=path.query,
                body=request.body,
                servers=self._servers(found),
                accept=accepted(results),
            ),
            arguments=arguments,
            input_schema=input_schema(arguments, request.together),
            results=results,
            output_schema=output_schema(results),
            security=requirement,
            credentials=parameters.credentials,
            idempotency_key=parameters.idempotency_key,
            extensions={
                key: ordered(described[key]) for key in sorted(described) if key.startswith("x-")
            },
            links=links(described.get("responses"), found.place, self.references),
            location=self.findings.location(found.place),
        )

    def _servers(self, found: Found) -> tuple[Server, ...] | None:
        """The nearest list: the operation's, the path item's; None leaves it to the document."""
        for holder, place in (
            (found.described, found.place),
            (found.shared, found.shared_place),
        ):
            servers = self.servers.read(holder.get("servers"), (place, "servers"))
            if servers:
                return servers
        return None


def _text(holder: Mapping[str, Any], key: str) -> str:
    return as_text(holder.get(key))


def _strings(values: Any) -> tuple[str, ...]:
    """The strings of a list, each once; a single string counts as a list of one."""
    if isinstance(values, str):
        return (values,)
    if not is_array(values):
        return ()
    return tuple(dict.fromkeys(value for value in values if isinstance(value, str)))
