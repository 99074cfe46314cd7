"""Server addresses: from what the description and the settings say to one absolute base URL."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from urllib.parse import SplitResult, urlsplit

from ..operation import Operation, Server, Variable
from .percent import PATH, QUERY, decode_fully, encode_except
from .refusal import RequestProblem, Unwritable

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_SCHEME = re.compile(r"https?", re.IGNORECASE)
_AUTHORITY = re.compile(r"[A-Za-z0-9._~\-]+")
_WHOLE_AUTHORITY = re.compile(r"[A-Za-z0-9._~\-:\[\]]+")
_UNSAFE = re.compile(r"[\x00-\x20\x7f\\]")
_DOUBTFUL = re.compile(r"[\x00-\x20\x7f\\?#]|/(?:\.|%)", re.IGNORECASE)
_PORTS = {"http": 80, "https": 443}


def resolve(
    operation: Operation,
    servers: Sequence[Server],
    *,
    base_url: str | None = None,
    variables: Mapping[str, str] | None = None,
) -> str:
    """The base URL of a request, without a slash at its end.

    `base_url` replaces everything, base path included. Otherwise it is the first server of the
    operation, or else of the package, with its variables. Raises RequestProblem where that
    is no absolute http(s) address.
    """
    if base_url is not None:
        return _checked(base_url, f"base_url={base_url!r}", "write https:// before its host")
    nearest = operation.servers if operation.servers is not None else servers
    if not nearest:
        raise RequestProblem(None, "the description names no server; give base_url")
    url = expand(nearest[0], variables or {})
    return _checked(url, f"the server {url!r}", "give base_url")


def expand(server: Server, variables: Mapping[str, str]) -> str:
    """The server's URL with its variables, a given value before the default.

    A value stays in its place: one inside the host cannot end it, one in the path cannot climb
    out of it or begin a query.
    """
    done, rest = "", server.url
    while match := _PLACEHOLDER.search(rest):
        done, rest = done + rest[: match.start()], rest[match.end() :]
        name = match[1]
        value = _value(name, server.variables.get(name), variables)
        try:
            done += _in_place(value, done, rest)
        except Unwritable as error:
            raise RequestProblem(None, f"the server variable {name!r} {error}") from error
    return done + rest


def contains(server: str, url: str) -> bool:
    """The URL lies on the server: same scheme, host and port, and below its base path."""
    if url.startswith(f"{server}/") and not _DOUBTFUL.search(url, len(server)):
        return True
    try:
        base, built = _split(server), _split(url)
    except ValueError:
        return False
    path = base.path.rstrip("/")
    inside = built.path == path or built.path.startswith(path + "/")
    return inside and _origin(base) == _origin(built) and not _climbs(built.path, path)


def _value(name: str, variable: Variable | None, given: Mapping[str, str]) -> str:
    if name not in given:
        if variable is None or variable.default is None:
            raise RequestProblem(None, f"the server variable {name!r} has no value; give variables")
        return variable.default
    value = str(given[name])
    if variable is not None and variable.enum and value not in variable.enum:
        allowed = ", ".join(map(repr, variable.enum))
        raise RequestProblem(None, f"the server variable {name!r} must be one of {allowed}")
    return value


def _in_place(value: str, before: str, after: str) -> str:
    """The value as the place between two texts takes it."""
    scheme, separator, rest = before.partition("://")
    if not separator and before.startswith("//"):
        separator, rest = "//", before[2:]
    if not separator and not before.startswith("/"):
        if after.startswith("://"):
            return _matching(_SCHEME, value, "must be http or https")
        if not before:
            return value  # the whole address is the variable; the result is checked as one
        separator, rest = ("://", scheme)
    if separator and "/" not in rest:
        alone = not rest and (not after or after.startswith("/"))
        pattern = _WHOLE_AUTHORITY if alone else _AUTHORITY
        return _matching(pattern, value, "must be a plain part of a host name or port")
    return _path_piece(value)


def _matching(pattern: re.Pattern[str], value: str, reason: str) -> str:
    if pattern.fullmatch(value):
        return value
    raise Unwritable(reason)


def _path_piece(value: str) -> str:
    if re.search(r"[?#\\]", value):
        raise Unwritable("must not hold ?, # or a backslash")
    if any(decode_fully(segment) in (".", "..") for segment in value.split("/")):
        raise Unwritable("must not hold . or .. as a segment")
    return encode_except(value, PATH)


@lru_cache(maxsize=1024)
def _checked(url: str, called: str, remedy: str) -> str:
    """The URL, when a request can be sent to it."""
    try:
        parts = _split(url)
    except ValueError as error:
        raise RequestProblem(None, f"{called} is not a URL: {error}") from error
    if parts.scheme not in _PORTS or not parts.hostname:
        raise RequestProblem(None, f"{called} is not absolute; {remedy}")
    if parts.username is not None or parts.password is not None:
        raise RequestProblem(None, "the server's URL holds credentials; give them as credentials")
    path = encode_except(parts.path, PATH).rstrip("/")
    query = f"?{encode_except(parts.query, QUERY)}" if parts.query else ""
    return f"{parts.scheme}://{parts.netloc}{path}{query}"


def _split(url: str) -> SplitResult:
    if _UNSAFE.search(url):
        raise ValueError("it holds a blank, control character or backslash")
    parts = urlsplit(url)
    _ = parts.port  # raises ValueError for what is no port
    return parts


def _origin(parts: SplitResult) -> tuple[str, str | None, int | None, bool]:
    port = parts.port or _PORTS.get(parts.scheme)
    return parts.scheme, parts.hostname, port, parts.username is None


def _climbs(path: str, base: str) -> bool:
    """Resolving the dot segments after the base path would leave it."""
    depth = 0
    for segment in path[len(base) :].split("/")[1:]:
        dots = decode_fully(segment)
        depth += -1 if dots == ".." else 0 if dots == "." else 1
        if depth < 0:
            return True
    return False
