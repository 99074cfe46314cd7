"""The lock is readable line by line, says the same everywhere, and names nothing outside."""

import json
from dataclasses import replace

import pytest

from toolmint.generator.lock import Known, LockError, Manifest, hash_text, is_inside, read, render

MANIFEST = Manifest(
    version="0.1.0",
    compatibility=1,
    source="petstore.yaml",
    digest="ab12",
    settings={"include": ["tag:pets"]},
    operations=3,
    files={"pets.py": "class Pets: ...\n", "__init__.py": ""},
    tools={"list_pets": {"operation": "GET /pets"}, "add_pet": {"operation": "POST /pets"}},
    lists={
        "lossy": [{"operation": "GET /pets", "pointer": "/paths/~1pets", "what": "a “pattern”"}],
        "left_out": [],
    },
)

EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
PETS = hash_text("class Pets: ...\n")

TEXT = f"""{{
  "toolmint": "0.1.0",
  "compatibility": 1,
  "source": {{"name": "petstore.yaml", "digest": "ab12"}},
  "settings": {{
    "include": ["tag:pets"]
  }},
  "operations": 3,
  "files": {{
    "__init__.py": "{EMPTY}",
    "pets.py": "{PETS}"
  }},
  "tools": {{
    "add_pet": {{"operation": "POST /pets"}},
    "list_pets": {{"operation": "GET /pets"}}
  }},
  "lossy": [
    {{"operation": "GET /pets", "pointer": "/paths/~1pets", "what": "a “pattern”"}}
  ],
  "left_out": []
}}
"""


def test_it_is_json_with_a_line_for_each_file_tool_and_loss() -> None:
    assert render(MANIFEST) == TEXT
    assert json.loads(TEXT)["tools"]["add_pet"] == {"operation": "POST /pets"}


def test_reading_gives_what_was_written() -> None:
    assert read(TEXT) == Known(
        version="0.1.0",
        digest="ab12",
        files={"__init__.py": frozenset([EMPTY]), "pets.py": frozenset([PETS])},
    )


def test_line_ends_of_a_checkout_do_not_count() -> None:
    assert hash_text("a\r\nb\r\n") == hash_text("a\nb\n")
    assert read(TEXT.replace("\n", "\r\n")) == read(TEXT)


def test_what_is_invisible_or_turns_text_around_is_escaped() -> None:
    what = "a\u202eb\u2028c\u200bd\ufeffe"
    entry = {"operation": what, "pointer": "/é", "what": "“quoted”"}
    text = render(replace(MANIFEST, lists={"lossy": [entry]}))
    assert r'"a\u202eb\u2028c\u200bd\ufeffe", "pointer": "/é", "what": "“quoted”"' in text
    assert text.replace("\n", "").isprintable()
    assert json.loads(text)["lossy"] == [entry]


def test_a_lone_surrogate_is_escaped_instead_of_breaking_the_file() -> None:
    text = render(replace(MANIFEST, source="\ud800.yaml"))
    assert '"name": "\\ud800.yaml"' in text
    assert json.loads(text)["source"]["name"] == "\ud800.yaml"


def test_merge_markers_leave_both_sides_known() -> None:
    mine, theirs = "1" * 64, "2" * 64
    merged = TEXT.replace(
        f'    "pets.py": "{PETS}"\n',
        f'<<<<<<< ours\n    "pets.py": "{mine}"\n=======\n    "pets.py": "{theirs}"\n>>>>>>> theirs\n',
    )
    assert read(merged) == Known(
        version=None,
        digest=None,
        files={"__init__.py": frozenset([EMPTY]), "pets.py": frozenset([mine, theirs])},
        merged=True,
    )


@pytest.mark.parametrize("text", ["", "{}", "[]", "not json", '{"toolmint": "1", "source": 3}'])
def test_what_is_no_lock_is_refused(text: str) -> None:
    with pytest.raises(LockError, match="it is not the JSON that toolmint writes"):
        read(text)


@pytest.mark.parametrize("path", ["../other.py", "/etc/passwd", "a/../../b", "C:/x", "a\\b", ""])
def test_a_lock_never_names_a_file_outside_its_package(path: str) -> None:
    assert not is_inside(path)
    with pytest.raises(LockError, match="it names a file outside the package"):
        read(TEXT.replace('"pets.py"', json.dumps(path)))
