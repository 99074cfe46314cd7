"""One operation at a time: from its Path Item and Operation Objects to the neutral model."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ...model import Argument, HttpCall, Operation, Parameter
from ...plain import is_array, is_object, ordered
from ...pointers import Place
from .arguments import input_schema, table
from .bodies import BodyReader
from .credential_names import is_credential
from .findings import Findings, LoweringProblem
from .parameters import Declared, ParameterReader
from .paths import PathKey, plain_variable, read_path, renamed
from .references import BrokenReference, References
from .results import ResultReader, accepted, output_schema
from .security import SecurityReader
from .servers import ServerReader

_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
_IGNORED_HEADERS = frozenset(("authorization", "accept", "content-type"))
_IDEMPOTENCY = frozenset(("idempotency-key", "x-idempotency-key"))


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
        own = paths[path] if at != place else {}
        item = {**item, **{key: own[key] for key in own if key != "$ref"}}
        for method, described, tokens in sorted(_methods(item, version), key=lambda one: one[0]):
            home: Place = place if tokens[0] in own else at
            for token in tokens:
                home = (home, token)
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
    more = item.get("additionalOperations") if newest else None
    for method in sorted(more) if is_object(more) else ():
        yield method, more[method], ("additionalOperations", method)


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationReader:
    """Reads operations with the readers of their parts."""

    findings: Findings
    parameters: ParameterReader
    bodies: BodyReader
    results: ResultReader
    servers: ServerReader
    security: SecurityReader
    media_types: Mapping[str, str]

    def read(self, found: Found) -> Operation:
        """The operation. Raises LoweringProblem when it cannot become a tool."""
        described = found.described
        if not is_object(described):
            raise LoweringProblem(found.place, "the operation is no object")
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
        template, parameters = self._in_path(path, declared, found)
        parameters, credentials, idempotency = self._taken(parameters)
        request = self.bodies.read(
            described.get("requestBody"),
            (found.place, "requestBody"),
            self.media_types.get(found.key) or self.media_types.get(name or ""),
        )
        arguments = table(parameters, request.arguments)
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
                path=template,
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
            credentials=credentials,
            idempotency_key=idempotency,
            extensions={
                key: ordered(described[key]) for key in sorted(described) if key.startswith("x-")
            },
            location=self.findings.location(found.place),
        )

    def _servers(self, found: Found) -> Any:
        """The nearest list: the operation's, the path item's; None leaves it to the document."""
        for holder, place in (
            (found.described, found.place),
            (found.shared, found.shared_place),
        ):
            servers = self.servers.read(holder.get("servers"), (place, "servers"))
            if servers:
                return servers
        return None

    def _in_path(
        self, path: PathKey, declared: list[Declared], found: Found
    ) -> tuple[str, list[Argument]]:
        """The template, and the parameters with those of the path made to agree with it."""
        by_name = {one.argument.name for one in declared if one.key[1] == "path"}
        names: dict[str, str] = {}
        reserved: set[str] = set()
        for variable in path.variables:
            plain, keeps = plain_variable(variable)
            if variable not in by_name and plain in by_name:
                names[variable] = plain
                if keeps:
                    reserved.add(plain)
        wanted = {names.get(variable, variable) for variable in path.variables}
        in_query = dict(path.in_query)
        arguments: list[Argument] = []
        for one in declared:
            argument = one.argument
            if one.key[1] == "path" and argument.name not in wanted:
                argument = self._not_in_path(argument, in_query, found)
                if argument is None:
                    continue
            elif argument.name in reserved and isinstance(argument.carrier, Parameter):
                argument = replace(argument, carrier=replace(argument.carrier, allow_reserved=True))
            arguments.append(argument)
        missing = [name for name in wanted if name not in by_name]
        for name in sorted(missing, key=path.path.index):
            self.findings.lose(
                found.place, f"the path's {{{name}}} is not declared; it is taken for a string"
            )
            arguments.append(self._string_in_path(name, found))
        return renamed(path.path, names), arguments

    def _not_in_path(
        self, argument: Argument, in_query: Mapping[str, str], found: Found
    ) -> Argument | None:
        """A path parameter that the path does not have: it may stand in the key's query."""
        if argument.name in in_query:
            carrier = Parameter(
                name=in_query[argument.name], place="query", style="form", explode=True
            )
            return replace(argument, carrier=carrier)
        self.findings.lose(
            found.place,
            f"the path has no {{{argument.name}}}; the path parameter of that name is dropped",
        )
        return None

    def _string_in_path(self, name: str, found: Found) -> Argument:
        return Argument(
            name=name,
            carrier=Parameter(name=name, place="path", style="simple", explode=False),
            required=True,
            schema={"type": "string"},
            location=self.findings.location(found.place),
        )

    def _taken(
        self, parameters: list[Argument]
    ) -> tuple[list[Argument], tuple[str, ...], str | None]:
        """The parameters that stay arguments, credentials among them, the idempotency key."""
        arguments: list[Argument] = []
        credentials: dict[str, None] = {}
        idempotency: str | None = None
        for argument in parameters:
            carrier = argument.carrier
            assert isinstance(carrier, Parameter)
            lower = carrier.name.lower() if carrier.place == "header" else ""
            if lower in _IDEMPOTENCY:
                idempotency = carrier.name
            elif self.security.owners(carrier.place, carrier.name) or (lower != "authorization" and lower in _IGNORED_HEADERS):
                continue
            elif is_credential(carrier.name, carrier.place, _described(argument)):
                name = self.security.adopt(
                    carrier.place, carrier.name, _described(argument), argument.location.pointer
                )
                credentials[name] = None
            else:
                arguments.append(argument)
        return arguments, tuple(credentials), idempotency


def _described(argument: Argument) -> str:
    schema = argument.schema
    description = schema.get("description") if is_object(schema) else None
    return description if isinstance(description, str) else ""


def _text(holder: Mapping[str, Any], key: str) -> str:
    value = holder.get(key)
    return value if isinstance(value, str) else ""


def _strings(values: Any) -> tuple[str, ...]:
    """The strings of a list, each once; a single string counts as a list of one."""
    if isinstance(values, str):
        return (values,)
    if not is_array(values):
        return ()
    return tuple(dict.fromkeys(value for value in values if isinstance(value, str)))
