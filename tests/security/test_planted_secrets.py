"""A secret is planted in every scheme, and looked for wherever somebody could read it."""

import asyncio
import json
import logging
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from traceback import TracebackException
from typing import Any
from urllib.parse import quote, quote_plus, unquote

import pytest

from tests.behaviour.command_line import runner
from tests.behaviour.generated import generated
from tests.behaviour.loopback import Answer, Loopback, Seen, loopback
from tests.services.oidc import Provider, client, provider, sign_in
from tests.services.tls import Files, demanding
from toolmint.auth import (
    AuthorizationCode,
    Certificate,
    Credential,
    OAuthClient,
    Password,
    Secret,
    Target,
    environment_variables,
)
from toolmint.runtime import Audit, ToolError, ToolResult, Toolset

API = """
    servers: [{url: https://api.example/v1}]
    components:
      securitySchemes:
        header: {type: apiKey, in: header, name: X-Key}
        query: {type: apiKey, in: query, name: key}
        cookie: {type: apiKey, in: cookie, name: sid}
        basic: {type: http, scheme: basic}
        bearer: {type: http, scheme: bearer}
        digest: {type: http, scheme: digest}
        custom: {type: http, scheme: Token}
        mtls: {type: mutualTLS}
        machine: {type: oauth2, flows: {clientCredentials: {tokenUrl: /token, scopes: {}}}}
        legacy: {type: oauth2, flows: {password: {tokenUrl: /token, scopes: {}}}}
        person:
          type: oauth2
          flows: {authorizationCode: {authorizationUrl: /auth, tokenUrl: /token, scopes: {read: R}}}
    paths:
""" + "".join(
    f"""
      /{name}:
        get:
          operationId: {name}
          security: [{{{name}: []}}]
          parameters: [{{name: said, in: query, schema: {{type: string}}}}]
          responses: {{'200': {{description: ok}}}}
"""
    for name in (
        *("header", "query", "cookie", "basic", "bearer", "digest", "custom"),
        *("mtls", "machine", "legacy", "person"),
    )
)

ODD = 'planted/{0}+"&=é?~x'  # every spelling of it is another text
PLAIN = "planted-{0}-0123456789"

STATIC = ("header", "query", "cookie", "basic", "bearer", "digest", "custom")


def planted(name: str) -> str:
    """The secret of a scheme; where only ASCII can travel, without the odd character."""
    return ODD.format(name).replace("é", "" if name not in ("query", "basic", "digest") else "é")


def given(name: str) -> Credential:
    secret = planted(name)
    return {"username": "ann", "password": secret} if name in ("basic", "digest") else secret


def spellings(secret: str) -> set[str]:
    """A secret as it is, URL-encoded, in Base64, and inside JSON and Python texts."""
    found = {secret, quote(secret, safe=""), quote(secret), quote_plus(secret)}
    for text in (secret, f"ann:{secret}"):
        data = text.encode()
        for coded in (b64encode(data).decode(), urlsafe_b64encode(data).decode()):
            found |= {coded, coded.rstrip("=")}
    return found | {json.dumps(secret)[1:-1], repr(secret)[1:-1]}


def leaks(text: str, *secrets: str) -> list[str]:
    """The spellings of secrets that stand in a text."""
    return [form for secret in secrets for form in sorted(spellings(secret)) if form in text]


def told(result: ToolResult) -> str:
    """Everything that can be read of a result, the frames of its error included."""
    parts = [repr(result), repr(result.data), repr(result.metadata), result.to_message()]
    if result.error is not None:
        parts += [str(result.error), repr(result.error), repr(result.error.details)]
        parts += [repr(result.error.metadata), *_traceback(result.error)]
    return "\n".join(parts)


def crash(toolset: Any, name: str) -> str:
    """The traceback of a typed call that fails; "" if it does not."""
    try:
        getattr(toolset.default, name)().run()
    except ToolError as error:
        return "\n".join(_traceback(error))
    finally:
        toolset.close()
    return ""


def _traceback(error: BaseException) -> Iterator[str]:
    """As a crash reporter sends it, with every local variable."""
    yield from TracebackException.from_exception(error, capture_locals=True).format()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> type[Toolset]:
    """Generated while the environment holds every secret, as on a developer's machine."""
    folder = tmp_path_factory.mktemp("planted")
    with pytest.MonkeyPatch.context() as patch:
        for name in STATIC:
            patch.setenv(f"PLANTED_{name.upper()}", planted(name))
        return generated(folder, API, package="planted_tools")


@pytest.fixture
def server() -> Iterator[Loopback]:
    """A server that repeats what it was sent in as many spellings as there are."""
    with loopback() as started:
        yield started


def echo(status: int) -> Callable[[Seen], Answer]:
    def answer(seen: Seen) -> Answer:
        if status == 200 and "digest" in seen.target and "authorization" not in seen.headers:
            challenge = 'Digest realm="r", nonce="n", qop="auth", algorithm=SHA-256'
            return Answer.of({}, 401, WWW_Authenticate=challenge)
        texts = [seen.target, unquote(seen.target), *seen.headers.values()]
        words = [word for text in texts for word in (text, *text.split(" "), *text.split("="))]
        coded = [b64encode(word.encode("utf-8", "replace")).decode() for word in words]
        body = {"said": texts, "coded": coded, "quoted": [quote(word) for word in words]}
        return Answer.of(body, status, X_Echo=seen.target)

    return answer


# ── results, errors, tracebacks, logs, audit ────────────────────────────────────────


@pytest.mark.parametrize("status", [200, 400, 401, 503])
@pytest.mark.parametrize("name", STATIC)
def test_a_secret_is_in_nothing_that_a_call_leaves_behind(
    made: type[Toolset],
    server: Loopback,
    caplog: pytest.LogCaptureFixture,
    tmp_path: Path,
    name: str,
    status: int,
) -> None:
    secret = planted(name)
    server.answer = echo(status)
    audit = Audit(tmp_path / "audit.jsonl", arguments=True)
    toolset = made(credentials={name: given(name)}, base_url=server.url, audit=audit, retry=False)

    async def run() -> ToolResult:
        async with toolset:
            return await toolset.call(name, {"said": f"is {secret} secret?"})

    with caplog.at_level(logging.DEBUG):
        result = asyncio.run(run())
        traceback = crash(toolset, name)
    assert server.seen
    assert (result.outcome == "ok") is (status == 200) is (traceback == "")
    audited = (tmp_path / "audit.jsonl").read_text()
    assert f'"tool":"{name}"' in audited
    objects = f"{toolset!r} {vars(toolset)!r} {vars(vars(toolset)['_session'])!r} {list(toolset)!r}"
    for text in (told(result), traceback, caplog.text, audited, objects):
        assert leaks(text, secret) == []
    assert "httpcore" in {record.name.partition(".")[0] for record in caplog.records}


@pytest.mark.parametrize("name", STATIC)
def test_a_secret_is_in_no_error_before_anything_is_sent(made: type[Toolset], name: str) -> None:
    secret = planted(name)
    toolset = made(credentials={name: given(name)})
    cases: list[tuple[str, Mapping[str, Any]]] = [
        (name, {"said": {secret: secret}}),
        (name, {secret: secret}),
        (secret, {}),
    ]
    for tool, arguments in cases:
        result = asyncio.run(toolset.call(tool, arguments))
        assert not result.success
        assert leaks(told(result), secret) == []


# ── dry run, generated code, lock ───────────────────────────────────────────────────


@pytest.mark.parametrize("name", STATIC)
def test_a_dry_run_shows_no_secret(
    made: type[Toolset],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
) -> None:
    names = environment_variables("planted_tools", made.package.schemes)[name]
    values = {"USERNAME": "ann"}
    for variable in names:
        monkeypatch.setenv(variable, values.get(variable.rpartition("_")[2], planted(name)))
    folder = Path(__import__(made.__module__.partition(".")[0]).__file__ or "").parent
    words = ("call", str(folder), name, f"said={planted(name)}", "--dry-run")
    ran = runner(capsys)(*words)
    assert (ran.status, ran.out.splitlines()[0].partition("?")[0]) == (
        0,
        f"GET https://api.example/v1/{name}",
    )
    assert leaks(ran.out + ran.err, planted(name)) == []
    request = made(credentials={name: given(name)}).prepare(name, {"said": planted(name)})
    assert leaks(repr(request) + repr(request.redacted().headers), planted(name)) == []
    assert "***" in repr(request) or request.pending_credentials == (name,)


def test_generated_code_and_lock_hold_no_secret_of_the_environment(made: type[Toolset]) -> None:
    folder = Path(__import__(made.__module__.partition(".")[0]).__file__ or "").parent
    files = [
        path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in str(path)
    ]
    text = "".join(path.read_text("utf-8") for path in files)
    assert (folder / "toolmint.lock") in files
    assert leaks(text, *map(planted, STATIC)) == []
    assert "planted/" not in text


# ── OAuth 2 and mutual TLS ──────────────────────────────────────────────────────────

CLIENTS = [
    client("robot", "client_credentials", client_secret=PLAIN.format("robot")),
    client("old", "password", client_secret=PLAIN.format("old")),
    client("web", "authorization_code", "refresh_token", client_secret=PLAIN.format("web")),
]


@pytest.fixture(scope="module")
def oidc() -> Iterator[Provider]:
    with provider(CLIENTS) as running:
        yield running


def the_client(name: str) -> OAuthClient:
    match name:
        case "machine":
            return OAuthClient("robot", PLAIN.format("robot"))
        case "legacy":
            return OAuthClient("old", PLAIN.format("old"), grant=Password("ann", "password of ann"))
        case _:
            return OAuthClient(
                "web", PLAIN.format("web"), grant=AuthorizationCode(), scopes=["read"]
            )


@pytest.mark.parametrize("name", ["machine", "legacy", "person"])
def test_the_secrets_of_a_token_flow_are_shown_nowhere(
    made: type[Toolset],
    oidc: Provider,
    caplog: pytest.LogCaptureFixture,
    tmp_path: Path,
    name: str,
) -> None:
    """Client secret, password, code, access and refresh tokens: of a good call and a bad one."""
    credential = the_client(name)
    audit = Audit(tmp_path / "audit.jsonl", arguments=True)
    toolset = made(credentials={name: credential}, base_url=oidc.api, audit=audit, retry=False)
    target = Target(f"{oidc.api}/{name}", toolset.package.schemes[name])

    async def run() -> list[ToolResult]:
        async with toolset:
            return [await toolset.call(name), await toolset.call(name)]

    with caplog.at_level(logging.DEBUG):
        if name == "person":
            login = credential.login(target)
            sign_in(login.url, "ann")
            caplog.clear()  # the browser's own requests
            login.wait(20)
        good = asyncio.run(run())
        token = credential.status(target)
        oidc.tell(refuseAll=True)
        bad = asyncio.run(run())
        oidc.tell(refuseAll=False)
    assert [result.outcome for result in good] == ["ok", "ok"]
    assert not any(result.success for result in bad)
    assert token
    tokens = [secret.reveal() for secret in (token.access, token.refresh) if secret]
    known = {"machine": ["robot"], "legacy": ["old"], "person": ["web"]}[name]
    secrets = [*tokens, *(PLAIN.format(one) for one in known), "password of ann"]
    shown = [*map(told, (*good, *bad)), caplog.text, (tmp_path / "audit.jsonl").read_text()]
    shown += [repr(credential), repr(vars(credential)), repr(token), repr(toolset.prepare(name))]
    for text in shown:
        assert leaks(text, *secrets) == []


def test_a_refused_client_secret_is_shown_nowhere(
    made: type[Toolset], oidc: Provider, caplog: pytest.LogCaptureFixture
) -> None:
    secret = PLAIN.format("wrong")
    toolset = made(credentials={"machine": OAuthClient("robot", secret)}, base_url=oidc.api)
    with caplog.at_level(logging.DEBUG):
        result = asyncio.run(toolset.call("machine"))
    assert result.outcome == "denied"
    assert leaks(told(result) + caplog.text, secret) == []


def test_the_password_of_a_key_is_shown_nowhere(
    made: type[Toolset], caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    files = Files(tmp_path)
    files.issue("ann.example")
    with caplog.at_level(logging.DEBUG), demanding(files) as url:
        good: dict[str, Credential] = {"mtls": files.certificate()}
        bad: dict[str, Credential] = {"mtls": files.certificate(PLAIN.format("wrong"))}
        shown = ""
        for credentials, outcome in ((good, "ok"), (bad, "denied")):
            toolset = made(credentials=credentials, base_url=url)
            result = asyncio.run(toolset.call("mtls"))
            assert result.outcome == outcome
            shown += told(result) + repr(credentials) + repr(vars(toolset))
    assert leaks(shown + caplog.text, "key-password", PLAIN.format("wrong")) == []
    assert Secret("x") != Certificate("x")


# ── where a secret never goes ───────────────────────────────────────────────────────


@pytest.mark.parametrize("name", [name for name in STATIC if name != "digest"])
def test_no_secret_goes_to_another_origin(made: type[Toolset], server: Loopback, name: str) -> None:
    with loopback() as other:
        server.answer = lambda _: Answer(302, b"", {"Location": f"{other.url}/landing"})
        toolset = made(credentials={name: given(name)}, base_url=server.url)
        asyncio.run(toolset.call(name))
        (seen,) = other.seen
    sent = f"{seen.target} {dict(seen.headers)}"
    assert leaks(sent, planted(name)) == []
    assert leaks(f"{server.seen[0].target} {dict(server.seen[0].headers)}", planted(name))
