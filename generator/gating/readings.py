"""Judges what a call brings into a conversation, for the Rule of Two.

Text written by others can carry instructions; data of people, money and secrets must not
leave. Only a result's own members count, not those of things inside it: else every read of a
record with an author would be both, and every write would ask.
"""

from collections.abc import Iterator
from typing import TypeAlias

from ...runtime.operation import Reading
from ...runtime.shown.closure import is_node
from ..model.api import Api, Operation
from ..model.calls import HttpCall
from ..model.catalogue import Effects
from ..model.nodes import Schema
from ..outputs import fields
from ..plain import is_array
from ..words import singular, words

Readings: TypeAlias = tuple[Reading, ...]

_FREE_TEXT = """
abstract answer article bio biography body caption comment content description excerpt feedback
html markdown message note post question readme remark reply review snippet subject summary text
title topic transcript
"""
_SENSITIVE = """
bank birth birthday birthdate credential cvv dob earning email ethnicity gender iban income
invoice medical mobile passport passphrase password patient payment payout payroll pension phone
prescription salary secret ssn surname token wage
"""
_SENSITIVE_PAIRS = """
access_key access_token account_number api_key api_token auth_token bank_account bank_card
bank_detail billing_address birth_date card_number card_pin credit_card debit_card delivery_address
email_address family_name first_name full_name given_name home_address last_name license_number
mailing_address medical_record mobile_number national_id passport_number payment_card
payment_method phone_number postal_address private_key refresh_token residential_address
routing_number secret_key shipping_address social_security street_address tax_id tax_number
tax_return
"""
_FREE = frozenset(_FREE_TEXT.split())
_PRIVATE = frozenset(_SENSITIVE.split())
_PAIRS = frozenset(_SENSITIVE_PAIRS.split())
_CURSOR_WORDS = """
change continuation cursor delta next page paging pagination prev previous resume skip sync
"""
_CURSORS = frozenset(_CURSOR_WORDS.split())
"""A token of these says where in a list one is: no secret."""
_OUTCOMES = frozenset(("code", "error", "return", "status", "success", "warning"))
"""Beside one of these a message is the API's own word on the call."""
_TEXT_MEDIA = ("text/plain", "text/html", "text/markdown", "message/rfc822")
_ABOUT = frozenset(("count", "expires", "id", "limit", "policy", "type", "url", "verified"))
"""A path that ends in one tells something about what it names before: `/password/policy`."""


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
    if _is_text(operation):
        return True
    tells = any(name.lower() in _OUTCOMES for name, _ in members)
    return any(
        _is_free(name, schema) for name, schema in members if not _is_own(words(name), tells=tells)
    )


def _is_own(said: list[str], *, tells: bool) -> bool:
    """Whether a name is that of the API's own word on the call: `error_message`."""
    return said[-1:] == ["message"] and (tells if len(said) == 1 else said[-2] in _OUTCOMES)


def _is_text(operation: Operation) -> bool:
    """Whether an answer is text and nothing else: many offer JSON as `text/plain` as well."""
    answers = (result for result in operation.results if result.status.startswith(("2", "d")))
    media = {(result.media_type or "").partition(";")[0] for result in answers}
    return bool(media.intersection(_TEXT_MEDIA)) and not any("json" in one for one in media)


def _is_free(name: str, schema: Schema) -> bool:
    """A text whose last word says that people write it, with no set of values or format."""
    said = words(name)
    if not said or singular(said[-1]) not in _FREE or not is_node(schema):
        return False
    kinds = schema.get("type")
    is_text = kinds is None or kinds == "string" or (is_array(kinds) and "string" in kinds)
    return is_text and not any(key in schema for key in ("enum", "const", "format", "pattern"))


def _is_sensitive(operation: Operation, members: list[tuple[str, Schema]], api: Api) -> bool:
    told = (name for name, schema in members if not _is_flag(schema))
    names = [*told, *_places(operation)]
    if any(_is_private(words(name)) for name in names):
        return True
    scoped = (singular(word) for scope in _scopes(operation, api) for word in words(scope))
    return not _PRIVATE.isdisjoint(scoped)


def _is_flag(schema: Schema) -> bool:
    """`has_password: true` tells no password."""
    return is_node(schema) and schema.get("type") == "boolean"


def _places(operation: Operation) -> list[str]:
    """The literal segments of the path, unless its end only tells something about them."""
    if not isinstance(operation.call, HttpCall):
        return []
    literal = [part for part in operation.call.path.split("/") if part and "{" not in part]
    ends = words(literal[-1])[-1:] if literal else []
    return [] if _ABOUT.intersection(map(singular, ends)) else literal


def _scopes(operation: Operation, api: Api) -> Iterator[str]:
    needed = api.security if operation.security is None else operation.security
    for alternative in needed:
        for scopes in alternative.values():
            yield from scopes


def _is_private(said: list[str]) -> bool:
    """Whether a name's last words speak of people, money or secrets.

    An `email_template` is a template, a `next_page_token` a place in a list, and `tokens` in
    the plural are counted, or are coins.
    """
    if not said:
        return False
    last, before = singular(said[-1]), singular(said[-2]) if len(said) > 1 else ""
    if f"{before}_{last}" in _PAIRS:
        return True
    if last == "token":
        return said[-1] == last and before not in _CURSORS
    return last in _PRIVATE
