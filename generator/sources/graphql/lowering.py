"""From a schema that was read to the neutral Api."""

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from ...errors import InputError
from ...model.api import Api, Definitions, GraphQLSide, Operation, Tag
from ...model.calls import GraphQLCall, Server, ServerVariable
from ...model.findings import Warning
from ...model.nodes import Location
from ...model.security import SecurityScheme
from ...words import snake
from .core import SchemaError, Written, written
from .drafts import Draft, Drafter
from .fieldmap import field_map
from .inputs import Inputs
from .load import Source
from .operations import operation_of, unbounded
from .options import LowerOptions
from .outputs import Outputs
from .presets import PRESETS, Preset
from .roots import Root, roots
from .scalars import Scalars
from .selection.facts import Facts
from .selection.limits import Wishes
from .selection.validity import Invalid
from .selection.wished import Unknown
from .tools import GROUPS, Made, Maker

_TAGS = {
    "queries": "What can be asked.",
    "mutations": "What can be changed.",
    "subscriptions": "What can be listened to.",
}


def lower(source: Source, options: LowerOptions) -> Api:
    """The Api of a schema: one operation a root field, and one a hand-written document.

    Raises InputError for a document that is not valid, and for a setting that names nothing.
    """
    preset = PRESETS.get(options.preset or "", Preset())
    scalars = Scalars({**preset.scalars, **options.scalars})
    maker = Maker(
        facts=Facts(source.schema, preset.habits),
        judge=source.judge,
        inputs=Inputs(source.schema, scalars, preset.unused),
        outputs=Outputs(source.schema, scalars),
        file=source.file,
    )
    found = list(roots(source.schema))
    documents = _documents(source, options)
    by_hand = [operation_of(one, maker) for one in documents]
    rest = _Rest(replaced_by=set(map(_replaces, by_hand)), preset=preset)
    made = rest.of(found, maker, options)
    _require_known(options, found, by_hand, source)
    operations = [one.operation for one in made if one.operation is not None]
    endpoint = options.endpoint or preset.endpoint
    schemes = _schemes(options.header or preset.header, source.file, bearer=preset.bearer)
    return Api(
        title=options.title,
        version="",
        description=source.schema.description,
        servers=tuple(_servers(options.endpoint, preset)),
        security=tuple([{name: ()} for name in schemes] + ([] if preset.required else [{}])),
        security_schemes=schemes,
        tags=tuple(Tag(name=name, description=text) for name, text in _TAGS.items()),
        operations=tuple(sorted([*operations, *by_hand], key=lambda one: one.key)),
        definitions=Definitions(
            input=maker.inputs.definitions(), output=maker.outputs.definitions()
        ),
        losses=tuple(loss for one in made for loss in one.losses),
        left_out=tuple(one.left_out for one in made if one.left_out is not None),
        warnings=(
            *source.warnings,
            *_without_bound(documents, maker.facts),
            *_without_endpoint(endpoint, source),
        ),
        operation_count=len(found) + len(by_hand),
        graphql=GraphQLSide(
            field_map=field_map(source.schema, scalars),
            get=options.get,
            persisted=options.persisted,
            stream=options.stream,
        ),
        location=Location(file=source.file, pointer=""),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rest:
    """Makes the automatic tools: all that no document replaces and nobody leaves out."""

    replaced_by: set[tuple[str, str]]  # the kinds and names of documents
    preset: Preset

    def of(self, found: list[Root], maker: Maker, options: LowerOptions) -> list[Made]:
        """What became of each root; their documents are judged together."""
        drafter = Drafter(maker.facts)
        drafts = [self._draft(root, drafter, options) for root in found]
        for kind in GROUPS:  # names of operations are their own within a kind
            drafted = (one for one in drafts if isinstance(one, Draft) and one.root.kind == kind)
            maker.judge.judge_together([one.document.text for one in drafted])
        return [
            maker.make(draft) if isinstance(draft, Draft) else maker.leave_out(root, draft)
            for root, draft in zip(found, drafts, strict=True)
        ]

    def _draft(self, root: Root, drafter: Drafter, options: LowerOptions) -> Draft | str:
        """The draft for a root, or why there is none."""
        why = self._reason(root, options)
        if why is not None:
            return why
        try:
            return drafter.draft(root, _wishes(root, options))
        except (Invalid, Unknown) as error:
            return str(error)

    def _reason(self, root: Root, options: LowerOptions) -> str | None:
        if (root.kind, snake(root.place)) in self.replaced_by:
            return "an operation document of the same name takes its place"
        if root.kind == "query" and root.place in self.preset.skip:
            return f"serves a client library (preset = {options.preset!r})"
        if root.deprecated is not None and not options.include_deprecated:
            return f"deprecated: {root.deprecated} (include_deprecated = true makes it a tool)"
        return None


def _documents(source: Source, options: LowerOptions) -> list[Written]:
    try:
        return written(options.operations, source.schema, source.judge)
    except SchemaError as error:
        place = f"{error.file}:{error.line}" if error.line else error.file or source.file
        raise InputError(f"{place}: {error}. Correct it there.") from None


def _replaces(operation: Operation) -> tuple[str, str]:
    """The kind of root and the name whose automatic tool a document replaces."""
    assert isinstance(operation.call, GraphQLCall)
    return operation.call.kind, snake(operation.operation_id or "")


def _wishes(root: Root, options: LowerOptions) -> Wishes:
    for key in _spellings(root):
        if key in options.tools:
            return options.tools[key]
    return Wishes(limits=options.limits)


def _spellings(root: Root) -> tuple[str, ...]:
    """How settings may name a root: its key, or what its tool is called by itself."""
    name = snake(root.place)
    return root.key, name, f"{name}_{root.kind}"


def _require_known(
    options: LowerOptions, found: list[Root], by_hand: list[Operation], source: Source
) -> None:
    """Other tables of settings are checked when tools have their names."""
    known = {key for root in found for key in _spellings(root)}
    known |= {one.operation_id or "" for one in by_hand}
    for key in options.tools:
        if key not in known:
            near = get_close_matches(key, sorted(known), n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise InputError(
                f"{source.file}: settings choose fields for {key!r}, which is no root field.{hint}"
            )


def _servers(endpoint: str | None, preset: Preset) -> Iterator[Server]:
    if endpoint is not None:
        yield Server(url=endpoint)
    elif preset.endpoint is not None:
        variables = {
            name: ServerVariable(default=default) for name, default in preset.variables.items()
        }
        yield Server(url=preset.endpoint, variables=variables)


def _schemes(header: str | None, file: str, *, bearer: bool) -> dict[str, SecurityScheme]:
    """The ways to sign in, each of which will do; without a header it is a bearer token."""
    place = Location(file=file, pointer="")
    found: list[SecurityScheme] = []
    if header is not None:
        found.append(
            SecurityScheme(
                name="apiKey", kind="apiKey", place="header", parameter=header, location=place
            )
        )
    if header is None or bearer:
        found.append(
            SecurityScheme(name="bearerAuth", kind="http", scheme="bearer", location=place)
        )
    return {scheme.name: scheme for scheme in found}


def _without_bound(documents: list[Written], facts: Facts) -> Iterator[Warning]:
    for one in documents:
        place = Location(file=one.file, pointer=f"/{one.name}")
        for text in unbounded(one.picks, facts, one.name):
            yield Warning(location=place, text=f"{text}.")


def _without_endpoint(endpoint: str | None, source: Source) -> Iterator[Warning]:
    if endpoint is None:
        yield Warning(
            location=Location(file=source.file, pointer=""),
            text="a schema does not say where its server is; set endpoint, or pass base_url=.",
        )
