"""The fields of the document itself: what of them is no object or list, and what is missing."""

from collections.abc import Mapping
from typing import Any

from ...plain import as_array, is_array, is_object, kind
from .findings import Findings
from .scalars import held_object

_OBJECTS = ("info", "paths", "components", "webhooks")
_OBJECTS_OF_2 = ("info", "paths", "definitions", "parameters", "responses", "securityDefinitions")
_COMPONENTS = (
    *("schemas", "responses", "parameters", "examples", "requestBodies", "headers"),
    *("securitySchemes", "links", "callbacks", "pathItems", "mediaTypes"),
)


def check_skeleton(findings: Findings, root: Mapping[str, Any], *, version: str) -> None:
    """Tell what of the document cannot be read at all; its parts are told of by their readers."""
    for key in _OBJECTS_OF_2 if version == "2.0" else _OBJECTS:
        held_object(findings, root, key, "")
    if version != "2.0":
        for key in _COMPONENTS:
            components = root.get("components")
            if is_object(components):
                held_object(findings, components, key, "/components")
    _check_tags(findings, root)
    # 3.1 and later have documents of webhooks or components alone.
    others = () if version in ("2.0", "3.0") else ("webhooks", "components")
    if root.get("paths") is None and not any(key in root for key in others):
        findings.lose("", "there are no `paths`, so that no operation is described")


def _check_tags(findings: Findings, root: Mapping[str, Any]) -> None:
    tags = root.get("tags")
    if tags is not None and not is_array(tags):
        findings.lose("/tags", f"`tags` is {kind(tags)} and no list; it is dropped")
    for index, tag in enumerate(as_array(tags)):
        if not is_object(tag) or not isinstance(tag.get("name"), str):
            findings.lose(("/tags", index), "a tag needs a `name`; it is dropped")
