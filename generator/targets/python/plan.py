"""Every identifier, file, import and type of a package, settled before anything is printed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ....runtime.result import RESULT_TOKENS
from ...identifiers import class_names, module_names, package_class_name
from ...model.catalogue import Catalogue, Tool
from . import imports
from .expressions import Scope, fits
from .literals import docstring, string
from .methods import Method, Signature, method, signature
from .modelnames import definition_names
from .models import PrintedModel, model_names, printed_models
from .texts import DESCRIPTION, brief
from .toolset import Root, root
from .types import Types

UNTAGGED = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the user decides about a package's own names."""

    package: str  # its import name
    source: str  # the description's file name or address, no path of a machine
    class_name: str = ""  # of the toolset; empty: made from the package's name
    result_tokens: int = RESULT_TOKENS  # about as many of a result are shown to a model


@dataclass(frozen=True, slots=True)
class Property:
    """What reaches a group from its toolset."""

    signature: str
    docstring: str
    home: str  # the import in its body


@dataclass(frozen=True, slots=True)
class Group:
    """One module: the tools of a tag."""

    module: str
    class_name: str
    docstring: str  # of the module, at column 0
    class_docstring: str
    reached: Property
    imports: tuple[str, ...]
    models: str  # the import of the models, "" where none is used
    base: str  # `ToolGroup` as it is spelled here
    tools: tuple[Tool, ...]
    methods: tuple[Method, ...]


@dataclass(frozen=True, slots=True)
class Models:
    """models.py."""

    imports: tuple[str, ...]
    models: tuple[PrintedModel, ...]


@dataclass(frozen=True, slots=True)
class Home:
    """Where a class of the package lives, and the import that says so."""

    module: str
    class_name: str
    line: str


@dataclass(frozen=True, slots=True)
class Plan:
    """A whole package, decided."""

    package: str
    header: str  # comment lines at the top of every module
    docstring: str  # of the package
    root: Root
    groups: tuple[Group, ...]  # by module name
    models: Models | None
    homes: tuple[Home, ...]  # sorted as imports are
    exports: tuple[str, ...]  # names of `__all__`, in order


def plan(catalogue: Catalogue, settings: Settings) -> Plan:
    """Decide everything about the package of a catalogue."""
    tagged = _tagged(catalogue.tools)
    modules = module_names(tagged)
    grouped = {modules[tag]: tools for tag, tools in sorted(tagged.items())}
    root_class = _root_class(settings)
    classes = class_names(sorted(grouped), (*imports.CLASS_NAMES_TAKEN, root_class))

    definitions = definition_names(catalogue.api.definitions)
    types = Types(catalogue.api.definitions, definitions)
    signatures = {
        module: [signature(tool, types) for tool in grouped[module]] for module in sorted(grouped)
    }
    names = model_names(types, definitions)
    title = " ".join(catalogue.api.title.split()) or settings.package
    said = _said(modules, catalogue, title)
    groups = tuple(
        _group(module, classes[module], said[module], signed, catalogue, names)
        for module, signed in signatures.items()
    )
    return Plan(
        package=settings.package,
        header=_header(settings.source),
        docstring=docstring(f"Tools of {title}.", 0),
        root=root(
            catalogue,
            root_class,
            title,
            {group.module: [tool.name for tool in group.tools] for group in groups},
            settings.result_tokens,
        ),
        groups=groups,
        models=_models(types, names),
        homes=_homes({"toolset": root_class, **classes}),
        exports=tuple(imports.sorted_names(["TOOLSET", root_class, *classes.values()])),
    )


def _tagged(tools: Iterable[Tool]) -> dict[str, list[Tool]]:
    """The tools of each tag; the first of several counts."""
    tagged: dict[str, list[Tool]] = {}
    for tool in sorted(tools, key=lambda tool: tool.name):
        tags = tool.operation.tags
        tagged.setdefault(tags[0] if tags else UNTAGGED, []).append(tool)
    return tagged


def _said(modules: Mapping[str, str], catalogue: Catalogue, title: str) -> dict[str, str]:
    """What each module says of itself; `modules` are those of the tags."""
    texts = {tag.name: brief(tag.description, DESCRIPTION) for tag in catalogue.api.tags}
    return {
        module: texts.get(tag) or f"Tools of {title if tag == UNTAGGED else tag}."
        for tag, module in modules.items()
    }


def _homes(classes: Mapping[str, str]) -> tuple[Home, ...]:
    return tuple(
        Home(module, classes[module], imports.local(module, classes[module], 4))
        for module in sorted(classes, key=imports.natural)
    )


def _root_class(settings: Settings) -> str:
    name = settings.class_name or package_class_name(settings.package)
    return f"{name}Toolset" if name in imports.CLASS_NAMES_TAKEN else name


def _header(source: str) -> str:
    label = string(source)[1:-1]
    return (
        f"# Generated by toolmint from {label}. Change the description or toolmint.toml and run\n"
        "# `toolmint generate`; an edit made here is reported, never overwritten silently."
    )


def _group(
    module: str,
    class_name: str,
    text: str,
    signatures: Iterable[Signature],
    catalogue: Catalogue,
    names: Mapping[str, str],
) -> Group:
    signed = tuple(signatures)
    hidden = {one.tool.name for one in signed}
    spelled = imports.renamed(hidden)
    scope = Scope(names, f"{spelled.get('models', 'models')}.", spelled)
    base = scope.name("ToolGroup")
    methods = tuple(method(one, catalogue, scope) for one in signed)
    uses_models = "models" in scope.used
    more = ("TYPE_CHECKING",) if uses_models else ()
    models = f"models as {spelled['models']}" if "models" in spelled else "models"
    return Group(
        module=module,
        class_name=class_name,
        docstring=docstring(text, 0),
        class_docstring=docstring(text, 4),
        reached=_property(module, class_name, text),
        imports=imports.blocks(
            imports.standard(scope.used, spelled, *more),
            imports.toolmint("runtime", scope.used, spelled),
        ),
        models=f"from . import {models}" if uses_models else "",
        base=base,
        tools=tuple(one.tool for one in signed),
        methods=methods,
    )


def _property(module: str, class_name: str, text: str) -> Property:
    signature = f"def {module}(self) -> {class_name}:"
    if not fits(signature, 4):
        signature = f"def {module}(\n        self,\n    ) -> {class_name}:"
    return Property(signature, docstring(text, 8), imports.local(module, class_name, 8))


def _models(types: Types, names: Mapping[str, str]) -> Models | None:
    scope = Scope(names)
    printed = tuple(printed_models(types, scope))
    if not printed:
        return None
    more = [
        *(["TypeAlias"] if any(one.kind == "alias" for one in printed) else []),
        *(["TypedDict"] if any(one.kind != "alias" for one in printed) else []),
    ]
    return Models(imports.blocks(imports.standard(scope.used, {}, *more)), printed)
