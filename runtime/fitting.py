"""What a toolset was given, held against its tools: what could not be obeyed is refused."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from .describe import HELPERS
from .validation import not_there

if TYPE_CHECKING:
    from .package import Package
    from .settings import LimitSetting
    from .tool import Tool


def require_prefix(prefix: str, package: Package) -> None:
    """Raise ValueError for a prefix with which a name is no tool name any more."""
    if not prefix:
        return
    for names in (*package.groups.values(), HELPERS):
        for name in names:
            if not re.fullmatch(r"[a-zA-Z_][a-zA-Z0-9_]{0,63}", prefix + name):
                raise ValueError(
                    f"prefix={prefix!r} makes {prefix + name!r}, which is no tool name: "
                    "letters, digits and _ only, at most 64"
                )


def require_limits(
    limits: LimitSetting | None, package: Package, tools: Mapping[str, Tool]
) -> None:
    """Raise KeyError for a limit of a tool or group that is not there."""
    if isinstance(limits, Mapping):
        _require("tool or group", limits, [*tools, *package.groups])


def require_tools(named: Iterable[str], tools: Mapping[str, Tool]) -> None:
    """Raise KeyError for the name of a tool that is not there."""
    _require("tool", named, list(tools))


def require_variables(given: Iterable[str], package: Package, tools: Mapping[str, Tool]) -> None:
    """Raise KeyError for a variable that no server has.

    The servers of single operations are looked at for a name that the package's lack.
    """
    known = {name for server in package.servers for name in server.variables}
    if not known.issuperset(given):
        known |= {
            name
            for tool in tools.values()
            for server in tool.operation.servers or ()
            for name in server.variables
        }
    for name in given:
        if name not in known:
            told = ", ".join(sorted(known)) or "none"
            raise KeyError(f"{not_there('server variable', name, sorted(known))} (known: {told})")


def _require(kind: str, names: Iterable[str], known: list[str]) -> None:
    for name in names:
        if name not in known:
            raise KeyError(not_there(kind, name, known))
