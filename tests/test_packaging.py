"""The wheel holds the whole package under one import name, whatever was installed before.

Built after an editable install on purpose: its links under `src/toolmint` must not leak
into a wheel or an sdist, nor hide a new file.
"""

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PARTS = ("generator", "auth", "runtime", "templates")


def build(kind: str, source: Path, to: Path) -> Path:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", to],
        cwd=source,
        check=True,
        capture_output=True,
    )
    return next(to.glob("*.whl" if kind == "wheel" else "*.tar.gz"))


def expected() -> set[str]:
    tracked = [*PARTS, "src/toolmint"]
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *tracked],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.splitlines()
    existing = [name for name in listed if (ROOT / name).is_file()]
    return {f"toolmint/{name.removeprefix('src/toolmint/')}" for name in existing}


def content(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def test_the_wheel_holds_every_file_once_and_nothing_else(tmp_path: Path) -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("needs a git checkout to know which files are the project's")
    assert content(build("wheel", ROOT, tmp_path)) == expected()


def test_a_wheel_built_from_the_sdist_is_the_same(tmp_path: Path) -> None:
    direct = content(build("wheel", ROOT, tmp_path / "direct"))
    sdist = build("sdist", ROOT, tmp_path)
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    source = next((tmp_path / "unpacked").iterdir())
    assert content(build("wheel", source, tmp_path / "again")) == direct
