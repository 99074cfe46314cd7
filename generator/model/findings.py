"""What was lost on the way from a description to its tools, and what else is worth telling."""

from dataclasses import dataclass

from .nodes import Location


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """Something the description says that the tool does not carry."""

    operation: str  # Operation.key, "" for the whole document
    location: Location
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """An operation that did not become a tool, and why."""

    operation: str
    location: Location
    why: str
    operation_id: str | None = None
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Warning:
    """Something worth telling a person that costs nothing in the result."""

    location: Location
    text: str
    operations: tuple[str, ...] = ()  # keys of those it is about; none: the whole document
