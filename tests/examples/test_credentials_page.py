"""Each piece of Python in `docs/credentials.md` runs, against stand-ins on loopback."""

import ast
import asyncio
import builtins
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

import httpx
import pytest

from tests.behaviour.generated import generated
from tests.behaviour.loopback import Answer, Loopback, Seen, loopback
from toolmint.auth import principal

PAGE = Path(__file__).parents[2] / "docs" / "credentials.md"
GITHUB = """
    servers: [{url: https://api.example}]
    security: [{bearerAuth: []}]
    components: {securitySchemes: {bearerAuth: {type: http, scheme: bearer}}}
    paths:
      /me:
        get:
          operationId: whoAmI
          tags: [account]
          responses: {'200': {description: ok}}
"""


def shown(start: str) -> str:
    """The one block that holds a line which begins so."""
    found = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    [block] = [one for one in found if re.search(rf"^ *{re.escape(start)}", one, re.MULTILINE)]
    return str(block)


def ran(block: str, **names: Any) -> dict[str, Any]:
    """The names of a block after it ran, whatever it awaits at its top."""
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    code = builtins.compile(block, PAGE.name, "exec", flags)
    made = FunctionType(code, names)()
    if inspect.iscoroutine(made):
        asyncio.run(made)
    return names


@pytest.fixture
def server() -> Iterator[Loopback]:
    """An API that is its own authorization server, and says so."""
    with loopback() as started:

        def answer(seen: Seen) -> Answer:
            known: dict[str, dict[str, object]] = {
                "/.well-known/oauth-protected-resource/things": {
                    "resource": f"{started.url}/things",
                    "authorization_servers": [started.url],
                },
                "/.well-known/oauth-authorization-server": {
                    "issuer": started.url,
                    "token_endpoint": f"{started.url}/token",
                },
                "/token": {"access_token": "made"},
            }
            if seen.target in known:
                return Answer.of(known[seen.target])
            given = seen.headers.get("authorization")
            return Answer.of({"given": given}, 200 if given else 401, WWW_Authenticate="Bearer")

        started.answer = answer
        yield started


def test_what_to_give_a_toolset(tmp_path: Path) -> None:
    made = generated(tmp_path, GITHUB, package="github_tools")
    names = ran(shown("from github_tools"), ask_the_vault=lambda: "token")
    assert isinstance(names["github"], made)


def test_the_ways_of_oauth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    ran(shown('OAuthClient("id", env("SECRET"))  # client credentials'))


def test_acting_for_somebody(server: Loopback, tmp_path: Path) -> None:
    made = generated(tmp_path, GITHUB, package="notes_of_many_tools")
    notes = made(credentials={"bearerAuth": principal}, base_url=server.url)
    ran(shown("with acting_for("), notes=notes)
    assert [seen.headers["authorization"] for seen in server.seen] == ["Bearer ann"]


def test_any_httpx_client(server: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "planted")
    block = shown("credentials = Credentials(").replace("https://api.example", server.url)
    names = ran(block, httpx=httpx)
    last = server.seen[-1]
    assert (last.target, last.headers["authorization"]) == ("/things", "Bearer made")
    assert names["credentials"].hide("made") == "***"
