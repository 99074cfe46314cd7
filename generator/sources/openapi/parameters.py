"""Parameter Objects, one by one: what each is called, how it travels, what it holds."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

from ...model.arguments import Argument, ArrayFormat, Parameter
from ...model.nodes import Schema
from ...plain import as_object, is_array, is_object
from ...pointers import Place
from .array_formats import array_format
from .contents import contents, is_field_name
from .examples import with_examples
from .findings import Findings, LoweringProblem
from .keywords import FITS
from .objects import complaint
from .references import BrokenReference, References
from .scalars import prose, switch
from .schemas import SchemaReader
from .structures import STRUCTURES

ParameterPlace: TypeAlias = Literal["path", "query", "header", "cookie", "querystring"]

PLACES: tuple[ParameterPlace, ...] = get_args(ParameterPlace)
_DELIMITED = ("spaceDelimited", "pipeDelimited", "tabDelimited")
_STYLES: dict[ParameterPlace, tuple[str, ...]] = {
    "path": ("simple", "label", "matrix", *_DELIMITED),
    "query": ("form", "deepObject", *_DELIMITED),
    "header": ("simple", *_DELIMITED),
    "cookie": ("form", "cookie"),
    "querystring": ("form",),
}
"""Place → the styles it knows, the default one first; 2.0 delimits in paths and headers too."""

Key: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Declared:
    """A parameter as an argument under its own name, and the key by which others override it."""

    argument: Argument
    key: Key


class ParameterReader:
    """Reads parameters; one that many operations refer to is read once."""

    def __init__(
        self,
        references: References,
        findings: Findings,
        schemas: SchemaReader,
        arrays: ArrayFormat,
    ) -> None:
        self._references = references
        self._arrays: ArrayFormat = arrays
        self._findings = findings
        self._schemas = schemas
        self._shared: dict[str, Declared | None] = {}

    def read_all(self, *lists: tuple[Any, Place]) -> list[Declared]:
        """The parameters of several lists in order: a later one overrides the same in place."""
        found: dict[Key, Declared] = {}
        for parameters, place in lists:
            if parameters is None:
                continue
            if not is_array(parameters):
                self._findings.lose(place, "`parameters` is no list; it is dropped")
                continue
            met: set[Key] = set()
            for index, parameter in enumerate(parameters):
                declared = self._read(parameter, (place, index))
                if declared is None:
                    continue
                if declared.key in met:
                    self._findings.warn((place, index), "is declared twice; the last one counts")
                met.add(declared.key)
                found[declared.key] = declared
        return list(found.values())

    def _read(self, parameter: Any, place: Place) -> Declared | None:
        reference = parameter.get("$ref") if is_object(parameter) else None
        if not isinstance(reference, str) or len(parameter) > 1:
            return self._followed(parameter, place)
        key = self._references.key(reference, place)
        part = ("parameter", key)
        self._findings.reach(part)
        if key not in self._shared:
            with self._findings.within(part):
                declared = self._followed(parameter, place)
            if not self._references.is_settled(key):
                return declared
            self._shared[key] = declared
        return self._shared[key]

    def _followed(self, parameter: Any, place: Place) -> Declared | None:
        try:
            followed, at = self._references.follow(parameter, place)
        except BrokenReference as problem:
            raise LoweringProblem(place, f"a parameter cannot be read: {problem}") from None
        return self._declared(followed, at)

    def _declared(self, parameter: Mapping[str, Any], place: Place) -> Declared | None:
        name, where = parameter.get("name"), parameter.get("in")
        if not isinstance(name, str) or not name or where not in PLACES:
            why = complaint("parameter", parameter) or "it needs a `name` and an `in`"
            self._drop(parameter, place, why)
            return None
        if where in ("header", "cookie") and not is_field_name(name):
            self._drop(parameter, place, f"no {where} can be called {name!r}")
            return None
        schema, media_type = self._schema(parameter, place)
        carrier = self._carrier(parameter, name, where, media_type, place)
        if carrier.style == "deepObject" and self._is_deep(schema):
            self._findings.warn(
                place, "deepObject is not defined below one level: `a[b][c]` is sent"
            )
        argument = Argument(
            name=name,
            carrier=carrier,
            required=where == "path" or self._is(parameter, "required", place),
            schema=with_examples(
                self._references, self._with_words(schema, parameter, place), parameter, place
            ),
            location=self._findings.location(place),
        )
        return Declared(argument, (name.lower() if where == "header" else name, where))

    def _drop(self, parameter: Mapping[str, Any], place: Place, why: str) -> None:
        if parameter.get("required") in (True, "true"):
            raise LoweringProblem(place, f"a required parameter cannot be read: {why}")
        self._findings.lose(place, f"a parameter cannot be read: {why}; it is dropped")

    def _carrier(
        self,
        parameter: Mapping[str, Any],
        name: str,
        place_in: ParameterPlace,
        media_type: str | None,
        place: Place,
    ) -> Parameter:
        styles = _STYLES[place_in]
        style = parameter.get("style", styles[0])
        if style not in styles:
            self._findings.lose(
                (place, "style"), f"{style!r} is no style in {place_in}; {styles[0]!r} is used"
            )
            style = styles[0]
        explode = switch(self._findings, parameter, "explode", place)
        return Parameter(
            name=name,
            place=place_in,
            style=style,
            explode=style in ("form", "cookie") if explode is None else explode,
            allow_reserved=self._is(parameter, "allowReserved", place),
            media_type=media_type,
            arrays=self._array_format(parameter, style, place),
        )

    def _with_words(self, schema: Schema, parameter: Mapping[str, Any], place: Place) -> Schema:
        """The schema with the parameter's own description and deprecation."""
        said: dict[str, Any] = {}
        description = prose(self._findings, parameter, "description", place)
        if description.strip():
            said["description"] = description
        if self._is(parameter, "deprecated", place):
            said["deprecated"] = True
        if not said:
            return schema
        return {"not": {}, **said} if schema is False else {**as_object(schema), **said}

    def _is(self, parameter: Mapping[str, Any], key: str, place: Place) -> bool:
        return switch(self._findings, parameter, key, place) is True

    def _array_format(self, parameter: Mapping[str, Any], style: str, place: Place) -> ArrayFormat:
        if style != "deepObject":
            return "repeat"
        return array_format(parameter, self._arrays, self._findings, place)

    def _is_deep(self, schema: Schema) -> bool:
        """Whether a member of an object is an object or array itself."""
        members = as_object(as_object(self._schemas.followed(schema)).get("properties"))
        return any(
            as_object(self._schemas.followed(member)).get("type") in ("object", "array")
            for member in members.values()
        )

    def _schema(self, parameter: Mapping[str, Any], place: Place) -> tuple[Schema, str | None]:
        """The schema, and the media type when `content` says how it is written."""
        if "schema" in parameter:
            return self._schemas.read(parameter["schema"], (place, "schema")), None
        at = (place, "content")
        for content in contents(self._references, self._findings, parameter.get("content"), at):
            schema = self._schemas.read(content.held.get("schema", {}), (content.place, "schema"))
            return schema, content.media_type
        # Documents of 3.x that still spell their parameters as 2.0 did.
        own = {key: value for key, value in parameter.items() if key in _OF_SCHEMAS}
        if "type" not in own:
            self._findings.warn(place, "a parameter without a schema takes any value")
            return {}, None
        self._findings.warn(place, "a parameter's type stands outside of its `schema`")
        return self._schemas.read(own, place), None


_OF_SCHEMAS = (FITS.keys() | STRUCTURES.keys()) - {"required", "description", "deprecated"}
