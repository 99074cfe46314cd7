"""Overlays change a description before it is read, and say where they are wrong."""

from pathlib import Path
from typing import Any

import pytest

from toolmint.generator.errors import InputError
from toolmint.generator.load import load
from toolmint.generator.plain import is_array
from toolmint.generator.reading.library import Library
from toolmint.generator.reading.overlays import overlaid
from toolmint.generator.sources.openapi import LowerOptions, lower

DESCRIPTION = """openapi: 3.1.0
info: {title: T, version: "1"}
servers: [{url: https://a.example}]
tags: [{name: a}, {name: b}]
paths:
  /a:
    get: {operationId: getA, tags: [a], parameters: [{name: x, in: query}, {name: y, in: query}]}
    post: {operationId: postA, x-internal: true}
  /b:
    get: {operationId: getB}
"""
HEAD = "overlay: 1.1.0\ninfo: {title: O, version: 1.0.0}\n"


def changed(folder: Path, *overlays: str) -> Any:
    """The description's data under these overlays."""
    source = folder / "api.yaml"
    source.write_text(DESCRIPTION)
    files: list[str] = []
    for number, text in enumerate(overlays):
        file = folder / f"{number}.overlay.yaml"
        file.write_text(text)
        files.append(str(file))
    document = load(str(source))
    return overlaid(document, files, Library(document).keep)


def at(node: Any, key: str) -> Any:
    """A member; 0 in place of an item that is not there."""
    if not is_array(node):
        return node.get(key)
    return node[int(key)] if int(key) < len(node) else 0


@pytest.mark.parametrize(
    ("action", "pointer", "value"),
    [
        ("target: $.info\n  update: {title: New, x-a: {b: 1}}", "info.title", "New"),
        ("target: $\n  update: {info: {description: d}}", "info.description", "d"),
        ("target: $.tags\n  update: {name: c}", "tags.2", {"name": "c"}),
        ("target: $.paths['/a'].get\n  update: {tags: [z]}", "paths./a.get.tags", ["a", "z"]),
        ("target: $.paths.*.get.operationId\n  update: same", "paths./b.get.operationId", "same"),
        ("target: $.paths['/b'].get\n  copy: $.paths['/a'].get", "paths./b.get.tags", ["a"]),
        ("target: $.paths.*.*[?@.nothing]\n  update: {x: 1}", "info.title", "T"),
        ("target: $.info\n  remove: true\n  update: {title: New}", "info", None),
        ("target: $.paths.*[?@['x-internal']]\n  remove: true", "paths./a.post", None),
        ("target: $.paths['/a'].get.parameters[0]\n  remove: true", "paths./a.get.parameters.1", 0),
        ("target: $.tags[*]\n  remove: true", "tags", []),
        ("target: $.tags[?@.name == 'a']\n  remove: true", "tags.0", {"name": "b"}),
    ],
)
def test_actions(tmp_path: Path, action: str, pointer: str, value: Any) -> None:
    node: Any = changed(tmp_path, f"{HEAD}actions:\n- {action}\n").data
    for key in pointer.split("."):
        node = at(node, key)
    assert node == value


def test_actions_and_overlays_build_on_each_other(tmp_path: Path) -> None:
    first = HEAD + "actions:\n- {target: $.info, update: {x: {y: 1}}}\n"
    second = (
        HEAD
        + "actions:\n- {target: $.info.x, update: {z: 2}}\n- {target: $.info.x.y, remove: true}"
    )
    assert changed(tmp_path, first, second).data["info"]["x"] == {"z": 2}


def test_the_file_on_disk_and_what_was_read_of_it_stay(tmp_path: Path) -> None:
    source = tmp_path / "api.yaml"
    changed(tmp_path, HEAD + "actions:\n- {target: $.paths, remove: true}")
    assert source.read_text() == DESCRIPTION


def test_places_are_those_where_something_was_written(tmp_path: Path) -> None:
    document = changed(
        tmp_path,
        HEAD + "actions:\n- {target: '$.paths[''/a''].get.parameters[0]', remove: true}\n"
        "- {target: '$.paths[''/b''].get', update: {parameters: [{name: z, in: query, schema: 7}]}}\n"
        "- {target: '$.paths[''/a''].get.parameters[0]', update: {schema: 8}}\n",
    )
    library = Library(document)
    library.keep(load(str(tmp_path / "0.overlay.yaml")))
    api = lower(document, LowerOptions(library=library))
    overlay = str(tmp_path / "0.overlay.yaml")
    assert [(loss.location.file, loss.location.pointer) for loss in api.losses] == [
        (overlay, "/actions/2/update/schema"),
        (overlay, "/actions/1/update/parameters/0/schema"),
    ]
    assert api.operations[0].arguments[0].location.pointer == "/paths/~1a/get/parameters/1"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("a: 1", "1: is no overlay: it has no `overlay: 1.1.0`."),
        ("overlay: 2.0.0", "1 #/overlay: overlays of version '2.0.0' are not known; use 1.1.0."),
        (HEAD, "1 #/actions: an overlay needs a list of `actions`."),
        (HEAD + "actions: [7]", "3 #/actions/0: an action is an object with a `target`."),
        (
            HEAD + "actions:\n- {target: $.info, updat: {}}",
            (
                "4 #/actions/0/updat: unknown key 'updat'; there are copy, description, remove, "
                "target, update."
            ),
        ),
        (
            HEAD + "actions:\n- {target: $.info}",
            "4 #/actions/0: an action needs `update`, `copy` or `remove: true`.",
        ),
        (
            HEAD + "actions:\n- {target: $.info, update: 7}",
            "4 #/actions/0/update: the target is an object, so the value must be one.",
        ),
        (
            HEAD + "actions:\n- {target: $.info, copy: '$.paths.*'}",
            "4 #/actions/0/copy: it selects 2 nodes, not one.",
        ),
        (
            HEAD + "actions:\n- {target: $, remove: true}",
            "4 #/actions/0: the whole description cannot be removed.",
        ),
    ],
)
def test_an_error_names_its_place_in_the_overlay(tmp_path: Path, text: str, error: str) -> None:
    with pytest.raises(InputError) as raised:
        changed(tmp_path, text)
    place = f"{tmp_path / '0.overlay.yaml'}"
    assert str(raised.value) == place + ("" if error.startswith(" ") else ":") + error


def test_what_is_no_jsonpath_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError) as raised:
        changed(tmp_path, HEAD + "actions:\n- {target: '$.info[', update: {}}")
    place, _, reason = str(raised.value).partition(" is no JSONPath (RFC 9535): ")
    assert place == f"{tmp_path / '0.overlay.yaml'}:4 #/actions/0/target: '$.info['"
    assert reason.endswith(".")  # in the library's words, which each version has others of
    assert "\n" not in reason


def test_an_overlay_of_another_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other.yaml").write_text("openapi: 3.1.0")
    with pytest.raises(InputError, match=r"3 #/extends: it changes 'other\.yaml', not "):
        changed(tmp_path, HEAD + "extends: other.yaml\nactions: [{target: $, update: {}}]")
    kept = HEAD + "extends: api.yaml\nactions: [{target: $, update: {}}]"
    assert changed(tmp_path, kept).data["info"] == {"title": "T", "version": "1"}
