"""What choosing a selection comes to."""

from dataclasses import dataclass, field

from ..schema import Field, Input
from .branches import Branch
from .picks import Omitted


@dataclass(frozen=True, slots=True, kw_only=True)
class Lifted:
    """A nested argument that became one of the tool's."""

    variable: str
    argument: Input
    place: str
    field: Field
    bounds: bool = False  # it says how many items a field gives at most


@dataclass(slots=True)
class Choice:
    """A chosen selection, what is not in it, and the nested arguments it takes."""

    branch: Branch
    omitted: list[Omitted] = field(default_factory=list[Omitted])
    lifted: list[Lifted] = field(default_factory=list[Lifted])
