"""What a package's README says of the server that requests go to."""

from collections.abc import Callable, Iterator

from ...model.calls import HttpCall, Server
from ...model.catalogue import Catalogue
from .layout import Node, mapping
from .literals import string

_EXAMPLE = "https://api.example.com"


def server_keywords(catalogue: Catalogue) -> dict[str, Node]:
    """What the toolset has to be told of its server before it can call it, by example."""
    server = _server(catalogue)
    if server is None:
        return {} if _is_unused(catalogue) else {"base_url": string(_EXAMPLE)}
    if missing := [name for name, one in sorted(server.variables.items()) if one.default is None]:
        return {"variables": mapping({name: string("…") for name in missing})}
    return {} if _is_absolute(server) else {"base_url": string(_EXAMPLE)}


def server_section(catalogue: Catalogue, code: Callable[[str], str]) -> Iterator[str]:
    """The address where it is more than a text to copy; `code` spells strangers' text."""
    server = _server(catalogue)
    needed = server_keywords(catalogue)
    if not needed and (server is None or not server.variables):
        return
    yield from ("## Server", "")
    if "base_url" in needed:
        yield "The description names no whole address: give `base_url=`."
    if server is not None and server.variables:
        yield f"Calls go to {code(server.url)}; `variables=` fills it in, `base_url=` replaces it."
        yield from ("", "| variable | default | values |", "| --- | --- | --- |")
        for name, variable in sorted(server.variables.items()):
            default = "– (needed)" if variable.default is None else code(variable.default)
            yield f"| {code(name)} | {default} | {', '.join(map(code, variable.enum)) or 'any'} |"
    yield ""


def _server(catalogue: Catalogue) -> Server | None:
    """The one that calls go to which name none of their own."""
    servers = catalogue.api.servers
    return None if not servers or _is_unused(catalogue) else servers[0]


def _is_unused(catalogue: Catalogue) -> bool:
    calls = [tool.operation.call for tool in catalogue.tools]
    return all(isinstance(call, HttpCall) and call.servers is not None for call in calls)


def _is_absolute(server: Server) -> bool:
    url = server.url
    for name, variable in server.variables.items():
        url = url.replace(f"{{{name}}}", variable.default or "")
    return url.lower().startswith(("https://", "http://"))
