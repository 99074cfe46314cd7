"""The tools that the user's policy makes of an `Api`, and what it decides about each."""

from dataclasses import dataclass
from typing import Literal

from .api import Api, Operation
from .calls import Paging
from .findings import LeftOut, Loss, Warning


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimit:
    """At most `requests` in `seconds`, and where that was read (`x-ratelimit…`, settings, 429)."""

    requests: float
    seconds: float
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Effects:
    """What a call does, named as MCP's hints, and the reason for the verdict."""

    read_only: bool
    destructive: bool
    idempotent: bool
    open_world: bool = True
    reason: str

    @property
    def pure(self) -> bool:
        """It only reads: repeating it, or running it ahead of time, changes nothing."""
        return self.read_only and not self.destructive

    @property
    def consequential(self) -> bool:
        """It changes something; whoever calls for a model should ask first."""
        return not self.pure


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """When a call needs approval, and which tools must have run before for the same thing.

    `suggested` is what the description lets one guess of such an order; nothing enforces it
    until settings move it to `requires`. `reads` says what a call brings into a conversation:
    text written by others, and data of people, money or secrets (the Rule of Two).
    """

    approval: Literal["never", "consequential", "destructive", "always"] = "consequential"
    requires: tuple[str, ...] = ()
    suggested: tuple[str, ...] = ()
    reads: tuple[Literal["untrusted", "sensitive"], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """An operation as the user gets it: named, described, judged and cut to the budget."""

    operation: Operation
    name: str  # ^[a-zA-Z_][a-zA-Z0-9_]{0,63}$, unique in the catalogue
    description: str  # for the model
    effects: Effects
    gate: Gate
    rate_limit: RateLimit | None
    paging: Paging | None = None  # of an HTTP operation; a GraphQL call has its `cursor`
    offers: tuple[str, ...] = ()  # arguments of ours that are advertised: `_fields`, `_page`
    trimmed: tuple[str, ...]
    # ^ pointers into the closed input schema (`input_schema` + `$defs`) that the advertised one lacks


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """The Api after the user's policy: the tools, in a stable order, and what came with them."""

    api: Api
    tools: tuple[Tool, ...]
    rate_limit: RateLimit | None = None  # of the whole package
    losses: tuple[Loss, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    warnings: tuple[Warning, ...] = ()
