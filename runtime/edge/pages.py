"""`_page`: read on where an earlier result ended, and walk several pages in one call."""

import base64
import hashlib
import hmac
import json
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from typing import Literal

from ..operation import Paging
from ..shown.ours import PAGE
from ..shown.shrink import json_size
from ..validation import Problem
from ..wire.json_reader import read_json
from ..wire.values import is_object
from .paging import ByArguments, ByUrl, Page, Step, next_step, same_origin

MOST_PAGES = 20
MOST_BYTES = 10_000_000  # of one walk
LONGEST_TOKEN = 6000


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A `_page` argument."""

    after: str | None = None
    pages: int = 1


@dataclass(frozen=True, slots=True)
class Walk:
    """Some pages in their order, the way to go on, and why it ended there."""

    pages: tuple[Page, ...]
    next: Step | None
    stopped: Literal["last", "asked", "bytes", "failed", "repeated", "origin"]


def page_request(value: object) -> PageRequest | Problem:
    """A `_page` argument, or what is wrong with it."""
    if not is_object(value) or not value.keys() <= {"after", "pages"}:
        return _problem("must be an object with `after` and `pages`")
    after, pages = value.get("after"), value.get("pages", 1)
    if after is not None and (not isinstance(after, str) or len(after) > LONGEST_TOKEN):
        return _problem("`after` must be the text an earlier result gave")
    if not isinstance(pages, int) or isinstance(pages, bool) or not 1 <= pages <= MOST_PAGES:
        return _problem(f"`pages` must be a whole number from 1 to {MOST_PAGES}")
    return PageRequest(after, pages)


async def walk(
    first: Page,
    fetch: Callable[[Step], Awaitable[Page | None]],
    *,
    pages: int,
    names: Collection[str],
    declared: Paging | None = None,
    most_bytes: int = MOST_BYTES,
) -> Walk:
    """Read on from `first` until `pages` are there (at most `MOST_PAGES`) or something ends it.

    `fetch` gives None for a page that could not be had: those before it are kept. A server
    that leads in a circle, to another origin or to ever more bytes ends the walk too.
    """
    read, seen = [first], set[str]()
    size = 0
    while True:
        step = next_step(read[-1], names, declared)
        if step is None:
            return Walk(tuple(read), None, "last")
        if (mark := repr(step)) in seen:
            return Walk(tuple(read), None, "repeated")
        if len(read) >= min(pages, MOST_PAGES):
            return Walk(tuple(read), step, "asked")
        size += _weight(read[-1])
        if size >= most_bytes:
            return Walk(tuple(read), step, "bytes")
        seen.add(mark)
        page = await fetch(step)
        if page is None:
            return Walk(tuple(read), step, "failed")
        if not same_origin(page.url, first.url):
            return Walk(tuple(read), None, "origin")
        read.append(page)


def _weight(page: Page) -> int:
    return json_size(json.dumps(page.data, default=str))


# ── tokens ──────────────────────────────────────────────────────────────────────────


def token_of(step: Step, key: bytes, tool: str) -> str | None:
    """A step as text that a model can hand back to this tool; None for one that is too long.

    `key` signs URLs: no other one is followed, and none that another tool gave.
    """
    if isinstance(step, ByArguments):
        token = "a." + _base64(json.dumps(step.arguments, separators=(",", ":")).encode())
    else:
        url = step.url.encode()
        token = f"u.{_base64(url)}.{_signature(url, key, tool)}"
    return token if len(token) <= LONGEST_TOKEN else None


def step_of(token: str, key: bytes, names: Collection[str], tool: str) -> Step | Problem:
    """The step a token stands for. Arguments in it are ordinary ones: they are validated."""
    kind, _, rest = token.partition(".")
    body, _, signature = rest.partition(".")
    try:
        content = base64.urlsafe_b64decode(body + "=" * (-len(body) % 4))
        if kind == "u" and hmac.compare_digest(
            signature.encode(), _signature(content, key, tool).encode()
        ):
            return ByUrl(content.decode())
        if kind == "a":
            arguments = read_json(content)
            if is_object(arguments) and arguments.keys() <= set(names):
                return ByArguments(arguments)
    except ValueError:
        pass
    return _problem("`after` is not one that this tool gave; start without it")


def _base64(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def _signature(content: bytes, key: bytes, tool: str) -> str:
    signed = tool.encode() + b"\n" + content  # a tool's name is one word
    return _base64(hmac.new(key, signed, hashlib.sha256).digest()[:16])


def _problem(reason: str) -> Problem:
    return Problem(f"/{PAGE}", PAGE, reason)
