"""The import rules of the project, read from the source with `ast`.

They keep the line straight: a source never knows a target, the runtime never knows the
generator, and every third-party library is a guest with one host.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PARTS = ("generator", "auth", "runtime", "templates")

# Who may import a third-party library: (part, library) → the only modules that do.
HOSTS: dict[tuple[str, str], set[str]] = {
    ("generator", "click"): {"generator/cli/"},
    ("generator", "graphql"): {"generator/sources/graphql/core/"},
    ("generator", "httpx"): {"generator/reading/fetch.py"},
    ("generator", "jinja2"): {"generator/targets/python/emit.py"},
    ("generator", "jsonpath_rfc9535"): {"generator/reading/overlays.py"},
    ("generator", "jsonschema_rs"): {"generator/schema_check.py"},
    ("generator", "openapi_pydantic"): {"generator/sources/openapi/objects.py"},
    ("generator", "yaml"): {"generator/reading/yaml12.py"},
    ("runtime", "httpx"): {"runtime/wire/transport.py"},
    ("runtime", "jsonschema_rs"): {"runtime/validation.py"},
    ("runtime", "websockets"): {"runtime/graphql_codec/websocket.py"},
    ("auth", "cryptography"): {"auth/oauth2/jwt.py"},
    ("auth", "httpcore"): {"auth/connections.py"},
    ("auth", "httpx"): {"auth/http.py"},
    ("auth", "keyring"): {"auth/store/keyring.py"},
    ("auth", "redis"): {"auth/store/redis.py"},
}


def modules() -> list[Path]:
    return [path for part in PARTS for path in sorted((ROOT / part).rglob("*.py"))]


def imported(path: Path) -> Iterator[str]:
    """Absolute dotted names that a module imports, relative ones resolved as `toolmint.…`."""
    home = ("toolmint", *path.relative_to(ROOT).with_suffix("").parts)
    for node in statements(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = home
            base = ".".join(package[: -node.level]) if node.level else ""
            name = ".".join(part for part in (base, node.module or "") if part)
            yield from (f"{name}.{alias.name}" for alias in node.names)


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """Every node that runs: what stands under `if TYPE_CHECKING:` is for the checker alone."""
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                yield from (one for other in child.orelse for one in statements(other))
            case _:
                yield child
                yield from statements(child)


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def third_party(name: str) -> str | None:
    top = name.partition(".")[0]
    return None if top == "toolmint" or top in sys.stdlib_module_names else top


def test_the_model_imports_only_the_standard_library_and_itself() -> None:
    assert [
        name
        for path in sorted((ROOT / "generator/model").glob("*.py"))
        for name in imported(path)
        if third_party(name)
        or ("toolmint" in name and not name.startswith("toolmint.generator.model."))
    ] == []


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_a_module_keeps_the_import_rules(path: Path) -> None:
    where, part = name_of(path), path.relative_to(ROOT).parts[0]
    wrong: list[str] = []
    for name in imported(path):
        library = third_party(name)
        if library and not any(where.startswith(host) for host in HOSTS.get((part, library), ())):
            wrong.append(f"{library} has another host")
        if part in ("runtime", "auth") and name.startswith(
            ("toolmint.generator", "toolmint.templates")
        ):
            wrong.append(f"{part} imports {name}")
        if part == "auth" and name.startswith("toolmint.runtime"):
            wrong.append(f"auth imports {name}")
        for one, other in (("sources", "targets"), ("targets", "sources")):
            if where.startswith(f"generator/{one}/") and name.startswith(
                f"toolmint.generator.{other}"
            ):
                wrong.append(f"a {one[:-1]} imports {name}")
    assert wrong == []


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_imports_inside_the_package_are_relative(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    absolute = [
        node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        and not node.level
        and (node.module or "").startswith("toolmint")
    ]
    assert absolute == []


def test_every_host_exists() -> None:
    missing = [host for hosts in HOSTS.values() for host in hosts if not (ROOT / host).exists()]
    assert missing == []
