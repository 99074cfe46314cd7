"""Finds the verbs in what a description says of an operation, in up to four places.

They are the last word of an RPC-style path (`apps.uninstall`, `{name}:cancel`,
`?Action=DeleteVpc`), the operationId, the summary and the description, and the last literal
segment of the path.
"""

import re

from ..model.api import Operation
from ..model.calls import GraphQLCall
from ..words import words
from .openings import opening
from .verb_phrases import Verb, first, of_name, of_segment, of_texts, second
from .verb_table import act_of

READS = frozenset(("GET", "HEAD", "OPTIONS", "TRACE", "QUERY"))
"""The methods that are safe where they are used as they are meant."""
_FORMAT_WORDS = """
action asp aspx atom avi bin docx doc exe geojson gif htm html ico ics jpeg json jsonl msi ogg php
tar tiff topojson wav webp xlsx yaml zip
"""
_FORMATS = frozenset(_FORMAT_WORDS.split())
_SENTENCE = 10  # words of a text in which a second verb may make an act of a GET
_ACTION = re.compile(r"[?#&](?:Action|action|method|cmd|X-Amz-Target)=([A-Za-z0-9_.]+)")
_NAMED = re.compile(r"(?!\w{0,4}\d)(?=.*[aeiouy])[A-Za-z]\w{2,}", re.IGNORECASE)


def verbs(operation: Operation) -> list[Verb]:
    """The verbs of an operation, those that are hardest to mistake first."""
    method, path = _request(operation)
    identifier = operation.operation_id or ""
    loses, repeats = method not in READS, _is_of_path(identifier, method, path)
    groups = _groups(identifier, method, repeats=repeats)
    echo = repeats and not loses  # the name of a GET that says its path again
    rpc, (literal, values), texts = rpc_words(path), _tail(path), _texts(operation)
    found = (
        first("rpc", rpc),
        None if echo else of_name(groups, loses=loses),
        *of_texts(*texts, loses=loses),
        of_segment(literal, values, loses=loses),
        first("segment", groups[0]) if echo and groups else None,
        second("rpc", rpc),
        second("id", [word for group in groups for word in group]),
        *(second("text", text if loses else text[:_SENTENCE]) for text in texts),
        second("segment", words(literal)),
    )
    return [verb for verb in found if verb is not None]


def rpc_words(path: str) -> list[str]:
    """The words of the method name that a path ends in; empty for a path of resources."""
    action = _ACTION.search(path)
    if action:
        return words(action[1].rpartition(".")[2])
    for mark in (":", "."):
        before, found, after = _last(path).rpartition(mark)
        if found and before and not after.startswith("{") and _is_name(after):
            return words(after)
    return []


def is_rpc(operation: Operation) -> bool:
    """Whether the path ends in the name of a method: `/apps.uninstall`."""
    return bool(rpc_words(_request(operation)[1]))


def segment_words(operation: Operation) -> list[str]:
    """The words of the last literal segment of the path."""
    return words(_tail(_request(operation)[1])[0])


def _last(path: str) -> str:
    return re.split("[?#]", path)[0].rstrip("/").rpartition("/")[2]


def _tail(path: str) -> tuple[str, int]:
    """The last literal segment, without the name of a format, and how many values follow it."""
    values = 0
    for segment in reversed(re.split("[?#]", path)[0].strip("/").split("/")):
        before, _, after = segment.rpartition(".")
        bare = before if before and not _is_name(after) else segment
        if bare and "{" not in bare:
            return bare, values
        values += 1
    return "", values


def _is_name(text: str) -> bool:
    """Whether it is no format: those have names of their own, digits or not one vowel."""
    return bool(_NAMED.fullmatch(text)) and text.lower() not in _FORMATS


def _request(operation: Operation) -> tuple[str, str]:
    """The method, and the path as it is described, with what is never sent of it.

    Both are empty for GraphQL. AWS tells its calls apart in the fragment: `/#Action=DeleteVpc`.
    """
    if isinstance(operation.call, GraphQLCall):
        return "", ""
    return operation.call.method, operation.key.partition(" ")[2]


def _groups(identifier: str, method: str, *, repeats: bool) -> list[list[str]]:
    """The words of an operationId, by the groups that `_` and `#` make.

    A method before the words of the path is none of them, `PostAppsSecretsDelete`, nor is one
    at the end that a framework put there: `share_get`, `templates_render_create`.
    """
    groups = [words(group) for group in re.split(r"[_#]", re.split(r"[/.]", identifier)[-1])]
    groups = [group for group in groups if group]
    if repeats:
        groups[0] = groups[0][1:]
    if _is_echo(identifier, groups, method):
        groups.pop()
    return [group for group in groups if group]


def _is_echo(identifier: str, groups: list[list[str]], method: str) -> bool:
    """Whether the last group only names the method, as frameworks do that name by themselves."""
    if not groups[1:] or not identifier.islower():
        return False
    before, last = groups[-2][:1], groups[-1]
    return last == ["get"] == [method.lower()] or (
        last == ["create"] and method == "POST" and bool(before) and act_of(before[0]) == "reads"
    )


def _is_of_path(identifier: str, method: str, path: str) -> bool:
    """Whether an operationId is a method and words of the path: it says no more than they do."""
    said = words(re.split(r"[/.]", identifier)[-1])
    return said[:1] == [method.lower()] and bool(set(said[1:2]) & set(words(path)))


def _texts(operation: Operation) -> tuple[list[str], list[str]]:
    """What the summary and the description say; a description of one word says nothing."""
    described = opening(operation.description)
    return opening(operation.summary), described if len(described) > 1 else []
