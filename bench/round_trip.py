"""Arguments → request → what another's library reads from it: the same, for thousands of tools.

    python -m bench.round_trip [FOLDER] [--operations 5000]

Operations are drawn from the documents of `bench.documents` and of a folder, the same ones each
time. For each, arguments are drawn from the tool's input schema (`tests/arguments.py`), the
request is prepared by the generated package, and `openapi-core` parses it by the original document.
"""

import argparse
import importlib
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from tests.arguments import draw
from tests.patterns import Undrawable
from toolmint.auth.schemes import HttpBasic, HttpDigest, MutualTls, Scheme, Unsupported
from toolmint.generator import Config, compile, write
from toolmint.generator.errors import InputError
from toolmint.generator.load import load
from toolmint.runtime import Tool, ToolError, Toolset
from toolmint.runtime.wire.refusal import RequestProblem
from toolmint.runtime.wire.request import build

from . import documents
from .compared import differences, http
from .exclusions import excluded
from .parsed import BASE, Request, parse

ATTEMPTS = 20  # drawings until arguments fit their schema
MOST_EXCLUDED = 0.02
MANY, FEW = 1500, 40  # operations of one document


@dataclass(frozen=True, slots=True)
class Trip:
    """One operation's: `verdict` is "same", or what else came of it."""

    document: str
    operation: str
    verdict: str
    detail: str = ""


def trips(source: Path, work: Path, most: int, seed: int = 1) -> Iterator[Trip]:
    """At most so many operations of a document, there and back."""
    try:
        data = load(str(source)).data
    except InputError:
        return
    if not str(data.get("openapi", "")).startswith(("3.0", "3.1")):
        return  # openapi-core knows nothing else
    tools = package(source, work)
    if tools is None:
        return
    chance = Random(f"{source.name} {seed}")
    every = list(tools)
    for tool in chance.sample(every, min(most, len(every))):
        yield trip(source.name, data, tools, tool, chance)


def package(source: Path, work: Path) -> Toolset | None:
    """A toolset of the document's generated package, None where there is none."""
    # Documents in several folders share their names.
    name = f"trip_{sha256(str(source.resolve()).encode()).hexdigest()[:12]}"
    try:
        write(
            compile(Config(source=str(source), output=str(work / name), offline=True)), work / name
        )
    except InputError:
        return None
    if str(work) not in sys.path:
        sys.path.append(str(work))
    importlib.invalidate_caches()
    kind: type[Toolset] = importlib.import_module(name).TOOLSET
    schemes = kind.package.schemes.items()
    held = {name: credential(scheme) for name, scheme in schemes}
    return kind(credentials={name: value for name, value in held.items() if value}, base_url=BASE)


def credential(scheme: Scheme) -> Any:
    """Something that the scheme takes; the documents' own parameters are what is looked at."""
    match scheme:
        case HttpBasic() | HttpDigest():
            return {"username": "somebody", "password": "round-trip-1"}
        case MutualTls() | Unsupported():
            return None
        case _:
            return "round-trip-1"


def trip(
    document: str, data: Mapping[str, Any], tools: Toolset, tool: Tool, chance: Random
) -> Trip:
    """One operation, there and back."""
    key = f"{tool.method} {tool.path}"
    path = described(data, tool)
    if path is None:
        return Trip(document, key, "excluded", "the document has no such path")
    try:
        arguments = drawn(tool, chance)
    except Undrawable as problem:
        return Trip(document, key, "excluded", f"no arguments were drawn: {problem}")
    try:
        request = prepared(tools, tool, arguments)
    except (ToolError, RequestProblem) as error:
        return Trip(document, key, "unsent", f"{error!r} {arguments}"[:600])
    reason = excluded(data, path, tool, arguments, request)
    if reason:
        return Trip(document, key, "excluded", reason)
    try:
        parsed = parse(data, path, request)
    except Exception as error:  # noqa: BLE001 - whatever the other library raises is the finding
        return Trip(document, key, "unread", f"{told(error)} {arguments}"[:600])
    wrong = list(differences(tool, arguments, parsed))
    return Trip(document, key, "different" if wrong else "same", "; ".join(wrong)[:400])


def prepared(tools: Toolset, tool: Tool, arguments: dict[str, Any]) -> Request:
    """The request; without credentials where no set of them can be sent, as some documents ask."""
    try:
        return Request.of(tools.prepare(tool.name, arguments))
    except ToolError as error:
        if error.outcome != "denied":
            raise
    return Request.of(build(http(tool), arguments, BASE, schema=lambda: tool.input_schema))


def described(data: Mapping[str, Any], tool: Tool) -> str | None:
    """The key of the tool's path; what follows a `?` or `#` in it is no part of the path."""
    found = [
        key
        for key, item in data["paths"].items()
        if re.split("[?#]", key)[0] == tool.path and tool.method.lower() in item
    ]
    for key in found:
        if data["paths"][key][tool.method.lower()].get("operationId") == tool.operation_id:
            return str(key)
    return None


def told(error: BaseException) -> str:
    """An error of openapi-core, which keeps what it means in causes and lists."""
    inner: Any = getattr(error, "errors", None)
    texts = [f"{type(error).__name__}: {error}"]
    texts += [told(one) for one in inner or () if isinstance(one, BaseException)]
    if error.__cause__ is not None:
        texts.append(told(error.__cause__))
    return " < ".join(texts)


def drawn(tool: Tool, chance: Random) -> dict[str, Any]:
    """Arguments that fit the tool's schema. Raises Undrawable."""
    problem = ""
    for _ in range(ATTEMPTS):
        try:
            arguments = draw(tool.input_schema, chance)
        except Undrawable as error:
            problem = str(error)
            continue
        wrong = tool.problems(arguments)
        if not wrong:
            return arguments
        problem = f"{wrong[0].pointer} {wrong[0].reason}"
    raise Undrawable(problem)


# ── the whole ───────────────────────────────────────────────────────────────────────


def sources(folder: str | None) -> list[tuple[Path, int]]:
    """Documents, and how many operations are drawn from each."""
    found = [
        (path, FEW if name == "ec2.json" else MANY)  # that one is XML, which nobody reads back
        for name in documents.SOURCES
        if (path := documents.document(name))
    ]
    if folder:
        found += [(path, FEW) for path in sorted(Path(folder).rglob("*.*")) if path.is_file()]
    return found


def run(chosen: Sequence[tuple[Path, int]], wanted: int) -> list[Trip]:
    """Trips until there are as many as wanted, document after document in a fixed disorder."""
    order = sorted(chosen, key=lambda one: Random(one[0].name).random())
    done: list[Trip] = []
    with tempfile.TemporaryDirectory() as work:
        for number, (source, most) in enumerate(order, 1):
            if len(done) >= wanted:
                break
            done += trips(source, Path(work), most)
            print(f"\r{number} documents, {len(done)} operations", end="", file=sys.stderr)
        print(file=sys.stderr)
    return done


def main() -> int:
    """Print what came of the trips; 1 where one did not come back, or too many were left out."""
    arguments = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    arguments.add_argument("folder", nargs="?")
    arguments.add_argument("--operations", type=int, default=5000)
    asked = arguments.parse_args()
    done = run(sources(asked.folder), asked.operations)
    for verdict, count in Counter(one.verdict for one in done).most_common():
        print(f"{verdict:10} {count:6}  {count / len(done):7.2%}")
    for reason, count in Counter(
        one.detail for one in done if one.verdict == "excluded"
    ).most_common():
        print(f"  excluded {count:5}  {reason}")
    wrong = [one for one in done if one.verdict not in ("same", "excluded")]
    for one in wrong[:200]:
        print(f"{one.verdict} {one.document} {one.operation}: {one.detail}")
    left_out = sum(one.verdict == "excluded" for one in done)
    return 1 if wrong or left_out > MOST_EXCLUDED * len(done) else 0


if __name__ == "__main__":
    sys.exit(main())
