"""One operation at a time: from its Path Item and Operation Objects to the neutral model."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...model.api import Operation
from ...model.calls import HttpCall, Server
from ...model.security import SecurityRequirement
from ...plain import as_object, is_object, ordered
from ...pointers import Place
from .arguments import input_schema, table
from .bodies import BodyReader
from .contents import is_field_name
from .findings import Findings, LoweringProblem
from .links import links
from .methods import entries
from .parameters import Declared, ParameterReader
from .path_parameters import agree
from .paths import read_path
from .references import BrokenReference, References
from .results import ResultReader, accepted, output_schema
from .scalars import prose, strings, switch, text
from .security import WHOLE_SECURITY, SecurityReader
from .servers import ServerReader
from .taken import sort_out


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
    problem: str = ""  # why it cannot become a tool, whatever it says


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
        with findings.within(("path", path)):
            found = sorted(entries(item, findings, at, version=version), key=lambda one: one.method)
        if not found:  # there is no operation to tell it of
            findings.reach(("path", path))
        for entry in found:
            home: Place = place if entry.keys[0] in own else at
            for key in entry.keys:
                home = (home, key)
            yield Found(
                key=f"{entry.method} {path}",
                method=entry.method,
                path=path,
                described=entry.described,
                place=home,
                shared=item,
                shared_place=at,
                problem=entry.problem,
            )


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
        findings = self.findings
        findings.reach(("path", found.path))
        described = _readable(found)
        name = operation_id(findings, described, found.place)
        requirement = self.security.requirement(
            described.get("security"), (found.place, "security")
        )
        if requirement is None:
            findings.reach(WHOLE_SECURITY)
        path = read_path(found.path)
        agreed = agree(findings, path, self._declared(found), found.place)
        parameters = sort_out(
            findings,
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
            tags=strings(findings, described, "tags", found.place),
            summary=self._text("summary", found),
            description=self._text("description", found),
            deprecated=switch(findings, described, "deprecated", found.place) is True,
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
            extensions=extensions(described),
            links=links(described.get("responses"), found.place, self.references),
            location=findings.location(found.place),
        )

    def _declared(self, found: Found) -> list[Declared]:
        """Its parameters; those of the path item are overridden by its own."""
        return self.parameters.read_all(
            (found.shared.get("parameters"), (found.shared_place, "parameters")),
            (found.described.get("parameters"), (found.place, "parameters")),
        )

    def _servers(self, found: Found) -> tuple[Server, ...] | None:
        """Its own servers, or the path item's."""
        return self.servers.nearest(
            (found.described.get("servers"), (found.place, "servers")),
            (found.shared.get("servers"), (found.shared_place, "servers")),
        )

    def _text(self, key: str, found: Found) -> str:
        own = prose(self.findings, found.described, key, found.place)
        return own or prose(self.findings, found.shared, key, found.shared_place)


def _readable(found: Found) -> Mapping[str, Any]:
    """What describes it. Raises LoweringProblem for what is no operation."""
    if found.problem:
        raise LoweringProblem(found.place, found.problem)
    if not is_object(found.described):
        raise LoweringProblem(found.place, "the operation is no object")
    if len(found.described) == 1 and "$ref" in found.described:  # what leads anywhere is taken in
        why = f"the operation cannot be read: {found.described['$ref']!r} leads nowhere"
        raise LoweringProblem(found.place, why)
    if not is_field_name(found.method):  # a method is a token, as field names are
        raise LoweringProblem(found.place, f"{found.method!r} is no HTTP method")
    return found.described


def extensions(holder: Mapping[str, Any]) -> dict[str, Any]:
    """The `x-…` of an object, as written."""
    return {key: ordered(holder[key]) for key in sorted(holder) if key.startswith("x-")}


def operation_id(findings: Findings, described: Mapping[str, Any], place: Place) -> str | None:
    """The operationId, if there is one; a number is read as its text."""
    said = described.get("operationId")
    name = text(findings, described, "operationId", place)
    if not isinstance(said, str) and name:
        findings.warn((place, "operationId"), f"`operationId` is a number; it is read as {name!r}")
    return name if name.strip() else None
