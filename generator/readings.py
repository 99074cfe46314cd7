"""Judges what a call brings into a conversation, for the Rule of Two.

Text written by others can carry instructions; data of people, money and secrets must not
leave. Only a result's own members count, not those of things inside it: else every read of a
record with an author would be both, and every write would ask.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import TypeAlias

from ..runtime.operation import Reading
from ..runtime.shown.closure import is_node
from .model.api import Api, Operation
from .model.calls import HttpCall
from .model.catalogue import Effects
from .model.nodes import Schema
from .outputs import fields
from .plain import is_array
from .words import singular, words

Readings: TypeAlias = tuple[Reading, ...]

_FREE_TEXT = """
abstract answer article bio biography body caption comment content description excerpt feedback
html markdown message note post question readme remark reply review snippet subject summary text
title topic transcript
"""
_SENSITIVE = """
address bank birthday birthdate card credential cvv dob earnings email ethnicity gender
iban income invoice medical mobile passport passphrase password patient payment payout payroll
pension phone pin prescription salary secret ssn surname tax token wage
"""
_SENSITIVE_PAIRS = """
access_key account_number api_key bank_account birth_date credit_card date_birth family_name
first_name full_name given_name last_name license_number national_id phone_number private_key
routing_number social_security tax_id
"""
_FREE = frozenset(_FREE_TEXT.split())
_PRIVATE = frozenset(_SENSITIVE.split())
_PAIRS = frozenset(_SENSITIVE_PAIRS.split())
_TEXT_MEDIA = ("text/plain", "text/html", "text/markdown", "message/rfc822")
_NO_SECRETS = frozenset(("count", "expires", "id", "type", "url", "verified", "limit"))


def reads(operation: Operation, effects: Effects, api: Api) -> Readings:
    """`untrusted`, `sensitive`, both or neither; nothing for what does more than read."""
    if not effects.pure:
        return ()
    members = list(fields(operation.output_schema, api.definitions.output))
    said: dict[Reading, bool] = {
        "untrusted": effects.open_world and _has_free_text(operation, members),
        "sensitive": _is_sensitive(operation, members, api),
    }
    return tuple(name for name, holds in said.items() if holds)


def _has_free_text(operation: Operation, members: list[tuple[str, Schema]]) -> bool:
    plain = {(result.media_type or "").partition(";")[0] for result in operation.results}
    if plain.intersection(_TEXT_MEDIA):
        return True
    return any(_is_free(name, schema) for name, schema in members)


def _is_free(name: str, schema: Schema) -> bool:
    """A text whose last word says that people write it, with no set of values or format."""
    said = words(name)
    if not said or singular(said[-1]) not in _FREE or not is_node(schema):
        return False
    kinds = schema.get("type")
    is_text = kinds is None or kinds == "string" or (is_array(kinds) and "string" in kinds)
    return is_text and not any(key in schema for key in ("enum", "const", "format", "pattern"))


def _is_sensitive(operation: Operation, members: list[tuple[str, Schema]], api: Api) -> bool:
    names = [name for name, _ in members]
    return any(map(_is_private, [*names, *_places(operation), *_scopes(operation, api)]))


def _places(operation: Operation) -> Iterator[str]:
    """The literal segments of the path."""
    if isinstance(operation.call, HttpCall):
        yield from (part for part in operation.call.path.split("/") if part and "{" not in part)


def _scopes(operation: Operation, api: Api) -> Iterator[str]:
    needed = api.security if operation.security is None else operation.security
    for alternative in needed:
        for scopes in alternative.values():
            yield from scopes


def _is_private(name: str) -> bool:
    """Whether a name speaks of people, money or secrets, and not of something about them."""
    said = [singular(word) for word in words(name)]
    if said and said[-1] in _NO_SECRETS:
        return False
    pairs = {f"{one}_{two}" for one, two in pairwise(said)}
    return bool(_PRIVATE.intersection(said) or _PAIRS & pairs)
