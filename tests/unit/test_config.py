"""Which packages a command line means, from the settings file, the options, or both."""

from pathlib import Path

import pytest

from toolmint.generator.config import (
    Config,
    Options,
    configurations,
    default_output,
    find,
    source_label,
)
from toolmint.generator.errors import InputError

TWO = """\
[[package]]
source = "specs/one.yaml"
output = "src/one_tools"
include = ["tag:a"]

[[package]]
source = "https://api.example/two.json"
output = "two_tools"
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def places(*configs: Config) -> list[tuple[str, str]]:
    """Source and output of each."""
    return [(config.source, config.output) for config in configs]


def test_without_options_every_package_is_meant(folder: Path) -> None:
    (folder / "toolmint.toml").write_text(TWO)
    assert places(*configurations(Options())) == [
        ("specs/one.yaml", "src/one_tools"),
        ("https://api.example/two.json", "two_tools"),
    ]


def test_paths_are_told_from_the_current_directory(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "toolmint.toml").write_text(TWO)
    (folder / "src").mkdir()
    monkeypatch.chdir(folder / "src")
    assert places(*configurations(Options(output="one_tools"))) == [
        ("../specs/one.yaml", "one_tools")
    ]


def test_source_and_output_choose_a_package_and_keep_its_settings(folder: Path) -> None:
    (folder / "toolmint.toml").write_text(TWO)
    for options in (Options(source="specs/one.yaml"), Options(output="./src/one_tools")):
        [config] = configurations(options)
        assert config.settings.include == ("tag:a",)


def test_options_override_the_file(folder: Path) -> None:
    (folder / "toolmint.toml").write_text(TWO)
    [config] = configurations(
        Options(
            source="specs/one.yaml",
            package="acme.one_tools",
            document_url="https://one.example/openapi.yaml",
            include=("GET /**",),
            offline=True,
        )
    )
    assert (config.name, config.document_url, config.settings.include, config.offline) == (
        "acme.one_tools",
        "https://one.example/openapi.yaml",
        ("GET /**",),
        True,
    )


def test_another_source_is_a_package_of_its_own(folder: Path) -> None:
    (folder / "toolmint.toml").write_text(TWO)
    [config] = configurations(Options(source="three.yaml"))
    assert (config.source, config.output, config.settings.include) == (
        "three.yaml",
        "three_tools",
        (),
    )


def test_toolmint_toml_goes_before_pyproject(folder: Path) -> None:
    (folder / "pyproject.toml").write_text('[tool.toolmint]\npackage = [{source = "a.yaml"}]\n')
    assert places(*configurations(Options())) == [("a.yaml", "a_tools")]
    (folder / "toolmint.toml").write_text('[[package]]\nsource = "b.yaml"\n')
    assert places(*configurations(Options())) == [("b.yaml", "b_tools")]


def test_a_pyproject_without_our_table_is_passed_by(folder: Path) -> None:
    (folder / "toolmint.toml").write_text(TWO)
    below = folder / "below"
    below.mkdir()
    (below / "pyproject.toml").write_text('[project]\nname = "below"\n')
    project = find(below)
    assert project is not None
    assert project.file == folder / "toolmint.toml"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            Options(output="nowhere"),
            "toolmint.toml: no package has output nowhere; give its SOURCE too.",
        ),
        (
            Options(package="x"),
            "--package and --document-url are for one package; choose it with -o DIR.",
        ),
    ],
)
def test_what_means_no_one_package_is_refused(folder: Path, options: Options, message: str) -> None:
    (folder / "toolmint.toml").write_text(TWO)
    with pytest.raises(InputError) as refused:
        configurations(options)
    assert str(refused.value) == message


def test_two_packages_do_not_share_a_folder(folder: Path) -> None:
    (folder / "toolmint.toml").write_text(TWO.replace("two_tools", "./src/one_tools"))
    with pytest.raises(InputError) as refused:
        configurations(Options())
    assert str(refused.value) == (
        "toolmint.toml #/package/1: src/one_tools is another package's output too; "
        "give each its own."
    )


@pytest.mark.parametrize(
    ("source", "label", "output"),
    [
        ("petstore.yaml", "petstore.yaml", "petstore_tools"),
        ("/home/me/specs/pet-store.v2.json", "pet-store.v2.json", "pet_store_tools"),
        ("..\\specs\\Pets.json", "Pets.json", "pets_tools"),
        ("2fa.yaml", "2fa.yaml", "_2fa_tools"),
        ("日本.yaml", "日本.yaml", "日本_tools"),
        ("...", "...", "api_tools"),
        (
            "https://me:secret@api.example/v1/api.json?token=secret#x",
            "https://api.example/v1/api.json",
            "api_tools",
        ),
        ("https://api.example/", "https://api.example/", "api_tools"),
    ],
)
def test_a_source_has_a_label_and_a_folder_without_secrets(
    source: str, label: str, output: str
) -> None:
    assert source_label(source) == label
    assert default_output(source) == output


@pytest.mark.parametrize("name", ["my-tools", "class", "2fa", "a..b", ""])
def test_a_name_that_cannot_be_imported_is_refused(name: str) -> None:
    config = Config(source="a.yaml", output=f"some/{name}" if name else "/", package=name)
    with pytest.raises(InputError, match="cannot be imported"):
        _ = config.name


def test_the_file_names_the_package_and_the_documents_address(tmp_path: Path) -> None:
    (tmp_path / "toolmint.toml").write_text(
        "[[package]]\n"
        'source = "api.json"\noutput = "src/api"\npackage = "acme.api"\n'
        'document_url = "https://api.example/v1/openapi.json"\n'
    )
    (config,) = configurations(Options(), tmp_path)
    assert config.name == "acme.api"
    assert config.document_url == "https://api.example/v1/openapi.json"
