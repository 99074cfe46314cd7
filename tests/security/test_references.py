"""What a description names is not read unless the user allows it, whatever it is called."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from toolmint.auth import hosts
from toolmint.generator import Config, compile
from toolmint.generator.config import Options, configurations
from toolmint.generator.output import Files, check, write
from toolmint.generator.settings.policy import PackageSettings

from ..behaviour.loopback import Answer, Loopback, loopback

HEAD = 'openapi: 3.1.0\ninfo: {title: T, version: "1"}\nservers: [{url: https://a.example}]\n'
ALLOWED = PackageSettings(allow_remote_refs=True)


@pytest.fixture
def server() -> Iterator[Loopback]:
    with loopback() as running:
        running.answer = lambda _: Answer.of({"A": {"type": "string"}})
        yield running


def referring(folder: Path, reference: str) -> Path:
    """A description whose one parameter has the schema that is referred to."""
    path = folder / "api.yaml"
    schema = "{$ref: '" + reference + "'}"
    path.write_text(
        f"{HEAD}paths: {{/a: {{get: {{parameters: [{{name: x, in: query, schema: {schema}}}]}}}}}}"
    )
    return path


def compiled(path: Path, settings: PackageSettings | None = None) -> Files:
    output = str(path.parent / "a_tools")
    return compile(Config(source=str(path), output=output, settings=settings or PackageSettings()))


def losses(files: Files) -> list[str]:
    return [loss.what for loss in files.report.lossy]


def test_an_address_is_not_asked_without_permission(tmp_path: Path, server: Loopback) -> None:
    files = compiled(referring(tmp_path, f"{server.url}/x.json#/A"))
    assert losses(files) == [
        (
            f"'{server.url}/x.json' is on the network and is not read; --allow-remote-refs allows "
            "that; any value is taken"
        )
    ]
    assert server.connections == 0


def test_a_private_address_is_never_asked(tmp_path: Path, server: Loopback) -> None:
    files = compiled(referring(tmp_path, f"{server.url}/x.json#/A"), ALLOWED)
    assert losses(files) == [
        (
            f"{server.url}/x.json: is not read: 127.0.0.1 is at the private address 127.0.0.1; "
            "any value is taken"
        )
    ]
    assert server.connections == 0


@pytest.mark.parametrize(
    ("reference", "why"),
    [
        ("http://[bad/x.json#/A", "'http://[bad/x.json' is no address"),
        ("//[bad#/A", "'//[bad' is no address"),
        ("http://user:word@a.example:99999/x#/A", "'http://a.example:99999/x' is no web address"),
        (f"{'x' * 300}.yaml#/A", f"there is no file '{'x' * 300}.yaml'"),
    ],
)
def test_what_is_no_address_and_no_file_costs_only_what_it_stands_for(
    tmp_path: Path, reference: str, why: str
) -> None:
    files = compiled(referring(tmp_path, reference), ALLOWED)
    assert losses(files) == [f"{why}; any value is taken"]


def test_a_redirect_to_no_address_is_told(
    tmp_path: Path, server: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    def all_public(number: str, private: bool) -> bool:
        return True

    monkeypatch.setattr(hosts, "allowed", all_public)
    server.answer = lambda _: Answer(302, b"", {"Location": "http://[bad"})
    files = compiled(referring(tmp_path, f"{server.url}/x.json#/A"), ALLOWED)
    assert losses(files) == [
        (
            f"{server.url}/x.json: redirects to 'http://[bad', which is no web address; "
            "any value is taken"
        )
    ]


def test_a_public_address_does_not_lead_to_a_private_one(
    tmp_path: Path, server: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first server is taken for a public one; where it redirects to is not."""
    asked = hosts.allowed

    def first_is_public(number: str, private: bool) -> bool:
        return number == "127.0.0.1" or asked(number, private)

    monkeypatch.setattr(hosts, "allowed", first_is_public)
    target = server.url.replace("127.0.0.1", "[::1]")
    server.answer = lambda _: Answer(302, b"", {"Location": f"{target}/secret"})
    files = compiled(referring(tmp_path, f"{server.url}/x.json#/A"), ALLOWED)
    assert losses(files) == [
        f"{server.url}/x.json: is not read: ::1 is at the private address ::1; any value is taken"
    ]
    assert [seen.target for seen in server.seen] == ["/x.json"]


def test_an_allowed_address_is_read_once_and_pinned(
    tmp_path: Path, server: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    def all_public(number: str, private: bool) -> bool:
        return True

    monkeypatch.setattr(hosts, "allowed", all_public)
    files = compiled(referring(tmp_path, f"{server.url}/x.json#/A"), ALLOWED)
    assert losses(files) == []
    assert [seen.target for seen in server.seen] == ["/x.json"]
    lock = json.loads(files.files["toolmint.lock"])
    assert list(lock["source"]["files"]) == [f"{server.url}/x.json"]
    assert lock["settings"]["allow_remote_refs"] is True


def test_the_lock_holds_every_file_that_was_read(tmp_path: Path) -> None:
    referring(tmp_path, "parts/a.yaml#/A")
    (tmp_path / "parts").mkdir()
    part = tmp_path / "parts/a.yaml"
    part.write_text("A: {type: string}\nunused: 1\n")
    overlay = tmp_path / "a.overlay.yaml"
    overlay.write_text(
        "overlay: 1.1.0\ninfo: {title: O, version: '1'}\n"
        "actions: [{target: $.info, update: {title: Overlaid}}]"
    )
    (tmp_path / "toolmint.toml").write_text(
        '[[package]]\nsource = "api.yaml"\noutput = "a_tools"\noverlays = ["a.overlay.yaml"]\n'
    )
    (config,) = configurations(Options(), start=tmp_path)
    files = compile(config)
    write(files, config.output)
    lock = json.loads(files.files["toolmint.lock"])
    assert sorted(lock["source"]["files"]) == ["a.overlay.yaml", "parts/a.yaml"]
    assert str(tmp_path) not in files.files["toolmint.lock"]
    assert "Overlaid" in files.files["README.md"]
    assert check(compile(config), config.output) == ()
    part.write_text("A: {type: string}\nunused: 2\n")
    assert [drift.path for drift in check(compile(config), config.output)] == ["toolmint.lock"]


def test_a_loss_in_another_file_names_it_from_the_description(tmp_path: Path) -> None:
    path = referring(tmp_path, "parts/a.yaml#/A")
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts/a.yaml").write_text("A: {$ref: '../../b.yaml'}\n")
    lock = json.loads(compiled(path).files["toolmint.lock"])
    assert lock["lossy"] == [
        {
            "operation": "GET /a",
            "file": "parts/a.yaml",
            "pointer": "/A",
            "what": "'../../b.yaml' is outside of the description's folder and is not read; "
            "--reference-folder allows another; any value is taken",
        }
    ]
