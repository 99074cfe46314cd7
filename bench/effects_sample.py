"""Draws operations for a labelled sample of hard cases, with a seed, from a folder of descriptions.

    python -m bench.effects_sample FOLDER --seed 1 [--share 0.5] [--without LABELS…] > ROWS

A file or folder directly below FOLDER is an API; of one with more than 150 descriptions ten
services are drawn, each an API of its own. Each pool takes its operations from APIs in a drawn
order, two rounds at most, so no API has more than eight rows. `--without` leaves out the APIs
of samples that exist already, `--share` draws that part of every pool. What is printed waits
for its label: nobody may run the rule on it before.
"""

import argparse
import json
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from toolmint.runtime.shown.closure import is_node

Row: TypeAlias = dict[str, Any]

SEEN = ("github", "stripe", "kubernetes", "slack", "docker")
"""Those that the first sample, and the rules, were made from."""
_METHODS = ("get", "put", "post", "delete", "patch")
_MANY, _SERVICES, _ROUNDS = 150, 10, 2
_SHOWN = 240  # characters of a description that a row keeps

_MAKES = r"create|add|new|insert|register|post"
_READS = (
    r"analy[sz]e|autocomplete|batch.?get|calculate|check|classify|compare|compute|convert|count|"
    r"describe|detect|diff|discover|download|estimate|evaluate|explain|export|extract|fetch|"
    r"filter|find|forecast|get|identify|inspect|list|locate|lookup|match|parse|ping|predict|"
    r"preview|query|quote|rank|read|recogni[sz]e|report|resolve|retrieve|score|search|select|show|"
    r"simulate|suggest|summari[sz]e|test|translate|validate|verify|view"
)
_ACTS = (
    r"accept|activate|add|approve|assign|book|buy|cancel|change|checkout|clear|close|confirm|"
    r"create|delete|disable|enable|execute|export|flush|generate|import|invalidate|invite|join|"
    r"kick|kill|leave|like|lock|log.?in|log.?out|mark|move|new|open|order|pause|pay|play|post|"
    r"publish|purchase|purge|push|redeem|refresh|regenerate|register|reject|remove|renew|reset|"
    r"restart|resume|revoke|run|save|send|set|sign|skip|start|stop|subscribe|switch|sync|toggle|"
    r"trigger|unlock|unsubscribe|update|upload|use|vote|write"
)
_TELLS = r"details|fetch|find|get|list|query|read|retrieve|return|search|show|view"
_LOSES = (
    r"abort|archive|ban|block|cancel|clean|clear|close|deactivate|decommission|delete|deny|"
    r"deregister|destroy|detach|disable|disassociate|disconnect|dismiss|drop|empty|end|erase|"
    r"expire|factory|finali[sz]e|flush|forget|halt|invalidate|kill|leave|log.?out|merge|overwrite|"
    r"purge|reboot|redact|reject|release|remove|replace|reset|restore|revert|revoke|rollback|"
    r"rotate|shred|stop|suspend|terminate|transfer|trash|truncate|unassign|uninstall|unlink|"
    r"unpublish|unregister|void|wipe"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """Where the method alone misleads: which operations, and how many of them."""

    name: str
    size: int
    methods: tuple[str, ...]
    said: str = ""  # a pattern that the path's last segment, the name or the summary matches
    unsaid: str = r"(?!)"  # one that they do not

    def holds(self, row: Row) -> bool:
        """Whether an operation is of this pool."""
        told = _told(row)
        return (
            row["method"] in self.methods
            and re.search(rf"\b(?:{self.said})", told) is not None
            and re.search(rf"\b(?:{self.unsaid})", told) is None
        )


POOLS = (
    Pool(name="post", size=30, methods=("POST",), said=_READS, unsaid=_MAKES),
    Pool(name="post", size=30, methods=("POST",), unsaid=f"{_MAKES}|{_READS}"),
    Pool(name="put-patch", size=60, methods=("PUT", "PATCH")),
    Pool(name="odd-get", size=26, methods=("GET",), said=rf"(?:{_ACTS})\b", unsaid=_TELLS),
    Pool(name="odd-get", size=24, methods=("GET",), said=rf"(?:{_ACTS})\b"),
    Pool(name="delete", size=38, methods=("DELETE",)),
    Pool(name="delete", size=24, methods=("POST", "PUT", "PATCH"), said=rf"(?:{_LOSES})\b"),
    Pool(name="delete", size=8, methods=("GET",), said=rf"(?:{_LOSES})\b", unsaid=_TELLS),
)


def _told(row: Row) -> str:
    """The last literal segment, the name and the first words of the summary, as words."""
    literal = [part for part in row["path"].split("/") if part and "{" not in part]
    text = " ".join((*literal[-1:], row["operation_id"], *row["summary"].split()[:3]))
    return re.sub(r"[\W_]+|(?<=[a-z])(?=[A-Z])", " ", text).lower()


def apis(folder: Path, chance: random.Random) -> dict[str, list[Path]]:
    """The descriptions of each API."""
    found: dict[str, list[Path]] = {}
    for entry in sorted(folder.iterdir()):
        files = sorted(entry.rglob("*.json")) if entry.is_dir() else [entry]
        if len(files) > _MANY:
            services = chance.sample(files, _SERVICES)
            found.update((f"{entry.name}/{file.stem}", [file]) for file in services)
        else:
            found[entry.name.removesuffix(".json")] = files
    return {name: files for name, files in found.items() if not name.startswith(SEEN)}


def rows(api: str, files: Sequence[Path]) -> Iterator[Row]:
    """Every operation of an API as a row of a sample."""
    for file in files:
        document = json.loads(file.read_text("utf-8-sig"))
        for path, item in document.get("paths", {}).items():
            for method in _METHODS:
                if is_node(item) and is_node(item.get(method)):
                    answers = sorted(set(_answers(document, item[method])))
                    yield {**_row(api, path, method, item[method]), "answers": answers}


def _answers(document: Mapping[str, Any], given: Mapping[str, Any]) -> Iterator[str]:
    """The good answers, each by its status and kind: `200 application/pdf`, `204`."""
    kinds = given.get("produces") or document.get("produces") or ()
    for status, described in given.get("responses", {}).items():
        answer = _referred(document, described)
        if str(status).startswith("2") and "content" in answer:
            yield from (f"{status} {kind}" for kind in answer["content"] or ())
        elif str(status).startswith("2"):
            yield from (f"{status} {kind}" for kind in kinds if "schema" in answer)
            yield from () if kinds and "schema" in answer else (str(status),)


def _referred(document: Mapping[str, Any], node: Any) -> Mapping[str, Any]:
    """A node, or what it refers to within the document."""
    if not is_node(node):
        return {}
    steps = str(node.get("$ref", "")).removeprefix("#/").split("/")
    for step in steps if "$ref" in node else ():
        node = document = document.get(step, {}) if is_node(document) else {}
    return node if is_node(node) else {}


def _row(api: str, path: str, method: str, given: Mapping[str, Any]) -> Row:
    description = " ".join(str(given.get("description") or "").split())
    return {
        "source": api,
        "method": method.upper(),
        "path": path,
        "operation_id": str(given.get("operationId") or ""),
        "summary": " ".join(str(given.get("summary") or "").split()),
        "description": description[:_SHOWN],
    }


def draw(found: Mapping[str, list[Row]], share: float, chance: random.Random) -> Iterator[Row]:
    """The rows of every pool; none twice."""
    taken: set[tuple[str, str, str]] = set()
    had: defaultdict[tuple[str, str], int] = defaultdict(int)
    for pool in POOLS:
        wanted = round(pool.size * share)
        for api in chance.sample(sorted(found), len(found)) * _ROUNDS:
            fits = [row for row in found[api] if pool.holds(row) and _key(row) not in taken]
            if wanted and fits and had[pool.name, api] < _ROUNDS:
                row = chance.choice(fits)
                wanted -= 1
                had[pool.name, api] += 1
                taken.add(_key(row))
                yield {"pool": pool.name, **row, "label": ""}


def _key(row: Row) -> tuple[str, str, str]:
    return row["source"], row["method"], row["path"]


def main() -> None:
    """Print the drawn rows."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--without", type=Path, nargs="*", default=())
    given = parser.parse_args()
    chance = random.Random(given.seed)
    known = {
        json.loads(line)["source"]
        for file in given.without
        for line in file.read_text("utf-8").splitlines()
    }
    found = {
        api: list(rows(api, files))
        for api, files in apis(given.folder, chance).items()
        if api not in known
    }
    for row in draw(found, given.share, chance):
        print(json.dumps(row, ensure_ascii=False))


if __name__ == "__main__":
    main()
