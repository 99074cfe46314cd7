"""GitHub's description: 1,223 tools, importable, callable, stable, and watched for drift."""

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from .. import needs
from ..behaviour.loopback import Answer, Loopback, Seen, loopback
from ..typing.checkers import mypy

OPERATIONS = 1223
ISSUE = {"id": 7, "number": 3, "title": "Bug", "state": "open", "labels": [{"name": "bug"}]}


@dataclass(frozen=True)
class Generated:
    """The package as the command line made it, and the description beside it."""

    source: Path
    package: Path
    report: dict[str, Any]

    def toolmint(self, command: str, *more: str) -> subprocess.CompletedProcess[str]:
        line = ["toolmint", command, str(self.source), "-o", str(self.package), *more]
        return subprocess.run(
            [sys.executable, "-m", *line], capture_output=True, text=True, check=False
        )


@pytest.fixture(scope="module")
def github(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    folder = tmp_path_factory.mktemp("github")
    source = folder / "github.json"
    source.write_bytes(needs.document("github.json").read_bytes())
    made = Generated(source, folder / "github_tools", {})
    done = made.toolmint("generate", "--json")
    assert done.returncode == 0, done.stderr
    return Generated(source, made.package, json.loads(done.stdout))


@pytest.fixture
def server() -> Iterator[Loopback]:
    with loopback() as playing:
        playing.answer = play
        yield playing


def play(seen: Seen) -> Answer:
    """Five operations of the API."""
    path = seen.target.partition("?")[0]
    match seen.method, path:
        case "GET", "/repos/octo/hello":
            return Answer.of({"id": 1, "name": "hello", "full_name": "octo/hello"})
        case "GET", "/repos/octo/hello/issues":
            return Answer.of([ISSUE])
        case "POST", "/repos/octo/hello/issues":
            return Answer.of({**ISSUE, **json.loads(seen.body)}, status=201)
        case "PUT", "/user/starred/octo/hello":
            return Answer(204)
        case "POST", "/markdown":
            return Answer(200, b"<p>hi</p>", {"Content-Type": "text/html; charset=utf-8"})
        case _:
            return Answer.of({"message": "Not Found"}, status=404)


def test_every_operation_is_a_tool(github: Generated) -> None:
    assert github.report["operations"] == OPERATIONS
    assert github.report["tools"] == OPERATIONS
    assert github.report["left_out"] == []


PLAY = """
import asyncio, json, sys
sys.path.insert(0, sys.argv[1])
from github_tools import Github

github = Github(credentials={}, base_url=sys.argv[2])

async def main():
    star = await github.activity.activity_star_repo_for_authenticated_user(owner="octo", repo="hello")
    page = await github.markdown.markdown_render(text="hi")
    missing = await github.call("repos_get", {"owner": "octo", "repo": "gone"})
    await github.aclose()
    return star, page, missing.outcome, missing.metadata["status"]

repo = github.repos.repos_get(owner="octo", repo="hello").run()
issues = github.issues.issues_list_for_repo(owner="octo", repo="hello", labels="bug,ui", per_page=1).run()
made = github.issues.issues_create(owner="octo", repo="hello", title="Bug", labels=["ui"]).run()
print(json.dumps([len(github.names()), repo["full_name"], issues[0]["title"], made["labels"], *asyncio.run(main())]))
"""


def test_typed_calls_return_the_servers_data(github: Generated, server: Loopback) -> None:
    command = [sys.executable, "-c", PLAY, str(github.package.parent), server.url]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [
        OPERATIONS,
        "octo/hello",
        "Bug",
        ["ui"],
        None,
        "<p>hi</p>",
        "error",
        404,
    ]
    assert [(seen.method, seen.target, seen.body) for seen in server.seen] == [
        ("GET", "/repos/octo/hello", b""),
        ("GET", "/repos/octo/hello/issues?labels=bug%2Cui&per_page=1", b""),
        ("POST", "/repos/octo/hello/issues", b'{"title":"Bug","labels":["ui"]}'),
        ("PUT", "/user/starred/octo/hello", b""),
        ("POST", "/markdown", b'{"text":"hi"}'),
        ("GET", "/repos/octo/gone", b""),
    ]


def test_every_module_imports(github: Generated) -> None:
    script = (
        "import sys, pkgutil, importlib; sys.path.insert(0, sys.argv[1]); import github_tools as g;"
        "print(sum(1 for m in pkgutil.iter_modules(g.__path__, 'github_tools.')"
        " if importlib.import_module(m.name)))"
    )
    command = [sys.executable, "-c", script, str(github.package.parent)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) == len(list(github.package.glob("*.py"))) - 1  # without __init__


def test_a_typed_result_is_what_the_checker_sees(github: Generated, tmp_path: Path) -> None:
    script = tmp_path / "use.py"
    script.write_text(
        "from github_tools import Github\n"
        "issue = Github().issues.issues_create(owner='o', repo='r', title='t').run()\n"
        "title: str = issue['title']\n"
        "wrong: int = issue['title']\n"
    )
    assert [one.line for one in mypy([script], tmp_path, [github.package.parent])] == [4]


def test_a_second_generate_changes_nothing(github: Generated) -> None:
    before = {path: path.stat().st_mtime_ns for path in github.package.rglob("*.*")}
    assert github.toolmint("generate").returncode == 0
    after = {path: path.stat().st_mtime_ns for path in github.package.rglob("*.*")}
    assert {path: after[path] for path in before} == before


def test_check_is_clean_until_the_description_changes(github: Generated) -> None:
    assert github.toolmint("check").returncode == 0
    original = github.source.read_text()
    try:
        changed = json.loads(original)
        del changed["paths"]["/zen"]
        github.source.write_text(json.dumps(changed))
        drifted = github.toolmint("check")
        assert drifted.returncode == 1
        assert "meta.py" in drifted.stdout + drifted.stderr
    finally:
        github.source.write_text(original)
