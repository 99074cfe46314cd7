"""From process start to "tool list ready" on GitHub's 1,223 operations, beside fastmcp.

    python -m bench.cold_start

toolmint: import the committed package, `names()`, `describe("json-schema")`.
fastmcp: read the description, build the server, list the tools. Medians of one run, in turn.
"""

import sys
import tempfile
from pathlib import Path

from . import documents, peers

FASTMCP = """
import asyncio, json, logging, sys
logging.disable(50)
import httpx2
from fastmcp import FastMCP
with open(sys.argv[1]) as file:
    server = FastMCP.from_openapi(json.load(file), httpx2.AsyncClient(base_url="https://api.github.com"))
print(len(asyncio.run(server.list_tools())))
"""

TOOLMINT = """
import sys
sys.path.insert(0, sys.argv[1])
from github_tools import Github
github = Github(credentials={})
names, tools = github.names(), github.describe("json-schema")
assert len(names) <= len(tools)
print(len(names))
"""


def generate(description: Path, output: Path) -> None:
    """Generate the package and import it once, as an installer would, so that bytecode is there."""
    command: list[str | Path] = [
        sys.executable,
        "-m",
        "toolmint",
        "generate",
        description,
        "-o",
        output / "github_tools",
    ]
    if (run := peers.timed(command)).status:
        sys.exit(f"toolmint generate ended with {run.status}")
    peers.timed([sys.executable, "-m", "compileall", "-q", output])


def main() -> None:
    documents.fetch(["github.json"])
    peers.install()
    description = documents.folder() / "github.json"
    with tempfile.TemporaryDirectory() as work:
        generate(description, Path(work))
        ours = peers.median([sys.executable, "-c", TOOLMINT, work], runs=9)
        theirs = peers.median([peers.python_of("fastmcp"), "-c", FASTMCP, description], runs=3)
        floor = peers.median([sys.executable, "-c", "pass"], runs=9)
    print(f"python itself  {floor.seconds:7.3f} s")
    for name, run in (("toolmint", ours), ("fastmcp", theirs)):
        tools = run.output.strip() or f"exit {run.status}"
        print(f"{name:<13}  {run.seconds:7.3f} s  {run.peak_mb:5.0f} MB  {tools} tools")
    print(f"toolmint is {theirs.seconds / ours.seconds:.1f} times faster (goal: 25)")


if __name__ == "__main__":
    main()
