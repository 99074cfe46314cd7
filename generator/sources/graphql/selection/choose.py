"""The automatic selection: leaves first, then objects by cost, until the budget is spent.

Nothing is remembered from one tool to the next, so the order of types changes nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ..schema import Composite, Field, Interface, Object, Union, spelled
from .branches import Branch, Ledger, Twig, line
from .choice import Choice
from .facts import Facts
from .given import Given
from .limits import Wishes
from .pages import Connection
from .payloads import ERROR_FIELDS, error_fields, error_leaves, is_payload, subject
from .picks import Omitted
from .queue import Candidate, Queue
from .ranking import is_hidden, last_resort

_OPENED_LEAVES = 10  # of the one object that a type without leaves opens
_LEAST = 4  # leaves of a fragment, however many there are


def choose(facts: Facts, kind: Composite, root: Field, operation: str, wishes: Wishes) -> Choice:
    """What a root field's document selects of its type, within the budget."""
    return _Chooser(facts, wishes, root).run(kind, root, operation)


class _Chooser:
    def __init__(self, facts: Facts, wishes: Wishes, root: Field) -> None:
        self._facts = facts
        self._schema = facts.schema
        self._wishes = wishes
        self._limits = wishes.limits
        self._ledger = Ledger(self._limits.leaves, self._limits.bytes)
        self._queue = Queue(facts)
        self._given = Given(facts, wishes, (one.name for one in root.arguments))
        self._omitted: dict[str, Omitted] = {}
        self._forced = wishes.forced

    def run(self, kind: Composite, root: Field, operation: str) -> Choice:
        branch = Branch(kind, 1, "", frozenset((kind.name,)), 1)
        if operation == "mutation" and is_payload(self._schema, kind):
            self._payload(branch, root)
        else:
            self._whole(branch, first=True)
        while self._queue:
            self._try(self._queue.take())
        if branch.frozen().empty:
            self._add_leaves(branch, last_resort(self._schema, kind), self._limits.root_leaves)
            branch.typename = not branch.twigs
        return Choice(branch, list(self._omitted.values()), self._given.lifted)

    # ── whole selections ────────────────────────────────────────────────────────────

    def _whole(self, branch: Branch, *, first: bool = False, leaves: int | None = None) -> None:
        found = self._facts.connection(branch.kind)
        if found is not None:
            self._connection(branch, found, first)
        elif isinstance(branch.kind, Object):
            self._object(branch, leaves)
        else:
            self._abstract(branch)

    def _object(self, branch: Branch, limit: int | None = None) -> None:
        objects = self._objects(branch)
        most = limit or (self._limits.root_leaves if objects else self._limits.leaves)
        self._add_leaves(branch, self._facts.leaves(branch.kind), most)
        self._force(branch)
        self._note_required(branch)
        self._let_wait(branch, objects)

    def _connection(self, branch: Branch, found: Connection, first: bool) -> None:
        """`totalCount`, the items, and at the root where the next page begins."""
        self._count_items(branch, found)
        if first:
            info = self._page_info(branch)
            items = self._items(branch, found)
            self._whole(items)
            if info is not None:
                branch.twigs.append(info)
            self._force(branch)
        else:
            self._name(self._items(branch, found))

    def _count_items(self, branch: Branch, found: Connection) -> None:
        count = found.kind.fields.get("totalCount")
        if (
            count is not None
            and self._schema.composite(count.type) is None
            and not is_hidden(count)
        ):
            self._add_leaves(branch, [count], 1)

    def _page_info(self, branch: Branch) -> Twig | None:
        declared = self._schema.fields(branch.kind).get("pageInfo")
        kind = self._schema.composite(declared.type) if declared else None
        if declared is None or not isinstance(kind, Object) or declared.required:
            return None
        info = self._below(branch, declared, kind)
        wanted = [kind.fields[name] for name in ("hasNextPage", "endCursor") if name in kind.fields]
        self._add_leaves(info, [one for one in wanted if not one.required], 2)
        return Twig(declared, (), info) if info.twigs else None

    def _items(self, branch: Branch, found: Connection) -> Branch:
        """The branch of a connection's items, put below it."""
        if found.nodes is not None:
            return self._put(branch, found.nodes, found.node)
        assert found.edges is not None and found.edge is not None
        edges = self._put(branch, found.edges, found.edge)
        return self._put(edges, found.edge.fields["node"], found.node)

    def _put(self, branch: Branch, declared: Field, kind: Composite) -> Branch:
        below = self._below(branch, declared, kind)
        branch.twigs.append(Twig(declared, (), below))
        self._ledger.bytes -= line(branch.indent + 1, declared.name) + 2 * branch.indent + 6
        return below

    def _below(self, branch: Branch, declared: Field, kind: Composite, deeper: int = 0) -> Branch:
        return Branch(
            kind,
            branch.indent + 1,
            branch.at(declared.name),
            branch.path | {kind.name},
            branch.level + deeper,
        )

    def _payload(self, branch: Branch, root: Field) -> None:
        """Errors first, then what the mutation is about."""
        errors = error_fields(self._schema, branch.kind)
        for declared in errors:
            self._error(branch, declared)
        leaves = [one for one in self._facts.leaves(branch.kind) if one not in errors]
        self._add_leaves(branch, leaves, self._limits.root_leaves)
        self._force(branch)
        self._note_required(branch)
        objects = [one for one in self._objects(branch) if one not in errors]
        main = subject(self._schema, root, filter(self._facts.is_bounded, objects))
        if main is not None:
            kind = self._schema.composite(main.type)
            assert kind is not None
            self._ledger.bytes -= line(branch.indent + 1, main.name)
            below = self._below(branch, main, kind)
            self._whole(self._inside_edge(below))
            branch.twigs.append(Twig(main, self._given.page(main), below))
        self._let_wait(branch, [one for one in objects if one is not main])

    def _inside_edge(self, branch: Branch) -> Branch:
        """What an edge leads to (Relay gives a new item with its place in a connection)."""
        node = self._schema.fields(branch.kind).get("node")
        kind = self._schema.composite(node.type) if node and not node.required else None
        if node is None or kind is None or not branch.kind.name.endswith("Edge"):
            return branch
        return self._put(branch, node, kind)

    def _error(self, branch: Branch, declared: Field) -> None:
        kind = self._schema.composite(declared.type)
        if kind is None:
            self._add_leaves(branch, [declared], 1)
            return
        below = self._below(branch, declared, kind)
        if isinstance(kind, Object):
            self._add_leaves(below, error_leaves(self._schema, kind), len(ERROR_FIELDS))
        else:
            self._abstract_name(below, error_leaves(self._schema, kind))
        if below.twigs or below.fragments:
            branch.twigs.append(Twig(declared, self._given.page(declared), below))

    # ── abstract types ──────────────────────────────────────────────────────────────

    def _abstract(self, branch: Branch) -> None:
        branch.typename = True
        common = self._facts.leaves(branch.kind)
        members = self._members(branch, bool(common))
        self._add_leaves(branch, common, self._limits.root_leaves)
        self._force(branch)
        self._note_required(branch)
        share = max(_LEAST, self._ledger.leaves // max(1, 2 * len(members)))
        for kind in members:
            self._fragment(branch, kind, share)
        self._let_wait(branch, self._objects(branch))
        for fragment in branch.fragments:
            inherited = self._schema.fields(branch.kind).keys()
            own = [one for one in self._objects(fragment) if one.name not in inherited]
            self._let_wait(fragment, own)

    def _fragment(self, branch: Branch, kind: Object, leaves: int) -> None:
        """A possible type's own leaves; one without any opens one object."""
        inherited = self._schema.fields(branch.kind).keys()
        fragment = Branch(
            kind, branch.indent + 1, branch.place, branch.path | {kind.name}, branch.level
        )
        own = [one for one in self._facts.leaves(kind) if one.name not in inherited]
        self._add_leaves(fragment, own, leaves)
        self._force(fragment, inherited)
        if not fragment.twigs and not (branch.twigs and inherited):
            self._open_one(fragment)
        branch.fragments.append(fragment)

    def _members(self, branch: Branch, has_leaves: bool) -> list[Object]:
        """The possible types that get a fragment; of too many none where there are common leaves."""
        kind = branch.kind
        assert isinstance(kind, Interface | Union)
        possible = [
            one
            for name in kind.possible
            if isinstance(one := self._schema.types[name], Object)
            and name not in self._schema.roots
        ]
        wished = [one for one in possible if one.name in self._wishes.types]
        if wished or len(possible) <= self._limits.types:
            return wished or possible
        chosen = [] if has_leaves else possible[: self._limits.types]
        gone = len(possible) - len(chosen)
        self._omit(
            branch.at("*"),
            f"is one of {len(possible)} types of {kind.name}, {gone} of them without a fragment",
        )
        return chosen

    # ── references ──────────────────────────────────────────────────────────────────

    def _name(self, branch: Branch) -> None:
        """A reference selection: what names the object to a reader."""
        found = self._facts.connection(branch.kind)
        leaves = self._facts.names(branch.kind)
        if found is not None:
            self._connection(branch, found, first=False)
        elif not isinstance(branch.kind, Object):
            self._abstract_name(branch, leaves)
        elif leaves:
            self._add_leaves(branch, leaves, len(leaves))
        else:
            self._open_one(branch)
        self._force(branch)
        if found is None:
            self._note_required(branch)

    def _abstract_name(self, branch: Branch, leaves: Sequence[Field]) -> None:
        branch.typename = True
        self._add_leaves(branch, leaves, len(leaves))
        if leaves:
            return
        for kind in self._members(branch, has_leaves=False):
            fragment = Branch(
                kind, branch.indent + 1, branch.place, branch.path | {kind.name}, branch.level
            )
            own = self._facts.names(kind)
            self._add_leaves(fragment, own, len(own))
            self._force(fragment)
            if fragment.twigs:
                branch.fragments.append(fragment)

    def _open_one(self, branch: Branch) -> None:
        """One object below a type that has no leaf of its own."""
        if branch.level >= self._limits.depth:
            return
        for declared in self._objects(branch):
            kind = self._schema.composite(declared.type)
            if kind is None or kind.name in branch.path or not self._facts.is_bounded(declared):
                continue
            below = self._below(branch, declared, kind, deeper=1)
            if isinstance(kind, Object) and self._facts.connection(kind) is None:
                self._add_leaves(below, self._facts.leaves(kind), _OPENED_LEAVES)
                if not below.twigs:
                    self._open_one(below)
            else:
                self._name(below)
            if below.says_something:
                branch.twigs.append(Twig(declared, self._given.page(declared), below))
                return

    # ── the queue ───────────────────────────────────────────────────────────────────

    def _objects(self, branch: Branch) -> tuple[Field, ...]:
        return self._facts.objects(branch.kind)

    def _let_wait(self, branch: Branch, fields: Sequence[Field]) -> None:
        if branch.level >= self._limits.depth:
            return
        for declared in fields:
            if not self._facts.is_bounded(declared):
                self._omit(branch.at(declared.name), "has no argument that bounds how much comes")
            elif not branch.has(declared.name):
                self._queue.put(branch, declared)

    def _try(self, candidate: Candidate) -> None:
        """Pick a queued object if all of its reference selection can be paid for."""
        branch, declared = candidate.branch, candidate.field
        kind = self._schema.composite(declared.type)
        assert kind is not None
        place = branch.at(declared.name)
        if self._ledger.leaves < 1 or self._ledger.bytes < line(branch.indent, declared.name):
            self._omit(place, "beyond the budget", by_budget=True)
            return
        before, self._ledger = self._ledger, Ledger(1000, 100_000)
        below = self._below(branch, declared, kind, deeper=1)
        self._name(below)
        self._ledger = before
        if not below.says_something:
            return
        twig = Twig(declared, self._given.page(declared), below)
        size = line(branch.indent + 1, declared.name, twig.arguments) + below.bytes
        if not self._ledger.pays(below.leaves, size):
            self._omit(place, "beyond the budget", by_budget=True)
            return
        branch.twigs.append(twig)
        if below.level + 1 < self._limits.depth and kind.name not in branch.path:
            self._let_wait(below, self._objects(below))

    # ── fields that settings name ───────────────────────────────────────────────────

    def _force(self, branch: Branch, inherited: Collection[str] = ()) -> None:
        """Pick the fields that settings give arguments, and those on the way to them."""
        for declared in self._schema.fields(branch.kind).values() if self._forced else ():
            place = branch.at(declared.name)
            if place not in self._forced or branch.has(declared.name) or declared.name in inherited:
                continue
            arguments = self._given.every(declared, place)
            given = {name for name, _ in arguments}
            if any(one.name not in given for one in self._facts.missing(declared)):
                continue
            kind = self._schema.composite(declared.type)
            if kind is None:
                branch.twigs.append(Twig(declared, arguments))
                continue
            below = self._below(branch, declared, kind, deeper=1)
            self._name(below)
            branch.twigs.append(Twig(declared, arguments, below))

    # ── leaves and what is left out ─────────────────────────────────────────────────

    def _add_leaves(self, branch: Branch, fields: Sequence[Field], most: int) -> None:
        for declared in fields:
            place = branch.at(declared.name)
            if most > 0 and self._ledger.pays(1, line(branch.indent + 1, declared.name)):
                most -= 1
                given = place in self._forced
                branch.twigs.append(
                    Twig(declared, self._given.every(declared, place) if given else ())
                )
            else:
                self._omit(place, "beyond the budget", by_budget=True)

    def _note_required(self, branch: Branch) -> None:
        aside = self._facts.aside(branch.kind)
        if aside is not None:
            self._omit(branch.at(aside.name), "left to those who ask for it", by_budget=True)
        for declared in self._facts.needy(branch.kind):
            if not branch.has(declared.name):
                needs = ", ".join(
                    f"{one.name}: {spelled(one.type)}" for one in self._facts.missing(declared)
                )
                self._omit(branch.at(declared.name), f"needs {needs}")

    def _omit(self, place: str, why: str, *, by_budget: bool = False) -> None:
        self._omitted.setdefault(place, Omitted(place, why, by_budget))
