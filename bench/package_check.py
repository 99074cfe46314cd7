"""Judges a generated package from outside: its names, its schemas, its modules."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema_rs

_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]{0,63}")
_DRAFT = "https://json-schema.org/draft/2020-12/schema"
_ONE = frozenset(
    (
        *("additionalProperties", "contains", "contentSchema", "else", "if", "items", "not"),
        *("propertyNames", "then", "unevaluatedItems", "unevaluatedProperties"),
    )
)
_SEVERAL = frozenset(("allOf", "anyOf", "oneOf", "prefixItems"))
_NAMED = frozenset(("$defs", "dependentSchemas", "patternProperties", "properties"))


def faults(folder: Path) -> Iterator[str]:
    """What is wrong with the names and the schemas."""
    tools: list[str] = []
    schemas: dict[str, dict[str, Any]] = {"input": {}, "output": {}}
    for file in sorted((folder / "schemas").glob("*.json")):
        data = json.loads(file.read_text("utf-8"))
        if file.name.startswith("definitions."):
            schemas[file.name.split(".")[1]].update(data)
            continue
        for name, tool in data.items():
            tools.append(name)
            for side, found in schemas.items():
                if side in tool:
                    found[f" {name}"] = tool[side]
    yield from (f"the name {name!r} is not one" for name in tools if not _NAME.fullmatch(name))
    if len(set(tools)) != len(tools):
        yield "two tools have one name"
    for side, found in schemas.items():
        yield from _schema_faults(side, found)


def _schema_faults(side: str, schemas: dict[str, Any]) -> Iterator[str]:
    try:
        jsonschema_rs.meta.validate({"$schema": _DRAFT, "$defs": schemas})
    except jsonschema_rs.ValidationError as error:
        yield f"{side}: not JSON Schema 2020-12 at {error.instance_path}: {error.message}"
    for name, schema in schemas.items():
        for node in _nodes(schema):
            reference = node.get("$ref")
            if reference is not None and str(reference).removeprefix("#/$defs/") not in schemas:
                yield f"{side}: {name!r} refers to {reference!r}, which is not there"
            if "nullable" in node:
                yield f"{side}: {name!r} has the keyword `nullable`"


def _nodes(schema: Any) -> Iterator[dict[str, Any]]:
    """Every schema in a schema: no property's name and no example is taken for a keyword."""
    stack = [schema]
    while stack:
        node = stack.pop()
        if not isinstance(node, dict):
            continue
        yield node
        for keyword, value in node.items():
            if keyword in _ONE:
                stack.append(value)
            elif keyword in _SEVERAL:
                stack.extend(value)
            elif keyword in _NAMED:
                stack.extend(value.values())


_PROGRAM = """
import compileall, importlib, json, os, sys, traceback
import toolmint.auth, toolmint.runtime

def judge(folder):
    parent, name = os.path.split(folder)
    sys.path.insert(0, parent)
    found = []
    if not compileall.compile_dir(folder, quiet=2):
        found.append("a module does not compile")
    package = importlib.import_module(name)
    for file in sorted(os.listdir(folder)):
        if file.endswith(".py"):
            importlib.import_module(f"{name}.{file[:-3]}")
    toolset = package.TOOLSET(credentials={})
    with open(os.path.join(folder, "toolmint.lock")) as file:
        lock = json.load(file)
    if sorted(toolset.names()) != sorted(lock["tools"]):
        found.append("the toolset's names are not the lock's")
    budget = lock["settings"].get("schema_tokens", 1500)
    over = [tool.name for tool in toolset if tool.tokens > budget]
    return {"faults": found, "over_budget": over, "processor": sum(os.times()[:2])}

for line in sys.stdin:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            said = judge(line.rstrip())
        except BaseException as error:
            said = {"faults": ["import: " + traceback.format_exception_only(error)[-1].strip()]}
        with os.fdopen(writing, "w") as pipe:
            json.dump(said, pipe)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        print(pipe.read() or '{"faults": ["import: the interpreter died"]}', flush=True)
    os.waitpid(child, 0)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What importing a package showed, and the processor seconds that it took."""

    faults: tuple[str, ...]
    over_budget: tuple[str, ...]
    processor: float


class Importer:
    """Imports packages, each in an interpreter that has seen nothing but the runtime.

    One is started and forked for every package, which saves its start a thousand times.
    """

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def check(self, folder: Path) -> Imported:
        """Its faults, and the tools whose advertised schema is above the budget."""
        assert self._process.stdin is not None and self._process.stdout is not None
        print(folder, file=self._process.stdin, flush=True)
        said: dict[str, Any] = json.loads(self._process.stdout.readline())
        return Imported(
            faults=tuple(said["faults"]),
            over_budget=tuple(said.get("over_budget", ())),
            processor=said.get("processor", 0.0),
        )
