"""Server Objects: absolute addresses with their variables."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ...model.calls import Server, ServerVariable
from ...plain import is_array, is_object
from ...pointers import Place
from ...reading.addresses import joined
from .findings import Findings
from .objects import complaint
from .reached import Part
from .scalars import held_object, prose, strings, text

WHOLE_SERVERS: Part = ("servers", "")
"""The document's own servers, which hold where nothing nearer does."""

_VARIABLE = re.compile(r"\{([^{}]*)\}")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_HOST = re.compile(  # `api.example.com/v1`, `localhost:8080`; a folder has no two dots or port
    r"(?:(localhost)|[a-z0-9-]+(?:\.[a-z0-9-]+)+\.[a-z]{2,}|[a-z0-9.-]+(?=:\d))(?::\d+)?(?:/|\Z)",
    re.IGNORECASE,
)


class ServerReader:
    """Reads lists of servers; relative ones resolve against the document's own address."""

    def __init__(self, findings: Findings, address: str | None) -> None:
        self._findings = findings
        self._address = address
        self._whole: tuple[Server, ...] = ()

    def whole(self, servers: Any, place: Place) -> tuple[Server, ...]:
        """The document's own servers, or what holds without any."""
        with self._findings.within(WHOLE_SERVERS):
            self._whole = self.read(servers, place) or self._default()
            self._doubt(self._whole, place if servers is not None else "")
        return self._whole

    def nearest(self, *lists: tuple[Any, Place]) -> tuple[Server, ...] | None:
        """The first of several lists that has servers; None leaves it to the document."""
        for servers, place in lists:
            found = self.read(servers, place)
            if found and found != self._whole:
                self._doubt(found, place)
                return found
            if found:
                break
        self._findings.reach(WHOLE_SERVERS)
        return None

    def read(self, servers: Any, place: Place) -> tuple[Server, ...]:
        """The usable servers of a list, in order; `()` when there is no list."""
        if servers is None:
            return ()
        if not is_array(servers):
            self._findings.lose(place, "`servers` is no list; it is dropped")
            return ()
        found: list[Server] = []
        for index, server in enumerate(servers):
            read = self._one(server, (place, index))
            if read is not None and read not in found:
                found.append(read)
        return tuple(found)

    def _default(self) -> tuple[Server, ...]:
        """What holds without any server: the root of the document's host, if it is known."""
        return () if self._address is None else (Server(url=joined(self._address, "/")),)

    def _doubt(self, servers: Sequence[Server], place: Place) -> None:
        """Warn where the server that is used, the first, has no absolute URL."""
        if not servers or not is_absolute(servers[0]):
            self._findings.warn(
                place,
                "the server has no absolute URL: give base_url= to the toolset, "
                "or --document-url at generation",
            )

    def _one(self, server: Any, place: Place) -> Server | None:
        url = server.get("url") if is_object(server) else None
        if not isinstance(url, str) or not url.isprintable():
            why = complaint("server", server) if is_object(server) else "it is no object"
            self._findings.lose(place, f"a server cannot be read: {why}; it is dropped")
            return None
        variables = self._variables(url, server, place)
        url = self._with_scheme(url.strip().partition("#")[0] or "/", variables, place)
        url = self._absolute(url, variables)
        scheme = _SCHEME.match(_filled(url, variables))
        if scheme is not None and scheme[1].lower() not in ("http", "https"):
            self._findings.lose(place, f"a server over {scheme[1]!r} is no HTTP; it is dropped")
            return None
        return Server(
            url=url,
            variables=variables,
            description=prose(self._findings, server, "description", place),
        )

    def _with_scheme(self, url: str, variables: Mapping[str, ServerVariable], place: Place) -> str:
        """The address with the scheme that its author forgot."""
        host = _HOST.match(_filled(url, variables))
        if host is None:
            return url
        scheme = "http" if host[1] else "https"
        self._findings.warn((place, "url"), f"a server's address has no scheme; {scheme} is taken")
        return f"{scheme}://{url}"

    def _absolute(self, url: str, variables: Mapping[str, ServerVariable]) -> str:
        filled = _filled(url, variables)
        if self._address is None or _SCHEME.match(filled) or _VARIABLE.match(filled):
            return url
        return joined(self._address, url)

    def _variables(
        self, url: str, server: Mapping[str, Any], place: Place
    ) -> dict[str, ServerVariable]:
        declared, here = (
            held_object(self._findings, server, "variables", place),
            (place, "variables"),
        )
        return {
            name: self._variable(held_object(self._findings, declared, name, here), (here, name))
            for name in dict.fromkeys(_VARIABLE.findall(url))
        }

    def _variable(self, said: Mapping[str, Any], place: Place) -> ServerVariable:
        enum = list(strings(self._findings, said, "enum", place))
        default = text(self._findings, said, "default", place)
        known = said.get("default") is not None
        if not known:
            self._findings.warn(place, "a server variable has no default; set it in `variables=`")
        elif enum and default not in enum:
            self._findings.warn(place, f"the default {default!r} is none of the enum's values")
            enum.insert(0, default)
        return ServerVariable(
            default=default if known else next(iter(enum), None),
            enum=tuple(dict.fromkeys(enum)),
            description=prose(self._findings, said, "description", place),
        )


def is_absolute(server: Server) -> bool:
    """Whether requests can be sent to a server as it stands."""
    return _SCHEME.match(_filled(server.url, server.variables)) is not None


def _filled(url: str, variables: Mapping[str, ServerVariable]) -> str:
    """The URL with the defaults in their places; a variable without one stays."""

    def value(match: re.Match[str]) -> str:
        default = variables[match[1]].default if match[1] in variables else None
        return match[0] if default is None else default

    return _VARIABLE.sub(value, url)
