"""The methods that a Path Item Object has fields for, and what stands there in their place."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...plain import is_object
from ...pointers import Place
from .findings import Findings
from .scalars import held_object

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
"""Of 3.0 and 3.1; 2.0 has no `trace`, 3.2 has `query` and others by name as well."""

_OTHER_FIELDS = ("$ref", "summary", "description", "servers", "parameters")
_OPERATION_FIELDS = ("responses", "operationId", "requestBody", "parameters", "tags", "summary")


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodEntry:
    """An operation of a path item: its method, what describes it, and where below the item."""

    method: str
    described: Any
    keys: tuple[str, ...]
    problem: str = ""  # why it cannot become a tool, whatever it says


def entries(
    item: Mapping[str, Any], findings: Findings, place: Place, *, version: str
) -> Iterator[MethodEntry]:
    """What a path item has for each method. A field that means nothing is told of."""
    newest = version >= "3.2"
    known = (*METHODS, "query") if newest else METHODS
    for key in item:
        lower = key.lower()
        if key in known:
            yield MethodEntry(method=key.upper(), described=item[key], keys=(key,))
        elif key.startswith("x-") or key in _OTHER_FIELDS or (newest and key == _MORE):
            continue
        elif lower in known and lower not in item:
            findings.warn((place, key), f"`{key}` is read as `{lower}`, as OpenAPI writes it")
            yield MethodEntry(method=key.upper(), described=item[key], keys=(key,))
        elif lower in known:
            findings.lose((place, key), f"`{key}` stands beside `{lower}`; only that is read")
        elif _looks_like_an_operation(item[key]):
            yield MethodEntry(
                method=key.upper(),
                described=item[key],
                keys=(key,),
                problem=f"OpenAPI {version} has no operations under `{key}`",
            )
        else:
            findings.warn((place, key), f"`{key}` means nothing in a path item; it is ignored")
    if newest:
        more = held_object(findings, item, _MORE, place)
        for method in more:
            yield MethodEntry(method=method, described=more[method], keys=(_MORE, method))


_MORE = "additionalOperations"


def _looks_like_an_operation(value: Any) -> bool:
    return is_object(value) and any(field in value for field in _OPERATION_FIELDS)
