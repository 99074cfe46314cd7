"""Generating GitHub's GraphQL package beside what graphql-core alone needs for the same work.

    python -m bench.graphql [NAME ...]      names of `bench.graphql_schemas`, default github.graphql

graphql-core alone: import it, read the file, build the schema, parse and validate every document
of the package. toolmint: `toolmint generate`, which does the same and all the rest, down to the
files on disk. Then the cold start of the package, from process start to its tools described,
beside `import fastmcp` (where `bench.peers` has installed it). Exit 1 above 1.5 times.
"""

import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from . import graphql_schemas, peers

RUNS = 5
MOST = 1.5  # times what graphql-core alone takes

CORE = """
import json, sys
from pathlib import Path
import graphql
from graphql.validation.validate import validate_sdl
source, package = map(Path, sys.argv[1:])
text = source.read_text("utf-8")
if source.suffix == ".json":
    data = json.loads(text)
    schema = graphql.build_client_schema(data.get("data", data))
else:
    parsed = graphql.parse(text)
    validate_sdl(parsed)  # as building does by itself; it would stop at GitHub's faults
    schema = graphql.build_ast_schema(parsed, assume_valid_sdl=True)
if graphql.validate_schema(schema):  # a schema known to be broken judges no document
    schema = graphql.GraphQLSchema(**{**schema.to_kwargs(), "assume_valid": True})
for document in (package / "operations").iterdir():
    assert not graphql.validate(schema, graphql.parse(document.read_text("utf-8")))
"""
START = """
import sys
sys.path.insert(0, sys.argv[1])
from github_tools import TOOLSET
tools = TOOLSET(credentials={})
assert tools.describe("openai")
"""


def in_turn(*commands: list[str | Path]) -> list[float]:
    """The median processor seconds of several commands, a run of each after the other.

    Processor time, because the clock on a shared machine tells of its other users.
    """
    seconds: list[list[float]] = [[] for _ in commands]
    for _ in range(RUNS):
        for command, taken in zip(commands, seconds, strict=True):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(command, check=True, capture_output=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return list(map(median, seconds))


def compare(name: str) -> bool:
    """Print one schema's figures; whether they are within bounds."""
    graphql_schemas.fetch([name])
    source = graphql_schemas.folder() / name
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder, "github_tools")
        generate: list[str | Path] = [sys.executable, "-m", "toolmint", "generate", source]
        generate += ["-o", package, "--force"]
        subprocess.run(generate, check=True, capture_output=True)
        core, ours = in_turn([sys.executable, "-c", CORE, source, package], generate)
        (start,) = in_turn([sys.executable, "-c", START, folder])
        tools = len(list((package / "operations").iterdir()))
    print(f"{name}: {tools} documents")
    print(f"  graphql-core alone   {core:6.2f} s")
    print(f"  toolmint, all of it  {ours:6.2f} s  {ours / core:.2f} ×")
    print(f"  cold start           {start:6.2f} s  to all tools described")
    if (fastmcp := peers.python_of("fastmcp")).exists():
        (theirs,) = in_turn([fastmcp, "-c", "import fastmcp"])
        print(f"  import fastmcp       {theirs:6.2f} s")
    return ours <= MOST * core


if __name__ == "__main__":
    within = [compare(schema) for schema in sys.argv[1:] or ["github.graphql"]]
    sys.exit(not all(within))
