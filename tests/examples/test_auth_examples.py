"""The scripts in `examples/auth/`, run as a user would, with real counterparts on loopback."""

import json
import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.behaviour.loopback import Answer, loopback
from tests.services.oidc import Provider, client, provider, sign_in
from tests.services.tls import PASSWORD, Files, demanding
from toolmint.generator import Options, check, compile, configurations

FOLDER = Path(__file__).parents[2] / "examples" / "auth"
DEVICE = "urn:ietf:params:oauth:grant-type:device_code"
CLIENTS = [
    client("web", "authorization_code", "refresh_token", token_endpoint_auth_method="none"),
    client("tv", DEVICE, token_endpoint_auth_method="none"),
    client("robot", "client_credentials"),
]


@pytest.fixture(scope="module")
def oidc() -> Generator[Provider]:
    with provider(CLIENTS) as running:
        yield running


class Script:
    """A running example and what it printed."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def line(self) -> str:
        """The next line."""
        assert self._process.stdout
        return self._process.stdout.readline().rstrip("\n")

    def after(self, word: str) -> str:
        """What the next line says after a word."""
        first, _, rest = self.line().partition(" ")
        assert first == word
        return rest


@contextmanager
def script(name: str, *arguments: str, **variables: str) -> Generator[Script]:
    """The example as a process; at the end it must have ended well."""
    own = {f"NOTES_{key.upper()}": value for key, value in variables.items()}
    process = subprocess.Popen(
        [sys.executable, str(FOLDER / f"{name}.py"), *arguments],
        env={**os.environ, **own},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield Script(process)
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.communicate()


def test_the_committed_package_is_what_the_description_gives() -> None:
    (config,) = configurations(Options(), start=FOLDER)
    assert list(check(compile(config), config.output)) == []


def test_an_api_key() -> None:
    with loopback() as server:
        server.answer = lambda seen: Answer.of({"who": seen.headers["x-key"]})
        with script("api_key", url=server.url, key="abc") as example:
            assert "'X-Key': '***'" in example.line()
            assert example.line() == "I am abc"


def test_client_credentials(oidc: Provider) -> None:
    with script(
        "client_credentials", url=oidc.api, id="robot", secret="secret of robot"
    ) as example:
        assert example.line() == "reads with read"
        assert example.line() == "writes with write"


def test_an_authorization_code(oidc: Provider) -> None:
    with script("authorization_code", url=oidc.api, id="web") as example:
        sign_in(example.after("open"), "ann")
        assert example.line() == "I am ann"


def test_a_device_code(oidc: Provider) -> None:
    with script("device_code", url=oidc.api, id="tv") as example:
        sign_in(example.after("open"), "bob", example.after("enter"))
        assert example.line() == "I am bob"


def expire(folder: Path) -> None:
    """Let the time pass for the one token that is kept there."""
    (kept,) = folder.glob("*.json")
    entry = json.loads(kept.read_text())
    entry["text"] = json.dumps({**json.loads(entry["text"]), "expires_at": 0})
    kept.write_text(json.dumps(entry))


def test_a_refresh_with_rotation(oidc: Provider, tmp_path: Path) -> None:
    variables = {"url": oidc.api, "id": "web", "tokens": str(tmp_path)}
    before = oidc.seen()["grants"].get("refresh_token", 0)
    with script("refresh", **variables) as example:
        sign_in(example.after("open"), "ann")
        assert [example.line(), example.line()] == ["I am ann", "token of generation 1"]
    expire(tmp_path)
    with script("refresh", **variables) as example:
        assert [example.line(), example.line()] == ["I am ann", "token of generation 2"]
    assert oidc.seen()["grants"]["refresh_token"] - before == 1
    assert oidc.seen()["refused"] == 0


def test_mutual_tls(tmp_path: Path) -> None:
    files = Files(tmp_path)
    files.issue("ann.example")
    with (
        demanding(files) as url,
        script("mutual_tls", url=url, files=str(tmp_path), password=PASSWORD) as example,
    ):
        assert example.line() == "I am ann.example"


def test_several_tenants(oidc: Provider) -> None:
    with script("tenants", "ann", "bob", url=oidc.api, id="web") as example:
        for person in ("ann", "bob"):
            sign_in(example.after("open"), person)
        assert example.line() == "calls went out as ann bob"


def test_every_example_is_run() -> None:
    scripts = {path.stem for path in FOLDER.glob("*.py")}
    text = Path(__file__).read_text("utf-8")
    assert {name for name in scripts if f'"{name}"' not in text} == set()
