"""What becomes of real GraphQL schemas: tools, documents, connections, budgets.

    python -m bench.graphql_corpus [NAME ...]      names of `bench.graphql_schemas`

Documents are judged anew, from outside, by graphql-core alone. Exit 1 when a promise fails:
a root that is neither a tool nor told of, an invalid document, a connection without a bound,
more than 1 % of inputs above their budget, or a document without data where the schema has some.
"""

import json
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import graphql as core
from graphql.language import ast

from toolmint.generator.config import Config
from toolmint.generator.description import read
from toolmint.generator.model.api import Api, Operation
from toolmint.generator.model.calls import GraphQLCall
from toolmint.generator.progress import silent
from toolmint.generator.shape import shape

from . import graphql_schemas

_PAGES = ("first", "last", "limit", "pageSize", "perPage", "page_size", "per_page", "take", "top",
          "count")  # fmt: skip
_NO_DATA = ("__typename", "hasNextPage", "endCursor")


@dataclass
class Findings:
    """What was found in one schema."""

    roots: int = 0
    tools: int = 0
    left_out: int = 0
    untold: list[str] = field(default_factory=list[str])
    invalid: list[str] = field(default_factory=list[str])
    unbounded: list[str] = field(default_factory=list[str])
    too_big: list[str] = field(default_factory=list[str])
    no_data: list[str] = field(default_factory=list[str])
    avoidable: list[str] = field(default_factory=list[str])  # of these, the schema has data
    largest: int = 0
    seconds: float = 0.0

    @property
    def fails(self) -> bool:
        """Whether a promise is broken."""
        over = len(self.too_big) > self.tools / 100
        return over or bool(self.untold or self.invalid or self.unbounded or self.avoidable)


def measure(path: Path) -> Findings:
    """Generate from one schema, and look at what came."""
    start = time.perf_counter()
    described = read(config := Config(source=str(path), output="x_tools"), silent)
    catalogue = shape(described.api, config.settings)
    found = Findings(seconds=time.perf_counter() - start)
    schema = built(path)
    found.tools, found.left_out = len(catalogue.tools), len(described.api.left_out)
    roots = [f"{kind}.{name}" for kind, name in root_fields(schema)]
    found.roots = len(roots)
    found.untold = untold(roots, described.api)
    found.too_big = [one.text for one in catalogue.warnings if "schema_tokens" in one.text]
    for operation in described.api.operations:
        judge(schema, operation, found)
    return found


def built(path: Path) -> core.GraphQLSchema:
    """The schema as graphql-core alone reads it, however dirty."""
    if path.suffix == ".json":
        data: Any = json.loads(path.read_text("utf-8"))
        schema = core.build_client_schema(data.get("data", data), assume_valid=True)
    else:
        schema = core.build_schema(
            path.read_text("utf-8"), assume_valid=True, assume_valid_sdl=True
        )
    arguments: dict[str, Any] = {**schema.to_kwargs(), "assume_valid": True}
    return core.GraphQLSchema(**arguments)


def root_fields(schema: core.GraphQLSchema) -> Iterator[tuple[str, str]]:
    """Every field of Query and Mutation."""
    for label, kind in (("Query", schema.query_type), ("Mutation", schema.mutation_type)):
        if kind is not None:
            for name in kind.fields:
                yield label, name


def untold(roots: list[str], api: Api) -> list[str]:
    """The roots of which nothing is said: no tool, no reason."""
    keys = [one.key for one in api.operations] + [one.operation for one in api.left_out]
    told = {".".join(key.split(".")[:2]) for key in keys}
    return [root for root in roots if root not in told]


# ── one document ────────────────────────────────────────────────────────────────────


def judge(schema: core.GraphQLSchema, operation: Operation, found: Findings) -> None:
    """Hold one document against its promises."""
    call = operation.call
    assert isinstance(call, GraphQLCall)
    found.largest = max(found.largest, len(call.document))
    document = core.parse(call.document)
    if re.search(r"\{\s*\}", call.document):  # some versions of graphql-core take it
        found.invalid.append(operation.key)
        return
    if core.validate(schema, document):
        found.invalid.append(operation.key)
        return
    node = document.definitions[0]
    assert isinstance(node, ast.OperationDefinitionNode)
    defaults = {
        one.variable.name.value
        for one in node.variable_definitions or ()
        if one.default_value is not None or isinstance(one.type, ast.NonNullTypeNode)
    }
    watch = Watch(core.TypeInfo(schema), defaults)
    core.visit(document, core.TypeInfoVisitor(watch.info, watch))
    found.unbounded += [f"{operation.key}: {place}" for place in watch.unbounded]
    if watch.leaves == 0:
        found.no_data.append(operation.key)
        if watch.could:
            found.avoidable.append(operation.key)


class Watch(core.Visitor):
    """Looks at every field of a document: is it bounded, is it data."""

    def __init__(self, info: core.TypeInfo, defaults: set[str]) -> None:
        super().__init__()
        self.info = info
        self._defaults = defaults
        self.unbounded: list[str] = []
        self.leaves = 0
        self.could = False  # some object on the way has leaves to offer

    def enter_field(self, node: ast.FieldNode, *_: object) -> None:
        """One field."""
        kind = core.get_named_type(self.info.get_type())
        declared = self.info.get_field_def()
        if core.is_leaf_type(kind):
            self.leaves += node.name.value not in _NO_DATA
        elif isinstance(kind, core.GraphQLObjectType):
            self.could = self.could or any(map(_is_data, kind.fields.items()))
            if _is_connection(kind) and not self._bounded(node, declared):
                self.unbounded.append(node.name.value)

    def _bounded(self, node: ast.FieldNode, declared: core.GraphQLField | None) -> bool:
        if declared is None:
            return False
        given = {one.name.value: one.value for one in node.arguments or ()}
        for name in _PAGES:
            value, argument = given.get(name), declared.args.get(name)
            if argument is None:
                continue
            has_default = argument.default_value is not core.Undefined
            if isinstance(value, ast.VariableNode):
                if value.name.value in self._defaults or has_default:
                    return True
            elif value is not None or has_default:
                return True
        return False


def _is_connection(kind: core.GraphQLObjectType) -> bool:
    return "pageInfo" in kind.fields and bool({"edges", "nodes"} & kind.fields.keys())


def _is_data(item: tuple[str, core.GraphQLField]) -> bool:
    name, declared = item
    return (
        core.is_leaf_type(core.get_named_type(declared.type))
        and name not in (*_NO_DATA, "clientMutationId", "cursor", "startCursor", "hasPreviousPage")
        and declared.deprecation_reason is None
        and not any(core.is_required_argument(one) for one in declared.args.values())
    )


def main(names: list[str]) -> int:
    """Print a line a schema, and what broke."""
    paths = graphql_schemas.schemas()
    columns = "roots tools left_out untold invalid unbounded too_big no_data avoidable largest"
    print(f"{'schema':<40}", *(f"{one:>9}" for one in columns.split()), "  seconds")
    failed = False
    for name in names or list(paths):
        found = measure(paths[name])
        failed = failed or found.fails
        values = [getattr(found, one) for one in columns.split()]
        counts = [len(one) if isinstance(one, list) else one for one in values]
        print(f"{name:<40}", *(f"{one:>9}" for one in counts), f"{found.seconds:9.2f}")
        for kind in ("untold", "invalid", "unbounded", "too_big", "avoidable"):
            for one in getattr(found, kind)[:5]:
                print(f"    {kind}: {one}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
