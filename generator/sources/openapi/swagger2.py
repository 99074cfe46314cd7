"""OpenAPI 2.0 as plain data of the 3.0 shape, with the way back from its pointers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from ...plain import as_array, as_object, as_text, is_array, is_object
from ...pointers import fragment_tokens, join
from .findings import Lost
from .foreign_parts import brought
from .media_types import body_kind
from .methods import METHODS
from .references import References
from .swagger2_parameters import form_body, form_media_type, parameter

_JSON = ("application/json",)
_FLOWS = {"application": "clientCredentials", "accessCode": "authorizationCode"}


@dataclass(frozen=True, slots=True)
class Converted:
    """The data, for what was moved its new pointer → the one in the document, and what is lost."""

    data: Mapping[str, Any]
    origins: Mapping[str, str]
    lost: Sequence[Lost]


def convert(root: Mapping[str, Any], address: str | None, references: References) -> Converted:
    """The same description in the shape of 3.0.

    Schemas stay where they are, below `definitions`, so that their references hold. Path
    items, parameters and responses of other documents are taken in, to be moved as well.
    """
    return _Conversion(root, address, references).converted()


@dataclass(slots=True)
class _Conversion:
    root: Mapping[str, Any]
    address: str | None
    references: References
    origins: dict[str, str] = field(default_factory=dict[str, str])
    lost: list[Lost] = field(default_factory=list[Lost])

    def converted(self) -> Converted:
        paths = as_object(self.root.get("paths"))
        schemes = as_object(self.root.get("securityDefinitions"))
        self.origins["/components/securitySchemes"] = "/securityDefinitions"
        data = {
            **self.root,
            "servers": self._servers(self.root.get("schemes")),
            "paths": {path: self._path_item(path, paths[path]) for path in paths},
            "components": {"securitySchemes": {name: _scheme(schemes[name]) for name in schemes}},
            "parameters": self._shared_parameters(),
            "responses": {
                name: self._response(one, self._produced({}), join("/responses", name))
                for name, one in as_object(self.root.get("responses")).items()
            },
        }
        return Converted(data, self.origins, self.lost)

    def _shared_parameters(self) -> dict[str, Any]:
        shared = as_object(self.root.get("parameters"))
        for name in shared:
            pointer = join("/parameters", name)
            self.origins[f"{pointer}/schema"] = pointer
        return {name: parameter(shared[name]) for name in shared}

    # ── servers ─────────────────────────────────────────────────────────────────────

    def _servers(self, schemes: Any) -> list[dict[str, str]]:
        """`schemes`, `host` and `basePath`; what is missing is that of the document itself.

        Some write a whole address for the host or the base path; it is read as one.
        """
        base = as_text(self.root.get("basePath")) or "/"
        said, _, host = as_text(self.root.get("host")).strip("/").rpartition("://")
        own = urlsplit(self.address or "")
        if "://" in base or (not host and not own.netloc):
            return [{"url": base}]
        known = [one for one in as_array(schemes) if one in ("https", "http")]
        # Credentials travel over TLS only: where both are offered, https is the one meant.
        for_lack = [one for one in (said, own.scheme) if one in ("http", "https")][:1] or ["https"]
        path = base if base.startswith("/") else f"/{base}"
        return [
            {"url": f"{scheme}://{host or own.netloc}{path.rstrip('/')}"}
            for scheme in sorted(known, reverse=True) or for_lack
        ]

    # ── operations ──────────────────────────────────────────────────────────────────

    def _path_item(self, path: str, item: Any) -> Any:
        here = join("/paths", path)
        item, at = brought(self.references, item, here)
        if not is_object(item):
            return item
        if at != here:
            self.origins[here] = at
        shared = self._resolved(item.get("parameters"), f"{here}/parameters")
        kept = [one for one in shared if not _is_of_body(one.value)]
        below = [one for one in shared if _is_of_body(one.value)]
        converted = {**item, "parameters": self._moved(kept, f"{here}/parameters")}
        for key, operation in item.items():
            if key.lower() in METHODS and is_object(operation):
                reader = f"{key.upper()} {path}"
                converted[key] = self._operation(operation, join(here, key), below, reader)
        return converted

    def _operation(
        self, operation: Mapping[str, Any], here: str, shared: Sequence["_Found"], reader: str
    ) -> Any:
        found = self._resolved(operation.get("parameters"), f"{here}/parameters")
        own = [one for one in found if _is_of_body(one.value)]
        names = [one.value.get("name") for one in own]
        inherited = [one for one in shared if one.value.get("name") not in names]
        converted = {
            **operation,
            "parameters": self._moved(
                [one for one in found if not _is_of_body(one.value)], f"{here}/parameters"
            ),
            "responses": self._responses(operation, f"{here}/responses"),
        }
        sent = list(self._sent([*inherited, *own], reader))
        body = self._body(operation, sent, f"{here}/requestBody")
        if body is not None:
            converted["requestBody"] = body
        if "schemes" in operation:
            converted["servers"] = self._servers(operation["schemes"])
            self.origins[f"{here}/servers"] = f"{here}/schemes"
        return converted

    def _resolved(self, parameters: Any, here: str) -> list["_Found"]:
        """Parameters with their places; a reference to one of the body is followed."""
        found: list[_Found] = []
        for index, one in enumerate(as_array(parameters)):
            pointer = f"{here}/{index}"
            reference = as_object(one).get("$ref")
            if isinstance(reference, str) and reference.startswith("#/parameters/"):
                name = fragment_tokens(reference[1:])[-1]
                home = join("/parameters", name)
                shared = as_object(self.root.get("parameters")).get(name)
                target, at = brought(self.references, shared, home)
                if at != home or _is_of_body(as_object(target)):
                    found.append(_Found(as_object(target), at))
                    continue
            found.append(_Found(*brought(self.references, as_object(one), pointer)))
        return found

    def _moved(self, found: Sequence["_Found"], here: str) -> list[Any]:
        """Parameters in their new list; one schema keyword of theirs is where it was."""
        moved: list[Any] = []
        for index, one in enumerate(found):
            self.origins[f"{here}/{index}"] = one.pointer
            self.origins[f"{here}/{index}/schema"] = one.pointer
            moved.append(parameter(one.value))
        return moved

    def _sent(self, found: Sequence["_Found"], reader: str) -> Iterator["_Found"]:
        """The last body, or else the named members of a form; the others are lost."""
        bodies = [one for one in found if one.value.get("in") == "body"]
        for one in found:
            name = one.value.get("name")
            if bodies and one is not bodies[-1]:
                why = f"a request has one body; {name!r} is dropped"
            elif not bodies and not isinstance(name, str | int | float):
                why = "a parameter cannot be read: it needs a `name`; it is dropped"
            else:
                yield one
                continue
            self.lost.append(Lost(reader, one.pointer, why))

    def _body(
        self, operation: Mapping[str, Any], found: Sequence["_Found"], here: str
    ) -> dict[str, Any] | None:
        consumed = _media_types(operation, self.root, "consumes")
        whole = next((one for one in found if one.value.get("in") == "body"), None)
        if whole is not None:
            self.origins[here] = whole.pointer
            for media_type in consumed or _JSON:
                self.origins[join(here, "content", media_type)] = whole.pointer
            held = {"schema": parameter(whole.value).get("schema", {})}
            return {
                "description": as_text(whole.value.get("description")),
                "required": whole.value.get("required") is True,
                "content": {media_type: held for media_type in consumed or _JSON},
            }
        members = [one.value for one in found]
        if not members:
            return None
        media_type = form_media_type(consumed, members)
        self.origins[here] = here.removesuffix("/requestBody")
        schema = join(here, "content", media_type, "schema", "properties")
        for one in found:
            self.origins[join(schema, str(one.value.get("name")))] = one.pointer
        return {
            "required": any(one.get("required") is True for one in members),
            "content": {media_type: form_body(members)},
        }

    # ── responses ───────────────────────────────────────────────────────────────────

    def _produced(self, operation: Mapping[str, Any]) -> Sequence[str]:
        return _media_types(operation, self.root, "produces") or _JSON

    def _responses(self, operation: Mapping[str, Any], here: str) -> Any:
        responses = operation.get("responses")
        if not is_object(responses):
            return responses
        produced = self._produced(operation)
        converted: dict[str, Any] = {}
        for status, response in responses.items():
            reference = as_object(response).get("$ref")
            if isinstance(reference, str) and reference.startswith("#/responses/"):
                # A shared response has the media types of each operation that refers to it.
                name = fragment_tokens(reference[1:])[-1]
                home = join("/responses", name)
                shared = as_object(self.root.get("responses")).get(name, response)
            else:
                home, shared = join(here, status), response
            target, at = brought(self.references, shared, home)
            converted[status] = self._response(target, produced, join(here, status))
            if at != join(here, status):
                self.origins[join(here, status)] = at
        return converted

    def _response(self, response: Any, produced: Sequence[str], here: str) -> Any:
        if not is_object(response) or "schema" not in response:
            return response
        schema = response["schema"]
        if as_object(schema).get("type") == "file":
            produced = [one for one in produced if body_kind(one) != "json"] or [
                "application/octet-stream"
            ]
        for media_type in produced:
            self.origins[join(here, "content", media_type)] = here
        return {**response, "content": {one: {"schema": schema} for one in produced}}


@dataclass(frozen=True, slots=True)
class _Found:
    """A parameter, and where it stands in the document."""

    value: Mapping[str, Any]
    pointer: str


def _is_of_body(value: Mapping[str, Any]) -> bool:
    return value.get("in") in ("body", "formData")


def _media_types(operation: Mapping[str, Any], root: Mapping[str, Any], key: str) -> Sequence[str]:
    """`consumes` or `produces`: the operation's own list replaces the document's."""
    declared = operation.get(key) if is_array(operation.get(key)) else root.get(key)
    return [one for one in as_array(declared) if isinstance(one, str) and "/" in one]


def _scheme(declared: Any) -> Any:
    if not is_object(declared):
        return declared
    match declared.get("type"):
        case "basic":
            return {**declared, "type": "http", "scheme": "basic"}
        case "oauth2":
            kind = as_text(declared.get("flow"))
            return {**declared, "flows": dict(_flow(_FLOWS.get(kind, kind), declared))}
        case _:
            return declared


def _flow(kind: str, declared: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    keys = ("authorizationUrl", "tokenUrl", "scopes")
    yield kind, {key: declared[key] for key in keys if key in declared}
