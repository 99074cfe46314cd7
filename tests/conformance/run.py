"""Run every scenario: find its tool, make its arguments, call it, and let the suite judge."""

import asyncio
import json
import tempfile
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import httpx

from toolmint.runtime.wire.values import is_array, is_object

from .derive import Found, arguments, credentials, find
from .services import Service, services
from .suite import Exchange, Scenario, scenarios, serving

Told: TypeAlias = Mapping[str, Any]

DATA = Path(__file__).with_name("arguments.json")
"""What scenarios do not show: `arguments`, a list with one entry a call, and `credentials` by
scenario; and the `reasons` of those that cannot pass. `@…` is a file of the suite in base64."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the last call of a scenario came to; `read` are the answers that were compared with
    what the server sent: whether each is the same."""

    said: str
    read: tuple[bool, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the suite's coverage file says of a scenario, and what the last call came to."""

    scenario: Scenario
    passed: bool
    outcome: Outcome


def run(folder: Path) -> list[Verdict]:
    """The verdict on each scenario of the suite that lies in a folder."""
    told = _with_files(data(), folder / "node_modules/@typespec/http-specs")
    every = scenarios(folder)
    with tempfile.TemporaryDirectory() as work:
        made = services(folder, Path(work))
        with serving(folder, Path(work)) as server:
            said = asyncio.run(_run(every, made, server.url, told))
        return [
            Verdict(one, server.coverage.get(one.name) == "pass", said[one.name]) for one in every
        ]


def data() -> Told:
    """The data file."""
    told: Told = json.loads(DATA.read_text("utf-8"))
    return told


def _with_files(value: Any, folder: Path) -> Any:
    if is_object(value):
        return {name: _with_files(member, folder) for name, member in value.items()}
    if is_array(value):
        return [_with_files(item, folder) for item in value]
    if isinstance(value, str) and value.startswith("@"):
        return b64encode((folder / value[1:]).read_bytes()).decode()
    return value


async def _run(
    every: Sequence[Scenario],
    made: Mapping[str, Sequence[Service]],
    url: str,
    told: Told,
) -> dict[str, Outcome]:
    async with httpx.AsyncClient() as client:
        return {
            one.name: await _scenario(one, made.get(one.suite, ()), url, client, told)
            for one in every
        }


async def _scenario(
    scenario: Scenario,
    made: Sequence[Service],
    url: str,
    client: httpx.AsyncClient,
    told: Told,
) -> Outcome:
    given = told["arguments"].get(scenario.name, [])
    said, read = "was not called", list[bool]()
    for number, exchange in enumerate(scenario.calls):
        found = find(made, exchange)
        if found is None:
            said = f"no tool for {exchange.method} {exchange.uri}"
            continue
        keywords = _keywords(found, exchange, url, told["credentials"].get(scenario.name))
        values = arguments(found, exchange)
        if number < len(given) and given[number] is not None:
            values = given[number]
        tools = found.service.toolset(client=client, **keywords)
        result = await tools.call(found.tool.name, values)
        said = str(result.error or result.outcome)
        if result.success and exchange.answer and number >= len(given):
            read += _compared(result.data, exchange.answer, url)
    return Outcome(said, tuple(read))


def _compared(data: Any, answer: Mapping[str, Any], url: str) -> Iterator[bool]:
    """Whether an answer was read as it was sent; XML and lines are not comparable as they are."""
    if "json" in answer:
        yield data == json.loads(json.dumps(answer["json"]).replace("{server}", url))
    elif "base64" in answer and not answer["type"].endswith("jsonl"):
        same = {"content_type": answer["type"], "data_base64": answer["base64"]}
        yield data == same or json.loads(b64decode(answer["base64"])) == data


def _keywords(
    found: Found, exchange: Exchange, url: str, given: Mapping[str, str] | None
) -> dict[str, Any]:
    """The settings of a toolset that reaches the suite's server."""
    package = found.service.toolset.package
    keywords: dict[str, Any] = {"credentials": given or credentials(package.schemes, exchange)}
    if package.servers and package.servers[0].url.startswith("{endpoint}"):
        keywords["variables"] = {"endpoint": url, **found.variables}
    else:
        keywords["base_url"] = url
    return keywords
