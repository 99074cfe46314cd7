"""What the tool lists of large APIs cost a model, by a real tokeniser, beside fastmcp's.

    python -m bench.tokens [--table docs/tokens.md]

Counted is what a model is sent of each tool: name, description and input schema, as JSON without
spaces, in tokens of o200k_base (npm gpt-tokenizer). Result schemas are not counted for either.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from . import documents, peers
from .generate import generation

NAMES = ("github.json", "stripe.json", "kubernetes.json", "ms-graph.json")
TOKENIZER = "gpt-tokenizer@4.0.0"

TOOLMINT = """
import json, sys
sys.path.insert(0, sys.argv[1])
import a_tools
for tool in a_tools.TOOLSET(credentials={}):
    print(json.dumps([tool.name, tool.description, tool.advertised_schema], separators=(",", ":")))
"""
FASTMCP = """
import asyncio, json, logging, sys
logging.disable(50)
import httpx2
from fastmcp import FastMCP
with open(sys.argv[1]) as file:
    server = FastMCP.from_openapi(json.load(file), httpx2.AsyncClient(base_url="https://x.example"))
for tool in asyncio.run(server.list_tools()):
    sent = tool.to_mcp_tool()
    print(json.dumps([sent.name, sent.description, sent.inputSchema], separators=(",", ":")))
"""
COUNT = """
const {encode} = require("gpt-tokenizer/encoding/o200k_base");
const lines = require("readline").createInterface({input: process.stdin});
const options = {disallowedSpecial: new Set()};
lines.on("line", line => console.log(encode(line, options).length));
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """The tokens of each tool of a list; None where no list came in time."""

    tools: tuple[int, ...] | None

    def __str__(self) -> str:
        if not self.tools:
            return f"none in {peers.SECONDS_AT_MOST} s | |"
        ordered = sorted(self.tools)
        middle, most = ordered[len(ordered) // 2], ordered[-1]
        return f"{sum(ordered):,} | {middle:,} | {most:,}"


def counted(listing: str) -> tuple[int, ...]:
    """The tokens of each line."""
    done = subprocess.run(
        ["node", "-e", COUNT],
        check=True,
        cwd=peers.folder() / "node",
        input=listing,
        capture_output=True,
        text=True,
    )
    return tuple(map(int, done.stdout.split()))


def ours(description: Path) -> Cost:
    """What toolmint's package shows."""
    with tempfile.TemporaryDirectory() as output:
        peers.timed(generation(description, Path(output)))
        run = peers.timed([sys.executable, "-c", TOOLMINT, output])
    return Cost(tools=counted(run.output))


def theirs(description: Path) -> Cost:
    """What fastmcp shows."""
    run = peers.timed([peers.python_of("fastmcp"), "-c", FASTMCP, description])
    return Cost(tools=counted(run.output) if run.status == 0 else None)


def table() -> Iterator[str]:
    """The figures as Markdown, line by line."""
    yield "# What tool lists cost"
    yield ""
    yield "Tokens of name, description and input schema, by `python -m bench.tokens --table`"
    yield "(o200k_base of gpt-tokenizer): all tools of an API, the median tool, the largest one."
    yield ""
    yield "| API | tools | toolmint | median | largest | fastmcp | median | largest |"
    yield "|---|--:|--:|--:|--:|--:|--:|--:|"
    for name in NAMES:
        description = documents.folder() / name
        mine = ours(description)
        yield f"| {name} | {len(mine.tools or ()):,} | {mine} | {theirs(description)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--table", nargs="?", type=Path, const=Path("docs/tokens.md"))
    chosen = parser.parse_args()
    documents.fetch(list(NAMES))
    peers.install()
    subprocess.run(
        ["npm", "install", "--silent", "--no-audit", "--no-fund", TOKENIZER],
        check=True,
        cwd=peers.folder() / "node",
    )
    lines: list[str] = []
    for line in table():
        print(line, flush=True)
        lines.append(line)
    if chosen.table:
        chosen.table.parent.mkdir(parents=True, exist_ok=True)
        chosen.table.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
