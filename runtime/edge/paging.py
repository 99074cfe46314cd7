"""Is there a next page, and how to ask for it: pagination recognised in an answer.

An answer says it itself (a `Link` header, a URL or a cursor in the body) or its arguments
imply it (`page`, `offset`). What only the description can tell is a `Paging` made at
generation. A next page is always on the same origin.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias
from urllib.parse import urldefrag, urljoin, urlsplit

from ..operation import Paging
from ..wire.values import is_array, is_object


@dataclass(frozen=True, slots=True)
class ByArguments:
    """The next page is the same call with these arguments."""

    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ByUrl:
    """The next page is at this URL, on the origin of the page before."""

    url: str


Step: TypeAlias = ByArguments | ByUrl


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One answer, and the call it answers. Header names are lower case."""

    data: Any
    headers: Mapping[str, str]
    url: str
    method: str
    arguments: Mapping[str, Any]


def next_step(page: Page, names: Collection[str], declared: Paging | None = None) -> Step | None:
    """The way to the page after this one, None when it is the last or there is no telling.

    `names` are the tool's arguments. What the answer says goes before what its arguments
    imply; a URL is only followed by GET, on the same origin.
    """
    if declared is not None:
        return _declared(page, declared)
    link = _link(page.headers["link"]) if "link" in page.headers else None
    if link is not None:
        return _by_url(page, link)
    if is_object(page.data) and not _SPEAKING.isdisjoint(page.data):
        places = [place for holder in HOLDERS if is_object(place := _at(page.data, holder))]
        address = next(_texts(places, URLS), None)
        if address is not None:
            by_url = _looks_like_url(address)
            return _by_url(page, address) if by_url else _by_cursor(page, names, address)
        if any(place.get(name) is False for place in places for name in MORE):
            return None
        cursor = next(_texts(places, CURSORS), None)
        if cursor is not None:
            return _by_cursor(page, names, cursor)
    return _implied(page, names)


# ── what the description says ───────────────────────────────────────────────────────


def _declared(page: Page, paging: Paging) -> Step | None:
    if paging.kind == "link":
        link = _link(page.headers.get("link", ""))
        return None if link is None else _by_url(page, link)
    if paging.more and not _at(page.data, paging.more):
        return None
    if paging.kind in ("page", "offset"):
        return _counted(page, paging)
    found = _at(page.data, paging.next)
    if isinstance(found, bool) or not isinstance(found, str | int) or found == "":
        return None
    if paging.kind == "url":
        return _by_url(page, str(found)) if _looks_like_url(str(found)) else None
    return _with(page, paging.argument, found)


def _counted(page: Page, paging: Paging) -> Step | None:
    items = _at(page.data, paging.items) if paging.items else page.data
    count = len(items) if is_array(items) else 0
    size = page.arguments.get(paging.size_argument)
    if count == 0 or (isinstance(size, int) and count < size):
        return None
    current = page.arguments.get(paging.argument, 1 if paging.kind == "page" else 0)
    if not isinstance(current, int):
        return None
    return _with(page, paging.argument, current + (1 if paging.kind == "page" else count))


# ── what the answer says ────────────────────────────────────────────────────────────

_LINK = re.compile(r"<([^<>]{1,4000})>((?:\s*;\s*[\w*-]+\s*=\s*(?:\"[^\"]*\"|[^\s;,\"]+))*)")
_REL = re.compile(r";\s*rel\s*=\s*(?:\"([^\"]*)\"|([^\s;,\"]+))", re.IGNORECASE)
URLS = (
    "next",
    "next_url",
    "nextUrl",
    "next_page_url",
    "nextPageUrl",
    "@odata.nextLink",
    "odata.nextLink",
    "nextLink",
    "next_link",
    "next_href",
    "next.href",
)
CURSORS = (
    "next_cursor",
    "nextCursor",
    "next_page_token",
    "nextPageToken",
    "next_token",
    "nextToken",
    "NextToken",
    "NextContinuationToken",
    "continuation_token",
    "continuationToken",
    "cursors.after",
    "end_cursor",
    "endCursor",
    "continue",
)
HOLDERS = (
    "",
    "links",
    "_links",
    "paging",
    "pagination",
    "page_info",
    "pageInfo",
    "meta",
    "meta.pagination",
    "response_metadata",
    "metadata",
)
MORE = ("has_more", "hasMore", "has_next", "hasNext", "has_next_page", "hasNextPage", "more")
_SPEAKING = frozenset(
    part
    for name in (*URLS, *CURSORS, *HOLDERS, *MORE)
    for part in (name, name.partition(".")[0])
    if part
)
"""Members of a result that may say something of pages; most results have none of them."""


def _link(header: str) -> str | None:
    """The target of `rel=next` (RFC 8288)."""
    if len(header) > 16_000:
        return None
    for match in _LINK.finditer(header):
        rel = _REL.search(match[2])
        if rel and "next" in (rel[1] or rel[2]).lower().split():
            return match[1].strip()
    return None


def _texts(places: Sequence[Mapping[str, Any]], names: Sequence[str]) -> Iterator[str]:
    """What stands under one of the names, first the texts; null and "" are the word "last"."""
    found = [_at(place, name, "absent") for place in places for name in names]
    yield from (text for text in found if isinstance(text, str) and text not in ("", "absent"))
    yield from ("" for nothing in found if nothing is None or nothing == "")


def _looks_like_url(text: str) -> bool:
    return text.startswith(("https://", "http://", "/", "?"))


def _by_url(page: Page, reference: str) -> Step | None:
    try:
        url = urldefrag(urljoin(page.url, reference)).url  # only a reader looks at a fragment
    except ValueError:  # `http://[`: no address at all
        return None
    if page.method != "GET" or not same_origin(url, page.url) or url == page.url:
        return None
    return ByUrl(url)


TAKES_CURSOR = (
    "cursor",
    "page_token",
    "pageToken",
    "next_token",
    "nextToken",
    "NextToken",
    "continuation_token",
    "continuationToken",
    "continuation-token",
    "starting_after",
    "after",
    "page_cursor",
    "pageCursor",
    "next_cursor",
    "marker",
    "continue",
)


def _by_cursor(page: Page, names: Collection[str], cursor: str) -> Step | None:
    argument = next((name for name in TAKES_CURSOR if name in names), None)
    return _with(page, argument, cursor) if argument and cursor else None


# ── what the arguments imply ────────────────────────────────────────────────────────

PAGE = ("page", "page_number", "pageNumber")
SIZE = ("per_page", "perPage", "page_size", "pageSize", "limit", "size", "count", "max_results")
OFFSET = ("offset", "skip", "start_at", "startAt", "$skip")
ITEMS = (
    "items",
    "data",
    "results",
    "values",
    "value",
    "records",
    "entries",
    "list",
    "objects",
    "content",
    "nodes",
    "edges",
)


def _implied(page: Page, names: Collection[str]) -> Step | None:
    """Count on where the caller said how long a page is and this one is full."""
    size = next((page.arguments[name] for name in SIZE if name in page.arguments), None)
    items = items_of(page.data) if isinstance(size, int) and size > 0 else None
    if items is None or not isinstance(size, int) or len(items) < size:
        return None
    for candidates, first, by in ((PAGE, 1, 1), (OFFSET, 0, len(items))):
        argument = next((name for name in candidates if name in names), None)
        if argument is not None:
            current = page.arguments.get(argument, first)
            return _with(page, argument, current + by) if isinstance(current, int) else None
    return None


def items_of(data: Any, path: str = "") -> Sequence[Any] | None:
    """The items of a page: at `path`, or the array it is, has under a usual name, or has alone."""
    if path:
        found = _at(data, path)
        return found if is_array(found) else None
    if is_array(data):
        return data
    place = _items_name(data)
    return None if place is None else data[place]


def merged(pages: Sequence[Any], path: str = "") -> Any:
    """The first page with the items of all of them; None where pages have no items to join."""
    items = [items_of(page, path) for page in pages]
    if not all(found is not None for found in items):
        return None
    everything = [item for found in items if found is not None for item in found]
    place = path or _items_name(pages[0])
    return everything if place is None else _put(pages[0], place.split("."), everything)


def _items_name(data: Any) -> str | None:
    if not is_object(data):
        return None
    arrays = [name for name, value in data.items() if is_array(value)]
    usual = [name for name in ITEMS if name in arrays]
    return usual[0] if usual else arrays[0] if len(arrays) == 1 else None


def as_in(data: Any, other: Any, path: Sequence[str]) -> Any:
    """Data with one place as another has it: changed where it has one there, else without it."""
    if not is_object(data) or not is_object(other) or path[0] not in data:
        return data
    if path[1:]:
        return {**data, path[0]: as_in(data[path[0]], other.get(path[0]), path[1:])}
    kept = {name: value for name, value in data.items() if name != path[0] or name in other}
    return {**kept, path[0]: other[path[0]]} if path[0] in other else kept


def _put(data: Any, path: Sequence[str], value: Any) -> Any:
    return {**data, path[0]: _put(data[path[0]], path[1:], value)} if path else value


# ── places ──────────────────────────────────────────────────────────────────────────


def same_origin(first: str, second: str) -> bool:
    """Whether two URLs have the same scheme, host and port (RFC 6454)."""
    try:
        return _origin(first) == _origin(second)
    except ValueError:
        return False


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or parts.username is not None:
        raise ValueError("no web origin")
    return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}[parts.scheme]


def _with(page: Page, argument: str, value: Any) -> Step | None:
    """A step that leads anywhere: the same arguments again would be the same page."""
    if not argument or page.arguments.get(argument) == value:
        return None
    return ByArguments({argument: value})


def _at(data: Any, path: str, absent: Any = None) -> Any:
    """The part at a dotted path ("" is the whole); a member may itself have dots in its name."""
    if is_object(data) and path in data:
        return data[path]
    for part in path.split(".") if path else ():
        if not is_object(data) or part not in data:
            return absent
        data = data[part]
    return data
