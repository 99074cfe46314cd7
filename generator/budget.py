"""Fits what a model is shown of a tool into `schema_tokens`.

First examples go and long descriptions become their first sentence, the biggest first.
Where that is not enough the budget is spent from the top: arguments are always named, then
required parts open, then what is one optional step away, and so on, as long as they fit; the
rest is left to `describe_type`. A definition is paid for once, so recursion costs nothing. If the
arguments alone are too much, optional ones lose their descriptions and enums; required ones
keep both, and the tool is reported as too big.

Shared definitions are measured once, and counting stops where the budget ends: the work
grows with the budget, not with all that a schema reaches.
"""

import heapq
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..runtime.shown.advertise import WHOLE, advertise, asked, join, stub
from ..runtime.shown.closure import Definitions, references
from ..runtime.shown.ours import offering
from ..runtime.shown.tokens import definition, size
from .sizes import Note, Part, Path, notes, part

_BYTES = 4  # per token
_DEFS = len(',"$defs":{}')


@dataclass(frozen=True, slots=True, kw_only=True)
class Trim:
    """What was cut from one tool's closed input schema, and whether the rest fits."""

    cuts: tuple[str, ...] = ()
    tokens: int  # never too low
    fits: bool = True


class Budget:
    """Trims the tools of one Api, and keeps what it learns about their definitions."""

    def __init__(self, definitions: Mapping[str, Any], schema_tokens: int) -> None:
        self._schemas = definitions
        self._definitions = Definitions(definitions)
        self._limit = schema_tokens * _BYTES
        self._full: dict[str, int] = {}
        self._lean: dict[str, int] = {}
        self._parts: dict[int, Part] = {}
        self._stubs: dict[str, int] = {}

    def trim(
        self, name: str, description: str, schema: Mapping[str, Any], offers: Sequence[str] = ()
    ) -> Trim:
        """The cuts that make a tool fit, as `advertise` takes them; none for most tools.

        There is room beside them for the arguments of ours that the tool offers.
        """
        shown = asked(schema)
        whole = size(definition(name, description, offering(shown, offers)))
        total = self._count(whole, shown, self._full_size)
        if total is not None:
            return Trim(tokens=_tokens(total))
        lean = whole - sum(note.saved for note in notes(shown))
        if self._count(lean, shown, self._lean_size) is not None:
            return Trim(cuts=self._shorten(whole, shown), tokens=self._limit // _BYTES)
        spending = _Spending(self, whole - size(shown))
        cuts = spending.on(shown)
        if spending.total <= self._limit:
            return Trim(cuts=cuts, tokens=_tokens(spending.total))
        advertised = offering(advertise(self._definitions.close(schema), cuts), offers)
        real = size(definition(name, description, advertised))
        return Trim(cuts=cuts, tokens=_tokens(real), fits=real <= self._limit)

    # ── how much a schema is with its definitions ───────────────────────────────────

    def _count(
        self, total: int, schema: Mapping[str, Any], measure: Callable[[str], int]
    ) -> int | None:
        """The bytes with every definition it reaches; None once they are too many."""
        waiting = references(schema)
        seen: set[str] = set()
        total += _DEFS if waiting else 0
        while waiting and total <= self._limit:
            name = waiting.pop()
            if name not in seen and name in self._schemas:
                seen.add(name)
                total += measure(name)
                waiting.extend(self._definitions.direct(name))
        return total if total <= self._limit else None

    def _full_size(self, name: str) -> int:
        known = self._full.get(name)
        if known is None:
            known = self._full[name] = _key(name) + size(self._schemas[name])
        return known

    def _lean_size(self, name: str) -> int:
        known = self._lean.get(name)
        if known is None:
            saved = sum(note.saved for note in notes(self._schemas[name]))
            known = self._lean[name] = self._full_size(name) - saved
        return known

    def _shorten(self, total: int, schema: Mapping[str, Any]) -> tuple[str, ...]:
        """As many examples and long descriptions as must go."""
        spare = notes(schema)
        for name in self._definitions.needed(schema):
            total += self._full_size(name)
            spare.extend(notes(self._schemas[name], ("$defs", name)))
        gone = _enough(total + _DEFS - self._limit, spare)
        return _pointers(note.path for note in gone)

    # ── what spending asks ──────────────────────────────────────────────────────────

    @property
    def schemas(self) -> Mapping[str, Any]:
        """The definitions that schemas refer to."""
        return self._schemas

    @property
    def limit(self) -> int:
        """The bytes a tool may have."""
        return self._limit

    def part(self, schema: Any) -> Part:
        """A schema as far as its deep parts; shared ones are looked at once."""
        known = self._parts.get(id(schema))  # the Api holds it, so the id stays its own
        if known is None:
            known = self._parts[id(schema)] = part(schema, self._schemas)
        return known

    def shared(self, name: str) -> Any:
        """A definition; one that does not exist says nothing."""
        return self._schemas.get(name, True)

    def stub(self, name: str) -> int:
        """The bytes of a definition that stands as a stub."""
        known = self._stubs.get(name)
        if known is None:
            known = self._stubs[name] = size(stub(self.shared(name), self._schemas))
        return known


class _Spending:
    """Spends one tool's budget: opens parts as long as they fit."""

    def __init__(self, budget: Budget, total: int) -> None:
        self._budget = budget
        self.total = total
        self._cuts: list[Path] = []
        self._paid: set[str] = set()  # definitions that stand there, as stubs at least
        self._closed: dict[Path, tuple[Any, int]] = {}  # a schema, and the bytes of its stub
        self._waiting: list[tuple[int, int, Path]] = []  # optional steps, depth, where

    def on(self, schema: Mapping[str, Any]) -> tuple[str, ...]:
        """The cuts for a tool with this input schema."""
        root = part(schema, self._budget.schemas)
        self._open(root, (), 0, 0)
        over = self.total - self._budget.limit
        gone = _enough(over, root.spare)
        self.total -= sum(note.saved for note in gone)
        self._cuts.extend(note.path for note in gone)
        while over < 0 and self._waiting:
            optional, depth, path = heapq.heappop(self._waiting)
            if path in self._closed:
                self._try(path, optional, depth)
        return _pointers([*self._cuts, *self._closed])

    def _try(self, path: Path, optional: int, depth: int) -> None:
        schema, short = self._closed[path]
        opened = self._budget.part(schema)
        if self.total - short + self._cost(opened) <= self._budget.limit:
            del self._closed[path]
            self.total -= short
            self._open(opened, path, optional, depth)

    def _cost(self, opened: Part) -> int:
        new = [name for name in opened.references if name not in self._paid]
        first = _DEFS if new and not self._paid else 0
        return opened.size + first + sum(_key(name) + self._least(name) for name in new)

    def _least(self, name: str) -> int:
        stub, whole = self._budget.stub(name), self._budget.part(self._budget.shared(name))
        return whole.size if _is_small(whole, stub) else stub

    def _open(self, opened: Part, path: Path, optional: int, depth: int) -> None:
        self.total += self._cost(opened)
        self._cuts.extend(path + note.path for note in opened.notes)
        for deep in opened.deep:
            place = path + deep.path
            self._closed[place] = (deep.schema, deep.stub)
            self._wait(place, optional + (not deep.required), depth + 1)
        for name, required in sorted(opened.references.items()):
            self._refer(name, optional + (not required), depth + 1)

    def _refer(self, name: str, optional: int, depth: int) -> None:
        place = ("$defs", name)
        if name not in self._paid:
            self._paid.add(name)
            whole = self._budget.part(self._budget.shared(name))
            if _is_small(whole, self._budget.stub(name)):
                self._cuts.extend(place + note.path for note in whole.notes)
                return
            self._closed[place] = (self._budget.shared(name), self._budget.stub(name))
        if place in self._closed:
            self._wait(place, optional, depth)

    def _wait(self, place: Path, optional: int, depth: int) -> None:
        heapq.heappush(self._waiting, (optional, depth, place))


def _pointers(cuts: Iterable[Path]) -> tuple[str, ...]:
    """The cuts as pointers; a description of which both parts go is one cut."""
    counts = Counter(cuts)
    return tuple(
        sorted(join((*path, WHOLE) if count > 1 else path) for path, count in counts.items())
    )


def _is_small(whole: Part, stub: int) -> bool:
    """A stub would save nothing and hide something."""
    return whole.size <= stub and not whole.deep and not whole.references


def _enough(excess: int, spare: Iterable[Note]) -> list[Note]:
    """The notes that must go to lose `excess` bytes, in their order."""
    gone: list[Note] = []
    for note in sorted(spare, key=lambda note: note.order):
        if excess <= 0:
            break
        excess -= note.saved
        gone.append(note)
    return gone


def _key(name: str) -> int:
    return len(f'"{name}":,')


def _tokens(count: int) -> int:
    return -(-count // _BYTES)
