"""`toolmint generate` and `toolmint check`, as a build script meets them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from toolmint.generator.plain import is_array, is_object

from .command_line import PETSTORE, Ran, Toolmint, runner

FILES = 10  # of the petstore's package


@pytest.fixture
def toolmint(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Toolmint:
    """The command line in a fresh folder that holds petstore.yaml."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "petstore.yaml").write_text(PETSTORE)
    return runner(capsys)


def test_a_description_becomes_a_package_beside_it(toolmint: Toolmint, tmp_path: Path) -> None:
    ran = toolmint("generate", "petstore.yaml")
    assert ran == Ran(
        0,
        f"petstore_tools: 3 tools from 3 operations; {FILES} files written\n",
        "petstore_tools: read petstore.yaml\n"
        "petstore_tools: lower petstore.yaml\n"
        "petstore_tools: shape petstore.yaml\n"
        "petstore_tools: print petstore.yaml\n"
        "petstore_tools: write petstore_tools\n",
    )
    assert {"__init__.py", "toolset.py", "pets.py", "toolmint.lock", "py.typed"} <= {
        entry.name for entry in (tmp_path / "petstore_tools").iterdir()
    }
    assert str(tmp_path) not in (tmp_path / "petstore_tools" / "toolmint.lock").read_text()


def test_generating_again_writes_nothing(toolmint: Toolmint, tmp_path: Path) -> None:
    toolmint("generate", "petstore.yaml")
    lock = tmp_path / "petstore_tools" / "toolmint.lock"
    os.utime(lock, ns=(1, 1))
    ran = toolmint("generate", "petstore.yaml")
    assert (ran.status, ran.out) == (
        0,
        "petstore_tools: 3 tools from 3 operations; up to date\n",
    )
    assert lock.stat().st_mtime_ns == 1


def test_an_address_that_is_none_is_refused_in_a_line(toolmint: Toolmint, tmp_path: Path) -> None:
    for address in ("notaurl", "/v1", "ftp://host/x", "https://", "https://host:x/", "http://a b"):
        ran = toolmint("generate", "petstore.yaml", "--document-url", address)
        assert (ran.status, ran.out) == (2, "")
        assert f"--document-url is {address!r}, which is no web address; write it whole" in ran.err
        assert "Traceback" not in ran.err
    (tmp_path / "toolmint.toml").write_text(
        "[[package]]\nsource = 'petstore.yaml'\ndocument_url = 'notaurl'\n"
    )
    ran = toolmint("generate")
    assert ran.status == 2
    assert "toolmint.toml" in ran.err
    assert "document_url is 'notaurl', which is no web address" in ran.err


def test_a_hand_edit_that_is_overwritten_by_force_is_named(
    toolmint: Toolmint, tmp_path: Path
) -> None:
    toolmint("generate", "petstore.yaml")
    (tmp_path / "petstore_tools" / "pets.py").write_text("mine\n")
    ran = toolmint("generate", "petstore.yaml", "--force", "--json")
    assert ran.status == 0
    assert json.loads(ran.out)["overwritten"] == ["pets.py"]
    assert "overwritten: petstore_tools/pets.py\n" in ran.err


def test_the_report_is_json_on_request(toolmint: Toolmint) -> None:
    ran = toolmint("generate", "petstore.yaml", "-o", "out/pets", "--json")
    report = json.loads(ran.out)
    assert report.pop("seconds") > 0
    assert report == {
        "package": "pets",
        "operations": 3,
        "tools": 3,
        "lossy": [],
        "left_out": [],
        "trimmed": [],
        "files": FILES,
    }


def test_the_same_bytes_come_from_another_folder(
    toolmint: Toolmint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    toolmint("generate", "petstore.yaml")
    elsewhere = tmp_path / "deep" / "elsewhere"
    elsewhere.mkdir(parents=True)
    monkeypatch.chdir(elsewhere)
    toolmint("generate", str(tmp_path / "petstore.yaml"), "-o", "petstore_tools")
    assert _files(elsewhere / "petstore_tools") == _files(tmp_path / "petstore_tools")


def test_include_and_exclude_choose_operations(toolmint: Toolmint) -> None:
    ran = toolmint("generate", "petstore.yaml", "--include", "GET /pets", "--json")
    assert json.loads(ran.out)["tools"] == 1
    ran = toolmint("generate", "petstore.yaml", "--exclude", "deletePet", "--json")
    assert json.loads(ran.out)["tools"] == 2


def test_every_package_of_the_settings_file_is_made(toolmint: Toolmint, tmp_path: Path) -> None:
    _two_packages(tmp_path)
    ran = toolmint("generate")
    assert (ran.status, ran.out) == (
        0,
        (
            f"src/first_tools: 3 tools from 3 operations; {FILES} files written\n"
            f"second_tools: 1 tool from 3 operations; {FILES} files written\n"
        ),
    )
    assert toolmint("check").out == (
        "src/first_tools: 3 tools, no drift\nsecond_tools: 1 tool, no drift\n"
    )


def test_settings_are_found_from_a_folder_below(
    toolmint: Toolmint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _two_packages(tmp_path)
    below = tmp_path / "src" / "below"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    ran = toolmint("generate", "--jobs", "1", "-o", "../first_tools")
    assert ran.status == 0, ran.err
    assert (tmp_path / "src" / "first_tools" / "pets.py").is_file()
    assert not (tmp_path / "second_tools").exists()


def test_pyproject_settings_work_too(toolmint: Toolmint, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[[tool.toolmint.package]]\nsource = "petstore.yaml"\noutput = "pets"\n'
    )
    assert toolmint("generate").out.startswith("pets: 3 tools")


def test_a_hand_edit_is_named_and_kept(toolmint: Toolmint, tmp_path: Path) -> None:
    toolmint("generate", "petstore.yaml")
    edited = tmp_path / "petstore_tools" / "pets.py"
    edited.write_text("mine\n")
    ran = toolmint("generate", "petstore.yaml")
    assert (ran.status, ran.out, ran.err.splitlines()[-2:]) == (
        1,
        "petstore_tools: 3 tools from 3 operations; not written\n",
        [
            (
                "petstore_tools/pets.py: edited by hand since it was generated; "
                "nothing was written. Use --force to overwrite."
            ),
            "toolmint: 1 of 1 package not written.",
        ],
    )
    assert edited.read_text() == "mine\n"
    assert toolmint("generate", "petstore.yaml", "--force").status == 0
    assert edited.read_text() != "mine\n"


def test_check_is_quiet_when_nothing_differs(toolmint: Toolmint) -> None:
    toolmint("generate", "petstore.yaml")
    ran = toolmint("check", "petstore.yaml")
    assert (ran.status, ran.out) == (0, "petstore_tools: 3 tools, no drift\n")


def test_check_names_what_differs_and_writes_nothing(toolmint: Toolmint, tmp_path: Path) -> None:
    toolmint("generate", "petstore.yaml")
    before = _files(tmp_path / "petstore_tools")
    (tmp_path / "petstore.yaml").write_text(PETSTORE.replace("Create a pet.", "Make a pet."))
    ran = toolmint("check", "petstore.yaml")
    assert (ran.status, ran.out, ran.err.splitlines()[-1]) == (
        1,
        (
            "petstore_tools: 4 files differ\n"
            "  README.md: would be written differently\n"
            "  pets.py: would be written differently\n"
            "  schemas/pets.json: would be written differently\n"
            "  toolmint.lock: would be written differently\n"
        ),
        "toolmint: run toolmint generate, look at the diff, and commit it.",
    )
    assert _files(tmp_path / "petstore_tools") == before
    drift = json.loads(toolmint("check", "petstore.yaml", "--json").out)["drift"]
    assert drift[1] == {"path": "pets.py", "kind": "changed"}


def test_the_order_of_keys_drifts_only_in_the_digest(toolmint: Toolmint, tmp_path: Path) -> None:
    toolmint("generate", "petstore.yaml")
    import yaml

    shuffled = json.dumps(_reversed(yaml.safe_load(PETSTORE)))
    (tmp_path / "petstore.yaml").write_text(shuffled)
    drift = json.loads(toolmint("check", "petstore.yaml", "--json").out)["drift"]
    assert drift == [{"path": "toolmint.lock", "kind": "changed"}]


def test_strict_makes_a_loss_a_failure(toolmint: Toolmint, tmp_path: Path) -> None:
    broken = PETSTORE.replace(
        '$ref: "#/components/schemas/Pet"', '$ref: "#/components/schemas/Cat"'
    )
    (tmp_path / "broken.yaml").write_text(broken)
    ran = toolmint("generate", "broken.yaml", "--strict")
    assert ran.status == 1
    assert ran.out.endswith("; not written\n")
    assert "broken_tools: something was lost, and --strict forbids that." in ran.err
    assert "broken.yaml:" in ran.err
    assert not (tmp_path / "broken_tools").exists()
    assert toolmint("generate", "broken.yaml").status == 0


def test_a_formatter_of_the_team_runs_before_hashing(toolmint: Toolmint, tmp_path: Path) -> None:
    script = tmp_path / "style.py"
    script.write_text(
        "import pathlib, sys\n"
        "for path in pathlib.Path(sys.argv[1]).rglob('*.py'):\n"
        "    path.write_text('# our style\\n' + path.read_text())\n"
    )
    (tmp_path / "toolmint.toml").write_text(
        '[[package]]\nsource = "petstore.yaml"\noutput = "pets"\n'
        f'format = "{Path(sys.executable).as_posix()} {script.as_posix()}"\n'
    )
    assert toolmint("generate").status == 0
    assert (tmp_path / "pets" / "pets.py").read_text().startswith("# our style\n")
    assert toolmint("check").status == 0


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("nothing.yaml", None, "toolmint: nothing.yaml: there is no such file. Check the path."),
        ("broken.json", '{"openapi": ', "toolmint: broken.json:1: is not JSON"),
        ("broken.yaml", "openapi: [\n", "toolmint: broken.yaml:"),
        ("list.json", "[]", "toolmint: list.json:1: holds an array"),
        ("other.json", '{"hello": 1}', "toolmint: other.json"),
    ],
)
def test_unreadable_input_is_one_line(
    toolmint: Toolmint, tmp_path: Path, name: str, text: str | None, message: str
) -> None:
    if text is not None:
        (tmp_path / name).write_text(text)
    ran = toolmint("generate", name)
    told = ran.err.splitlines()[-1]
    assert (ran.status, ran.out) == (2, "")
    assert told.startswith(message)
    assert "fault" not in told
    assert "Traceback" not in ran.err


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("[[package]\n", "toolmint: toolmint.toml: not valid TOML: "),
        ("", "toolmint: toolmint.toml: no [[package]] table"),
        ("[[package]]\n", "toolmint: toolmint.toml #/package/0: a package has no source"),
        ('[[package]]\nsource = "petstore.yaml"\nincldue = []\n', "toolmint: toolmint.toml"),
        (
            'top = 1\n[[package]]\nsource = "petstore.yaml"\n',
            "toolmint: toolmint.toml: unknown key top",
        ),
    ],
)
def test_a_wrong_setting_is_one_line(
    toolmint: Toolmint, tmp_path: Path, settings: str, message: str
) -> None:
    (tmp_path / "toolmint.toml").write_text(settings)
    ran = toolmint("generate")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(message)
    assert ran.err.count("\n") == 1
    if "incldue" in settings:
        assert "include" in ran.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "toolmint: nothing to compile: give SOURCE, or write a toolmint.toml"),
        (("petstore.yaml", "--packge", "x"), "toolmint: No such option"),
        (("petstore.yaml", "-o", "my-tools"), "toolmint: 'my-tools' cannot be imported"),
        (("petstore.yaml", "-o", "petstore.yaml/tools"), "toolmint: petstore.yaml"),
        (
            ("https://petstore.example/x.yaml", "--offline"),
            "toolmint: https://petstore.example/x.yaml",
        ),
    ],
)
def test_wrong_usage_is_one_line(toolmint: Toolmint, words: tuple[str, ...], message: str) -> None:
    ran = toolmint("generate", *words)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.splitlines()[-1].startswith(message)


def test_the_installed_command_says_its_version() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "toolmint", "--version"], capture_output=True, text=True, check=True
    )
    assert ran.stdout.startswith("toolmint ")


def test_help_imports_no_command() -> None:
    code = (
        "import sys; from toolmint.generator.cli import run; run(['--help']);"
        "print(sorted(name for name in sys.modules if name.startswith('toolmint.generator')))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == str(
        [
            "toolmint.generator",
            "toolmint.generator.cli",
            "toolmint.generator.cli.ending",
            "toolmint.generator.cli.main",
        ]
    )


def _two_packages(folder: Path) -> None:
    (folder / "toolmint.toml").write_text(
        '[[package]]\nsource = "petstore.yaml"\noutput = "src/first_tools"\n'
        '[[package]]\nsource = "petstore.yaml"\noutput = "second_tools"\ninclude = ["GET /**"]\n'
    )


def _files(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in folder.rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }


def _reversed(value: object) -> object:
    if is_object(value):
        return {key: _reversed(value[key]) for key in reversed(list(value))}
    return [_reversed(one) for one in value] if is_array(value) else value


def test_a_setting_chooses_among_several_media_types_of_a_body(
    toolmint: Toolmint, tmp_path: Path
) -> None:
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Notes", "version": "1"},
        "servers": [{"url": "https://notes.example"}],
        "paths": {
            "/notes": {
                "post": {
                    "operationId": "addNote",
                    "requestBody": {
                        "required": True,
                        "content": {
                            "application/json": {"schema": {"type": "string"}},
                            "text/plain": {"schema": {"type": "string"}},
                        },
                    },
                    "responses": {"204": {"description": "done"}},
                }
            }
        },
    }
    (tmp_path / "notes.json").write_text(json.dumps(document))
    (tmp_path / "toolmint.toml").write_text(
        '[[package]]\nsource = "notes.json"\n[package.tools.addNote]\nmedia_type = "text/plain"\n'
    )
    assert toolmint("generate").status == 0
    assert "body=Text(required=True)" in (tmp_path / "notes_tools/default.py").read_text()
