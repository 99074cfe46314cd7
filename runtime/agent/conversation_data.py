"""Conversations as plain JSON data and back; what does not fit is refused with its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from ..operation import Effects
from ..wire.values import is_array, is_object
from . import conversation
from .conversation import (
    Assistant,
    CallDelta,
    ModelRequest,
    ModelResponse,
    Observation,
    Part,
    Raw,
    ReasoningDelta,
    RefusalDelta,
    TextDelta,
    ToolCall,
    ToolChoice,
    ToolSpec,
    Usage,
    User,
)

_KINDS: dict[str, type] = {
    "assistant": Assistant,
    "call": ToolCall,
    "call_delta": CallDelta,
    "effects": Effects,
    "observation": Observation,
    "raw": Raw,
    "reasoning_delta": ReasoningDelta,
    "refusal_delta": RefusalDelta,
    "request": ModelRequest,
    "response": ModelResponse,
    "text_delta": TextDelta,
    "tool": ToolSpec,
    "tool_choice": ToolChoice,
    "usage": Usage,
    "user": User,
}
_NAMES = {kind: name for name, kind in _KINDS.items()}


def to_data(part: Part) -> dict[str, Any]:
    """The value as JSON data: an object with its `kind`, and the fields that are not at rest."""
    return cast("dict[str, Any]", _plain(part))


def from_data(data: object) -> Part:
    """The value that `to_data` wrote. Raises ValueError, naming the place, for anything else."""
    return cast("Part", _typed(data, ""))


def _plain(value: object) -> Any:
    name = _NAMES.get(type(value))
    if name is not None:
        told: dict[str, Any] = {"kind": name}
        for field in fields(cast("Any", value)):
            part = getattr(value, field.name)
            if part != _at_rest(field):
                told[field.name] = _plain(part)
        return told
    if is_object(value):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if is_array(value) else value


def _at_rest(field: Field[Any]) -> object:
    if field.default_factory is not MISSING:
        return field.default_factory()
    return field.default


def _typed(data: object, where: str) -> object:
    if not is_object(data):
        raise ValueError(f"{where or 'the value'}: must be an object with a kind")
    name = data.get("kind")
    kind = _KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise ValueError(f"{where}/kind: {name!r} is no kind of message, request or response")
    hints = _hints(kind)
    unknown = sorted(map(str, set(data) - set(hints) - {"kind"}))
    if unknown:
        raise ValueError(f"{where}/{unknown[0]}: {name} has no such field")
    read = {
        key: _read(hints[key], value, f"{where}/{key}")
        for key, value in data.items()
        if key != "kind"
    }
    try:
        return kind(**read)
    except TypeError as error:
        raise ValueError(f"{where or 'the value'}: {error}") from None


@cache
def _hints(kind: type) -> dict[str, Any]:
    names = {field.name for field in fields(kind)}
    hints = get_type_hints(kind, dict(vars(conversation)))
    return {name: hint for name, hint in hints.items() if name in names}


def _read(hint: Any, value: object, where: str) -> object:
    """The value as a field of this type has it."""
    if get_origin(hint) in (Union, UnionType):
        return _one_of(get_args(hint), value, where)
    if not _fits(hint, value):
        raise ValueError(f"{where}: {type(value).__name__} does not belong here")
    if is_dataclass(hint):
        return _typed(value, where)
    if get_origin(hint) is tuple:
        item = get_args(hint)[0]
        items = cast("list[object]", value)
        return tuple(_read(item, each, f"{where}/{index}") for index, each in enumerate(items))
    return value


def _one_of(choices: tuple[Any, ...], value: object, where: str) -> object:
    for choice in choices:
        if _fits(choice, value):
            return _read(choice, value, where)
    raise ValueError(f"{where}: {type(value).__name__} does not belong here")


def _fits(hint: Any, value: object) -> bool:
    """Whether a value has the form of a type, without a look inside."""
    origin = get_origin(hint) or hint
    if origin is Any:
        return True
    if origin is Literal:
        return value in get_args(hint)
    if is_dataclass(origin):
        return is_object(value) and value.get("kind") == _NAMES.get(cast("type", origin))
    if origin is tuple:
        return is_array(value)
    if origin in (dict, Mapping):
        return is_object(value)
    return type(value) is (NoneType if origin is None else origin)
