"""Reads deepObject as PHP, Rack and `qs` do: openapi-core knows one level of plain members only."""

import re
from collections.abc import Mapping
from typing import Any

from toolmint.runtime.wire.values import is_object

_STEP = re.compile(r"\[([^\]]*)\]")


def deep_object(explode: bool, name: str, schema_type: str, location: Mapping[str, Any]) -> Any:
    """A value from its bracketed keys, for openapi-core's table of styles; KeyError without any."""
    texts: Any = location
    root: dict[str, Any] = {}
    for key in location:
        head, bracket, _ = key.partition("[")
        if head == name:
            steps = _STEP.findall(key[len(head) :]) if bracket else []
            _put(
                root, ["", *steps], list(texts.getlist(key)), bool(steps) or schema_type == "array"
            )
    if not root:
        raise KeyError(name)
    return _listed(root[""])


def _put(node: dict[str, Any], steps: list[str], texts: list[str], several: bool) -> None:
    """Set what the steps lead to; a repeated key, or one that ends in `[]`, is a list."""
    while len(steps) > 1 and steps[1] != "":
        node = node.setdefault(steps[0], {})
        steps = steps[1:]
    is_list = len(steps) > 1 or len(texts) > 1 or (several and len(steps) == 1 and steps[0] == "")
    node[steps[0]] = texts if is_list else texts[0]


def _listed(node: Any) -> Any:
    """Objects whose keys count from nought as the lists that they are."""
    if not is_object(node):
        return node
    members: dict[str, Any] = {key: _listed(value) for key, value in node.items()}
    if members and list(members) == [str(number) for number in range(len(members))]:
        return list(members.values())
    return members
