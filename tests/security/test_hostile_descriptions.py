"""Whatever a description holds stays text: the package compiles, and importing runs none of it."""

import ast
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolmint.generator.load import load
from toolmint.generator.settings.policy import PackageSettings
from toolmint.generator.shape import shape
from toolmint.generator.sources.openapi import lower
from toolmint.generator.targets.python import Settings, generate

from ..golden.projects import PROJECTS

ATTACKS = [
    '"""',
    "'''",
    '"; import os; os.environ["TOOLMINT_CANARY"]="1" #',
    "\\",
    "\\N{BELL}",
    "{{ 7*7 }}{% raise %}",
    "${process.env}",
    "\r\nimport os\n",
    "\x00\x1b[2J\x85\u2028\u202e",
    "#/../../x",
    "__class__",
    "class",
    "import",
    "self",
    "*/ -->",
    "</script>",
    "\ud800",
]
text = st.lists(st.sampled_from(ATTACKS) | st.text(max_size=6), max_size=4).map("".join)
name = text.filter(bool)


@st.composite
def documents(draw: st.DrawFn) -> dict[str, Any]:
    """A description whose every name and text is hostile."""
    names = draw(st.lists(name, min_size=1, max_size=4, unique=True))
    properties = {
        one: {"type": "string", "description": draw(text), "default": draw(text)} for one in names
    }
    body = {"type": "object", "properties": properties, "title": draw(text)}
    path = "/" + draw(name).replace("{", "").replace("}", "")
    operation: dict[str, Any] = {
        "operationId": draw(text),
        "summary": draw(text),
        "description": draw(text),
        "tags": [draw(text)],
        "parameters": [
            {
                "name": draw(name),
                "in": draw(st.sampled_from(["query", "header", "cookie"])),
                "description": draw(text),
                "schema": {"type": "string", "enum": [draw(text), draw(text) + "x"]},
            }
        ],
        "requestBody": {"content": {"application/json": {"schema": body}}},
        "responses": {
            "200": {
                "description": draw(text),
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}},
            }
        },
        "security": [{"s": []}],
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": draw(text), "version": draw(text), "description": draw(text)},
        "servers": [{"url": "https://api.example/" + draw(st.sampled_from(["", "v1"]))}],
        "paths": {path: {"post": operation}},
        "components": {
            "schemas": {
                "A": {
                    "type": "object",
                    "title": draw(text),
                    "properties": {key: {"const": draw(text)} for key in names},
                }
            },
            "securitySchemes": {
                "s": {"type": "apiKey", "in": "header", "name": "X-Key", "description": draw(text)}
            },
        },
    }


def package(document: dict[str, Any]) -> dict[str, str]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "hostile.json")
        file.write_text(json.dumps(document))
        api = lower(load(str(file)))
    return generate(
        shape(api, PackageSettings()), Settings(package="hostile_tools", source="x.json")
    )


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(documents())
def test_every_module_compiles_to_the_statements_we_print(document: dict[str, Any]) -> None:
    for path, source in package(document).items():
        if path.endswith(".py"):
            tree = ast.parse(source)
            allowed = (
                ast.Expr,
                ast.Import,
                ast.ImportFrom,
                ast.ClassDef,
                ast.FunctionDef,
                ast.If,
                ast.Assign,
                ast.AnnAssign,
            )
            assert [type(node) for node in tree.body if not isinstance(node, allowed)] == []
            calls = {
                node.func.id
                for statement in tree.body
                for node in ast.walk(statement)
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            }
            assert calls.isdisjoint({"exec", "eval", "compile", "__import__", "open"})


RUN = """
import os, sys, importlib, pkgutil
sys.path.insert(0, sys.argv[1])
import hostile_tools
for module in pkgutil.iter_modules(hostile_tools.__path__, "hostile_tools."):
    importlib.import_module(module.name)
tools = hostile_tools.TOOLSET(credentials={})
assert len(tools.describe("json-schema")) >= len(tools) >= 0
sys.exit(3 if "TOOLMINT_CANARY" in os.environ else 0)
"""


@settings(
    max_examples=8,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(document=documents())
def test_importing_the_package_runs_none_of_the_text(
    document: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    root = tmp_path_factory.mktemp("hostile")
    for path, source in package(document).items():
        file = root / "hostile_tools" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(source, "utf-8", newline="")
        assert file.resolve().is_relative_to(root.resolve())
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(root)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_the_case_keeps_its_text_unaltered() -> None:
    """The model reads exactly what the author wrote (case 17)."""
    (project,) = (project for project in PROJECTS if project.name == "hostile-text")
    (tool,) = project.toolset(credentials={})
    assert tool.name == "x_raise_system_exit_pwned"
    assert '"""\nraise SystemExit(\'pwned\')\n"""' in tool.description
    assert (
        "uses ${process.env} {{ 7*7 }} {0!r} \\N{BELL} \\u0041 and a trailing backslash \\"
        in tool.description
    )
