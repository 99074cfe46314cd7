"""Inputs and results of the Petstore API."""

from __future__ import annotations

from typing import NotRequired, TypedDict


class Pet(TypedDict):
    """An animal for sale."""

    id: int
    name: str
    tag: NotRequired[str | None]


class Filter(TypedDict, total=False):
    """Which pets."""

    deep: Node
    kind: str


class Node(TypedDict, total=False):
    """A condition on other conditions."""

    children: list[Node]
    name: str
