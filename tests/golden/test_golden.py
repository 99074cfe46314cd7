"""A project gives the committed bytes: on every machine, from every order of keys."""

import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from toolmint.generator import check, compile
from toolmint.generator.load import load
from toolmint.generator.plain import is_array, is_object

from .projects import GRAPHQL, OPENAPI, PROJECTS, Project, compiled

LOCK = "toolmint.lock"


def named(project: Project) -> str:
    return project.name


def committed(project: Project) -> dict[str, str]:
    files = (path for path in project.package.rglob("*") if path.is_file())
    return {
        path.relative_to(project.package).as_posix(): path.read_bytes().decode("utf-8")
        for path in files
        if "__pycache__" not in path.parts
    }


def test_there_are_projects_enough() -> None:
    assert len(PROJECTS) >= 10


@pytest.mark.parametrize("project", PROJECTS, ids=named)
def test_a_project_gives_its_committed_package(project: Project) -> None:
    assert compiled(project).files == committed(project)


@pytest.mark.parametrize("project", PROJECTS, ids=named)
def test_check_finds_nothing(project: Project) -> None:
    assert list(check(compiled(project), project.config.output)) == []


def shuffled(value: Any, chance: random.Random) -> Any:
    """The same JSON value with the keys of every object in another order."""
    if is_object(value):
        keys = list(value)
        chance.shuffle(keys)
        return {key: shuffled(value[key], chance) for key in keys}
    if is_array(value):
        return [shuffled(one, chance) for one in value]
    return value


@pytest.mark.parametrize("project", OPENAPI, ids=named)
@pytest.mark.parametrize("seed", [1, 2])
def test_the_order_of_keys_changes_nothing_but_the_digest(
    project: Project, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = shuffled(load(project.config.source).data, random.Random(seed))
    folder = tmp_path / project.name
    folder.mkdir()
    (folder / "toolmint.toml").write_text((project.folder / "toolmint.toml").read_text())
    (folder / "description.yaml").write_text(json.dumps(data))  # JSON is YAML
    again = dict(compile(Project(folder).config).files)
    before = dict(compiled(project).files)
    assert without_digest(again.pop(LOCK)) == without_digest(before.pop(LOCK))
    assert again == before


@pytest.mark.parametrize("project", GRAPHQL, ids=named)
@pytest.mark.parametrize("seed", [1, 2])
def test_the_order_of_types_changes_nothing_but_the_digest(
    project: Project, seed: int, tmp_path: Path
) -> None:
    folder = tmp_path / project.name
    shutil.copytree(project.folder, folder)
    definitions = (project.folder / "schema.graphql").read_text("utf-8").strip().split("\n")
    random.Random(seed).shuffle(definitions)
    (folder / "schema.graphql").write_text("\n".join(definitions), "utf-8")
    again = dict(compile(Project(folder).config).files)
    before = dict(compiled(project).files)
    assert without_digest(again.pop(LOCK)) == without_digest(before.pop(LOCK))
    assert again == before


def without_digest(lock: str) -> list[str]:
    lines = lock.splitlines()
    kept = [line for line in lines if '"digest"' not in line]
    assert len(kept) == len(lines) - 1
    return kept


DIGESTS = """
import hashlib, json
from tests.golden.projects import PROJECTS, compiled
print(hashlib.sha256(json.dumps({p.name: compiled(p).files for p in PROJECTS}).encode()).hexdigest())
"""


def test_the_bytes_do_not_depend_on_the_hash_seed() -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", DIGESTS],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[2],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("0", "4711")
    }
    assert len(outputs) == 1
