"""`toolmint auth` and the credentials that `toolmint tools` sees, with a provider on loopback."""

import json
import os
import re
import stat
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import httpx
import pytest

from tests.services.oidc import Provider, client, provider, sign_in
from tests.services.redis import redis_server

from .command_line import Toolmint, runner

NOTES = str(Path(__file__).parents[2] / "examples" / "auth" / "notes_tools")
DEVICE = "urn:ietf:params:oauth:grant-type:device_code"
CLIENTS = [
    client("web", "authorization_code", "refresh_token", DEVICE, token_endpoint_auth_method="none"),
    client("tv", DEVICE, "refresh_token", token_endpoint_auth_method="none"),
    client("robot", "client_credentials", client_secret="planted-robot-secret"),
]


@pytest.fixture(scope="module")
def oidc() -> Generator[Provider]:
    with provider(CLIENTS) as running:
        yield running


@pytest.fixture
def toolmint(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Toolmint:
    """The command line of a person whose environment names clients, and whose tokens are new."""
    for name in [name for name in os.environ if name.startswith(("NOTES_", "TOOLMINT_TOKEN"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("NOTES_PERSON_CLIENT_ID", "web")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return runner(capsys)


def login(oidc: Provider, user: str, *words: str) -> tuple[int, str, str]:
    """`toolmint auth login`, with somebody who opens what it prints: status, stdout, stderr."""
    command = [sys.executable, "-m", "toolmint", "auth", "login", NOTES]
    process = subprocess.Popen(
        [*command, "--base-url", oidc.api, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr
    told = process.stderr.readline()
    found = re.fullmatch(r"Open this address to sign in: (\S+)\n", told)
    if not found:
        out, err = process.communicate()
        return process.returncode, out, told + err
    code = None
    if any("device" in word for word in words):
        said = process.stderr.readline()
        code = said.removeprefix("and enter the code: ").strip()
        told += said
    sign_in(found[1], user, code)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, told + err


def state(toolmint: Toolmint, oidc: Provider, scheme: str, *words: str) -> str:
    status = ("auth", "status", NOTES, "--scheme", scheme, "--base-url", oidc.api)
    ran = toolmint(*status, *words)
    assert ran.status == 0, ran.err
    return re.sub(r"20\d\d-[-+\d:T]+", "TIME", ran.out.splitlines()[1])


SIGNED_IN = "person  OAuth 2  signed in; expires TIME, renewable, scopes read write"


def test_a_person_signs_in_calls_and_signs_out(toolmint: Toolmint, oidc: Provider) -> None:
    assert state(toolmint, oidc, "person") == "person  OAuth 2  not signed in"
    status, out, err = login(oidc, "ann", "--no-browser")
    assert (status, err.count("\n")) == (0, 1)
    assert re.sub(r"20\d\d-[-+\d:T]+", "TIME", out) == (
        "person: signed in; expires TIME, renewable, scopes read write\n"
    )
    assert state(toolmint, oidc, "person") == SIGNED_IN
    called = toolmint("call", NOTES, "who_am_i", "--base-url", oidc.api)
    assert (called.status, json.loads(called.out)["who"]) == (0, "ann")

    words = ("auth", "logout", NOTES, "--base-url", oidc.api)
    assert toolmint(*words).out == "person: signed out\n"
    assert toolmint(*words).out == "person: nobody was signed in\n"
    denied = toolmint("call", NOTES, "who_am_i", "--base-url", oidc.api)
    assert denied.status == 1
    assert denied.err.startswith("toolmint: denied: somebody has to sign in: open http")


def test_the_browser_is_opened(
    toolmint: Toolmint, oidc: Provider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opener = tmp_path / "bin" / "xdg-open"
    opener.parent.mkdir()
    opener.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/opened\n')
    opener.chmod(opener.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{opener.parent}:{os.environ['PATH']}")
    status, _, err = login(oidc, "ann")
    assert status == 0
    assert (tmp_path / "opened").read_text().strip() in err


@pytest.mark.parametrize("words", [("--scheme", "device"), ("--scheme", "person", "--device")])
def test_a_device_code_is_shown(
    toolmint: Toolmint, oidc: Provider, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """Also where only the server itself says where device codes come from."""
    monkeypatch.setenv("NOTES_DEVICE_CLIENT_ID", "tv")
    status, out, err = login(oidc, "bob", *words, "--no-browser")
    assert re.search(r"\nand enter the code: [A-Z]{4}-[A-Z]{4}\n", err)
    assert (status, out.partition(";")[0]) == (0, f"{words[1]}: signed in")


def test_principals_are_apart(toolmint: Toolmint, oidc: Provider) -> None:
    assert login(oidc, "bob", "--no-browser", "--principal", "bob")[0] == 0
    assert state(toolmint, oidc, "person", "--principal", "bob") == SIGNED_IN
    assert state(toolmint, oidc, "person") == "person  OAuth 2  not signed in"
    words = ("call", NOTES, "who_am_i", "--base-url", oidc.api)
    assert json.loads(toolmint(*words, "--principal", "bob").out)["who"] == "bob"
    assert toolmint(*words).status == 1


def test_tokens_are_kept_where_the_option_or_the_variable_says(
    toolmint: Toolmint, oidc: Provider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = f"file:{tmp_path}/mine"
    assert login(oidc, "ann", "--no-browser", "--store", folder)[0] == 0
    assert len(list((tmp_path / "mine").glob("*.json"))) == 1
    assert state(toolmint, oidc, "person", "--store", folder) == SIGNED_IN
    assert state(toolmint, oidc, "person") == "person  OAuth 2  not signed in"
    monkeypatch.setenv("TOOLMINT_TOKEN_STORE", folder)
    assert state(toolmint, oidc, "person") == SIGNED_IN
    assert toolmint("call", NOTES, "who_am_i", "--base-url", oidc.api).status == 0


def test_tokens_are_kept_in_redis(
    toolmint: Toolmint, oidc: Provider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with redis_server(tmp_path) as url:
        monkeypatch.setenv("TOOLMINT_TOKEN_STORE", url)
        assert login(oidc, "ann", "--no-browser")[0] == 0
        assert state(toolmint, oidc, "person") == SIGNED_IN


@pytest.mark.parametrize(
    ("store", "message"),
    [
        ("memory", "--store memory: the token would be gone when this command ends."),
        ("redys://:planted-password@h", "--store: there is no such token store. Known: file, "),
        ("redis://:planted-password@h:port", "--store: the address of the token store is no Redis"),
    ],
)
def test_a_store_that_cannot_serve_is_refused(
    toolmint: Toolmint, oidc: Provider, store: str, message: str
) -> None:
    ran = toolmint("auth", "login", NOTES, "--base-url", oidc.api, "--store", store)
    assert ran.status == 2
    assert message in ran.err
    assert "planted-password" not in ran.err


def test_the_status_names_variables_and_shows_no_secret(
    toolmint: Toolmint, oidc: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOTES_KEY", "planted-key")
    monkeypatch.setenv("NOTES_MACHINE_CLIENT_ID", "robot")
    monkeypatch.setenv("NOTES_MACHINE_CLIENT_SECRET", "planted-robot-secret")
    ran = toolmint("auth", "status", NOTES, "--base-url", oidc.api)
    assert ran.out.splitlines() == [
        "scheme   kind                 state",
        "device   OAuth 2              set NOTES_DEVICE, or NOTES_DEVICE_CLIENT_ID",
        "key      API key in a header  NOTES_KEY set",
        "machine  OAuth 2              a token is got when a call needs one",
        "mtls     mutual TLS           set NOTES_MTLS_CERTIFICATE and NOTES_MTLS_KEY",
        "person   OAuth 2              not signed in",
    ]
    told = toolmint("auth", "status", NOTES, "--base-url", oidc.api, "--json").out
    assert [one["usable"] for one in json.loads(told)] == [False, True, True, False, False]
    assert json.loads(told)[1] == {
        "scheme": "key",
        "kind": "API key in a header",
        "usable": True,
        "state": "NOTES_KEY set",
        "token": None,
    }
    assert "planted" not in ran.out + told


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--scheme", "persn"), "persn: the package has no such scheme; did you mean person?"),
        (("--scheme", "key"), "key: nobody signs in for API key in a header."),
        (
            ("--scheme", "device"),
            (
                "device: there is no client to sign in with: set NOTES_DEVICE_CLIENT_ID "
                "(and NOTES_DEVICE_CLIENT_SECRET, if the client has one)."
            ),
        ),
    ],
)
def test_a_sign_in_that_cannot_begin_says_what_to_do(
    toolmint: Toolmint, words: tuple[str, ...], message: str
) -> None:
    ran = toolmint("auth", "login", NOTES, *words)
    assert (ran.status, ran.err) == (2, f"toolmint: {message}\n")


def test_a_token_in_the_environment_goes_before_a_sign_in(
    toolmint: Toolmint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOTES_PERSON", "planted-token")
    ran = toolmint("auth", "login", NOTES, "--scheme", "person")
    assert ran.err == (
        "toolmint: person: calls use the token in NOTES_PERSON; unset it to sign in.\n"
    )


def test_a_client_that_needs_nobody_is_told_so(
    toolmint: Toolmint, oidc: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOTES_MACHINE_CLIENT_ID", "robot")
    monkeypatch.setenv("NOTES_MACHINE_CLIENT_SECRET", "planted-robot-secret")
    ran = toolmint("auth", "login", NOTES, "--scheme", "machine", "--base-url", oidc.api)
    assert (ran.status, ran.err) == (
        1,
        "toolmint: machine: nobody has to sign in: this client gets its tokens by itself\n",
    )


def test_a_token_that_the_server_does_not_revoke_is_forgotten_all_the_same(
    toolmint: Toolmint,
) -> None:
    with provider(CLIENTS) as mortal:
        assert login(mortal, "ann", "--no-browser")[0] == 0
        mortal.kill()
        words = ("auth", "logout", NOTES, "--base-url", mortal.api)
        ran = toolmint(*words)
        assert (ran.status, ran.out) == (1, "")
        assert ran.err.startswith(
            "toolmint: person: forgotten here, but perhaps not by the server: no answer from 127."
        )
        assert toolmint(*words).out == "person: nobody was signed in\n"


def test_a_token_that_cannot_be_forgotten_is_not_said_to_be(
    toolmint: Toolmint, oidc: Provider, tmp_path: Path
) -> None:
    with redis_server(tmp_path) as url:
        assert login(oidc, "ann", "--no-browser", "--store", url)[0] == 0
    ran = toolmint("auth", "logout", NOTES, "--base-url", oidc.api, "--store", url)
    assert (ran.status, ran.out) == (1, "")
    assert ran.err == "toolmint: person: Redis did not answer (ConnectionError)\n"


def test_the_catalogue_says_which_tools_are_usable(
    toolmint: Toolmint, oidc: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    def usable() -> dict[str, tuple[str, list[str]]]:
        told = json.loads(toolmint("tools", NOTES, "--json").out)
        return {one["name"]: (one["usable"], one["missing"]) for one in told}

    monkeypatch.delenv("NOTES_PERSON_CLIENT_ID")
    every = ["key", "mtls", "machine", "person", "device"]
    assert usable() == {
        "health": ("yes", []),
        "who_am_i": ("no", every),
        "create_note": ("no", ["machine", "person"]),
    }
    monkeypatch.setenv("NOTES_PERSON_CLIENT_ID", "web")
    assert usable() == {
        "health": ("yes", []),
        "who_am_i": ("sign in", []),
        "create_note": ("sign in", []),
    }
    monkeypatch.setenv("NOTES_KEY", "k")
    monkeypatch.setenv("NOTES_MACHINE", "m")
    assert usable()["who_am_i"] == usable()["create_note"] == ("yes", [])
    header, *rows = toolmint("tools", NOTES).out.splitlines()
    assert header.split() == [
        *("tool", "call", "effect", "gate", "auth", "usable", "limit", "tokens"),
    ]
    assert rows[0].split()[5:7] == ["none", "yes"]


def test_the_callback_answers_only_the_sign_in_that_waits(oidc: Provider) -> None:
    command = [sys.executable, "-m", "toolmint", "auth", "login", NOTES, "--no-browser"]
    process = subprocess.Popen(
        [*command, "--base-url", oidc.api],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "NOTES_PERSON_CLIENT_ID": "web"},
    )
    try:
        assert process.stderr
        url = httpx.URL(process.stderr.readline().split()[-1])
        redirect = url.params["redirect_uri"]
        assert httpx.get(redirect, params={"code": "x", "state": "guess"}).status_code == 404
        answer = {"error": "access_denied", "state": url.params["state"], "iss": oidc.issuer}
        httpx.get(redirect, params=answer)
        _, err = process.communicate(timeout=30)
    finally:
        process.kill()
    assert process.returncode == 1
    assert err.startswith("toolmint: person: the sign-in was ")
