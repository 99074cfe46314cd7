"""Import blocks of generated modules, in isort's order, and names that a class would hide."""

from collections.abc import Collection, Iterable, Mapping

from .expressions import TYPING_NAMES, fits

RUNTIME_NAMES = (
    *("UNSET", "Binary", "Call", "Cookie", "Effects", "Encoding", "Form", "Gate", "GraphQL"),
    *("Header", "Input", "Json", "JsonLines", "Member", "Multipart", "Package", "Paging", "Path"),
    *("Query", "QueryString", "RateLimit", "Server", "Text", "ToolGroup", "Toolset", "Unset"),
    *("Variable", "WholeBody", "Xml", "graphql", "http"),
)
AUTH_NAMES = (
    *("ApiKey", "HttpBasic", "HttpBearer", "HttpDigest", "HttpScheme", "MutualTls"),
    *("OAuth2", "OAuthFlow", "OpenIdConnect", "Unsupported"),
)
BUILTIN_NAMES = ("bool", "dict", "float", "int", "list", "str")
CLASS_NAMES_TAKEN = frozenset(
    (*RUNTIME_NAMES, *AUTH_NAMES, *TYPING_NAMES, "TOOLSET", "TYPE_CHECKING", "TypeAlias")
)
"""Names that no class of a generated package may have."""


def renamed(hidden: Collection[str]) -> dict[str, str]:
    """New names for those that the methods of a class would hide in its annotations."""
    names: dict[str, str] = {}
    for name in (*BUILTIN_NAMES, *TYPING_NAMES, *RUNTIME_NAMES, "models"):
        spelled = name
        while spelled in hidden:
            spelled += "_"
        if spelled != name:
            names[name] = spelled
    return names


def standard(used: Collection[str], names: Mapping[str, str], *more: str) -> list[str]:
    """Import lines of what the standard library defines; `more` comes from typing as well."""
    builtin = [
        f"from builtins import {name} as {names[name]}"
        for name in BUILTIN_NAMES
        if name in used and name in names
    ]
    wanted = {*more, *(name for name in TYPING_NAMES if name in used)}
    plain = sorted_names(wanted - names.keys())
    line = [f"from typing import {', '.join(plain)}"]
    return [*builtin, *_statements("typing", wanted, names, plain, line)]


def toolmint(module: str, used: Collection[str], names: Mapping[str, str]) -> list[str]:
    """Import lines of what `toolmint.runtime` or `toolmint.auth` define."""
    wanted = set(RUNTIME_NAMES if module == "runtime" else AUTH_NAMES) & {*used}
    plain = sorted_names(wanted - names.keys())
    lines = [f"from toolmint.{module} import (", *(f"    {name}," for name in plain), ")"]
    return _statements(f"toolmint.{module}", wanted, names, plain, lines)


def _statements(
    module: str, wanted: set[str], names: Mapping[str, str], plain: list[str], lines: list[str]
) -> list[str]:
    """The import of the plain names, and one for each renamed name, by their first names."""
    statements = {
        name: [f"from {module} import {name} as {names[name]}"] for name in wanted & names.keys()
    }
    if plain:
        statements[plain[0]] = lines
    return [line for name in sorted_names(statements) for line in statements[name]]


def sorted_names(names: Iterable[str]) -> list[str]:
    """Names in the order that isort, and ruff in `__all__`, give them."""
    return sorted(names, key=_isort_key)


def _isort_key(name: str) -> tuple[int, list[tuple[int, int, str]]]:
    """Constants, then classes, then the rest; digits count as numbers."""
    kind = 0 if len(name) > 1 and name.isupper() else 1 if name[0].isupper() else 2
    return kind, natural(name)


def natural(text: str) -> list[tuple[int, int, str]]:
    """A key that sorts `v2` before `v10`."""
    parts: list[tuple[int, int, str]] = []
    digits = ""
    for character in f"{text}\0":
        if character.isdigit():
            digits += character
            continue
        if digits:
            parts.append((0, 0 if digits[0] == "0" else len(digits), digits))
            digits = ""
        parts.append((1, 0, character))
    return parts[:-1]  # a name goes before those that begin with it


def local(module: str, name: str, indent: int) -> str:
    """The import of a name from a module of the package, as a line or three of this indent."""
    line = f"from .{module} import {name}"
    if fits(line, indent):
        return line
    margin = " " * indent
    return f"from .{module} import (\n{margin}    {name},\n{margin})"


def blocks(*blocks: list[str]) -> tuple[str, ...]:
    """Blocks of lines with an empty line between them."""
    lines: list[str] = []
    for block in blocks:
        if block:
            lines += [*([""] if lines else []), *block]
    return tuple(lines)
