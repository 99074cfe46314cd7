"""Makes the tools of an Api: names, descriptions, effects, gates, limits and budgets."""

import keyword
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from . import rates
from .budget import Budget
from .descriptions import describe, written
from .errors import InputError
from .gating import effects
from .gating.order import Judged, Order
from .gating.readings import reads
from .model.api import Api, Operation
from .model.calls import Paging
from .model.catalogue import Catalogue, Effects, Gate, RateLimit, Tool
from .model.findings import Warning
from .model.nodes import Location
from .naming import NAME, Names, is_reserved, tool_names
from .offers import Offers
from .paging import paging
from .pointers import join
from .selection import find, nearest, select, spellings
from .settings.policy import GateSettings, PackageSettings, ToolSettings

_NOTHING = ToolSettings()
_USUAL = GateSettings()


def shape(api: Api, settings: PackageSettings) -> Catalogue:
    """The Api after the user's policy; tools in the order of the operations.

    Names are settled among all operations, chosen or not, so that what a package includes
    renames nothing. Raises InputError for a setting that names no operation or no name.
    """
    names = tool_names(api.operations, naming=settings.naming, results=api.definitions.output)
    decisions = _Decisions.of(api, settings, names)
    if decisions.names:
        names = tool_names(
            api.operations,
            naming=settings.naming,
            chosen=decisions.names,
            results=api.definitions.output,
        )
    chosen = select(api.operations, names.by_key, settings.include, settings.exclude, api.left_out)
    keys = {operation.key for operation in chosen.operations}
    maker = _Maker(api, settings, names, decisions, chosen.operations)
    tools = maker.tools()
    return Catalogue(
        api=api,
        tools=tools,
        rate_limit=settings.rate_limit or rates.in_extensions(api.extensions),
        losses=tuple(loss for loss in api.losses if loss.operation in keys or not loss.operation),
        left_out=chosen.left_out,
        warnings=(
            *_about(api.warnings, keys),
            *_unmatched(chosen.unmatched, api, names, settings.location),
            *_of(names.warnings, chosen.operations),
            *maker.warnings,
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Decisions:
    """The settings of single tools, by operation key."""

    by_key: Mapping[str, ToolSettings]
    places: Mapping[str, Location]

    @property
    def names(self) -> dict[str, str]:
        """The names that the user chose."""
        return {key: tool.name for key, tool in self.by_key.items() if tool.name}

    @classmethod
    def of(cls, api: Api, settings: PackageSettings, names: Names) -> "_Decisions":
        by_key: dict[str, ToolSettings] = {}
        places: dict[str, Location] = {}
        for spelled, tool in settings.tools.items():
            place = _place(settings, spelled)
            for operation in _named(spelled, api.operations, names, place):
                if operation.key in by_key:
                    raise InputError.at(
                        place, f"{operation.key} has settings already; put them in one table."
                    )
                by_key[operation.key], places[operation.key] = tool, place
        decisions = cls(by_key=by_key, places=places)
        decisions.check_names()
        return decisions

    def check_names(self) -> None:
        """Raise InputError for a chosen name that no tool may have, or two would have."""
        taken: set[str] = set()
        for key, name in self.names.items():
            place = self.places[key]
            if not NAME.fullmatch(name) or keyword.iskeyword(name):
                raise InputError.at(
                    place,
                    f"{name!r} cannot name a tool; take up to 64 ASCII letters, digits and _, "
                    "no digit first and no Python keyword.",
                )
            if is_reserved(name):
                raise InputError.at(place, f"{name!r} is kept for a helper; choose another name.")
            if name.startswith("_"):
                raise InputError.at(place, f"{name!r} would be a private method; drop the _.")
            if name in taken:
                raise InputError.at(place, f"{name!r} names two tools; give each its own.")
            taken.add(name)


class _Maker:
    """Makes one tool after another, and remembers what to tell of them."""

    def __init__(
        self,
        api: Api,
        settings: PackageSettings,
        names: Names,
        decisions: _Decisions,
        operations: tuple[Operation, ...],
    ) -> None:
        self.warnings: list[Warning] = []
        self._settings = settings
        self._names = names
        self._decisions = decisions
        self._operations = operations
        self._api = api
        self._budget = Budget(api.definitions.input, settings.schema_tokens)
        self._offers = Offers(api)

    def tools(self) -> tuple[Tool, ...]:
        """The operations as the user gets them."""
        judged = [Judged(one, _effects(one, self._decided(one))) for one in self._operations]
        order = Order(judged, self._api.definitions.output)
        return tuple(self._tool(one, order.before(one)) for one in judged)

    def _decided(self, operation: Operation) -> ToolSettings:
        return self._decisions.by_key.get(operation.key, _NOTHING)

    def _tool(self, judged: Judged, before: tuple[str, ...]) -> Tool:
        operation, decided = judged.operation, self._decided(judged.operation)
        name = self._names.by_key[operation.key]
        limit = decided.rate_limit or rates.stated(operation)
        description = self._description(operation, decided, limit)
        pages = self._paging(judged)
        offers = self._offers.of(operation, judged.effects, pages)
        trim = self._budget.trim(name, description, operation.input_schema, offers)
        if not trim.fits:
            self.warnings.append(self._too_big(operation, name, trim.tokens))
        return Tool(
            operation=operation,
            name=name,
            description=description,
            effects=judged.effects,
            gate=self._gate(judged, decided.gate or _USUAL, before),
            rate_limit=limit,
            paging=pages,
            offers=offers,
            trimmed=trim.cuts,
        )

    def _paging(self, judged: Judged) -> Paging | None:
        """Only what reads is read on."""
        definitions = self._api.definitions
        if not judged.effects.pure:
            return None
        return paging(judged.operation, definitions.input, definitions.output)

    def _description(
        self, operation: Operation, decided: ToolSettings, limit: RateLimit | None
    ) -> str:
        if decided.description:
            return written(decided.description, deprecated=operation.deprecated)
        room = min(self._settings.description_tokens, self._settings.schema_tokens // 2)
        return describe(operation, limit, room)

    def _gate(self, judged: Judged, decided: GateSettings, before: tuple[str, ...]) -> Gate:
        """The gate with its order as tool names; what is required is not suggested as well."""
        operation = judged.operation
        place = self._decisions.places.get(operation.key, self._settings.location)
        required = [
            self._names.by_key[needed.key]
            for spelled in decided.requires
            for needed in _named(spelled, self._operations, self._names, place)
        ]
        suggested = [self._names.by_key[key] for key in before]
        if self._settings.enforce_order:
            required += suggested
        read = reads(operation, judged.effects, self._api)
        return Gate(
            approval=decided.approval or "consequential",
            requires=tuple(dict.fromkeys(required)),
            suggested=tuple(name for name in suggested if name not in required),
            reads=read if decided.reads is None else decided.reads,
        )

    def _too_big(self, operation: Operation, name: str, tokens: int) -> Warning:
        text = (
            f"{name} takes {tokens} tokens though all was cut that can be, more than "
            f"schema_tokens = {self._settings.schema_tokens}. Raise that, or exclude the tool."
        )
        return Warning(location=operation.location, text=text)


def _effects(operation: Operation, decided: ToolSettings) -> Effects:
    judged = effects.judge(operation)
    said = decided.effects
    if said is None:
        return judged
    opinion = effects.Opinion(
        read_only=said.read_only,
        destructive=said.destructive,
        idempotent=said.idempotent,
        open_world=said.open_world,
        reason="settings",
    )
    return effects.overridden(judged, opinion)


def _named(
    spelled: str, operations: tuple[Operation, ...], names: Names, place: Location
) -> tuple[Operation, ...]:
    """What a setting names; never nothing."""
    found = find(spelled, operations, names.by_key)
    if found:
        return found
    near = nearest(spelled, spellings(operations, names.by_key))
    hint = f"did you mean {near!r}?" if near else "name an operationId, METHOD path or tool."
    raise InputError.at(place, f"{spelled!r} is no operation; {hint}")


def _place(settings: PackageSettings, spelled: str) -> Location:
    pointer = join(settings.location.pointer, "tools", spelled)
    return Location(file=settings.location.file, pointer=pointer)


def _unmatched(
    patterns: Iterable[str], api: Api, names: Names, location: Location
) -> list[Warning]:
    known = spellings(api.operations, names.by_key)
    known |= {f"tag:{tag}" for operation in api.operations for tag in operation.tags}
    warnings: list[Warning] = []
    for pattern in patterns:
        near = nearest(pattern, known)
        hint = f" Did you mean {near!r}?" if near else ""
        text = f"pattern {pattern!r} matches no operation.{hint}"
        warnings.append(Warning(location=location, text=text))
    return warnings


def _about(warnings: Iterable[Warning], keys: Collection[str]) -> Iterator[Warning]:
    """The warnings about the document, and about some of these operations."""
    for warning in warnings:
        about = tuple(key for key in warning.operations if key in keys)
        if about or not warning.operations:
            yield replace(warning, operations=about)


def _of(warnings: Iterable[Warning], operations: Iterable[Operation]) -> list[Warning]:
    """The warnings about operations that became tools."""
    places = {operation.location for operation in operations}
    return [warning for warning in warnings if warning.location in places]
