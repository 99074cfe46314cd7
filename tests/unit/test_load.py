"""Reading descriptions: what is read, and the one line that says why something is not."""

import json
import sys
from pathlib import Path

import pytest

from toolmint.generator.description import place_teller
from toolmint.generator.errors import InputError
from toolmint.generator.load import load, parse
from toolmint.generator.model.nodes import Location


def failure(content: bytes, file: str = "api.json") -> str:
    with pytest.raises(InputError) as caught:
        parse(content, file=file)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_json_and_yaml_give_the_same_data() -> None:
    as_json = parse(b'{"openapi": "3.1.0", "paths": {"/a": {"get": {}}}}', file="a.json")
    as_yaml = parse(b"openapi: 3.1.0\npaths: {/a: {get: {}}}\n", file="a.yaml")
    assert as_json.data == as_yaml.data == {"openapi": "3.1.0", "paths": {"/a": {"get": {}}}}


def test_a_file_is_named_as_the_user_named_it(tmp_path: Path) -> None:
    path = tmp_path / "api.json"
    path.write_text('{"openapi": "3.1.0"}')
    document = load(str(path), address="https://api.example/spec.json")
    assert (document.file, document.address) == (str(path), "https://api.example/spec.json")


def test_the_digest_does_not_depend_on_line_ends() -> None:
    unix = parse(b"a: 1\nb: 2\n", file="a.yaml")
    windows = parse(b"a: 1\r\nb: 2\r\n", file="a.yaml")
    assert unix.digest == windows.digest


@pytest.mark.parametrize(
    "content",
    [
        b'\xef\xbb\xbf{"a": "\xc3\xa9"}',
        '{"a": "é"}'.encode("utf-16"),
        b'  \n{"a": "\\u00e9"}',
        b'{a: "\xc3\xa9"}',
    ],
    ids=["a byte order mark", "UTF-16", "leading space", "YAML's flow style"],
)
def test_encodings_and_styles_that_people_save(content: bytes) -> None:
    assert parse(content, file="api").data == {"a": "é"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "api.json: is empty. Name the file that holds the description."),
        (b" \n\t", "api.json: is empty. Name the file that holds the description."),
        (
            b'{"a":\n "\xff"}',
            "api.json:2: is not UTF-8 (byte 0xff at offset 8). Save it as UTF-8.",
        ),
        (
            b"[1, 2]",
            (
                "api.json:1: holds an array where a description is an object. "
                "Name the file that opens with `openapi` or `swagger`."
            ),
        ),
        (
            b"<!DOCTYPE html><html></html>",
            (
                "api.json:1: is a web page or XML, not JSON or YAML. "
                "Name the address of the raw description, not of the page that shows it."
            ),
        ),
        (
            b'{"a": 1,\n "b" 2}',
            "api.json:2: is not JSON: Expecting ':' delimiter (column 6). Correct it there.",
        ),
        (
            b'{"a": {"x": 1},\n "b": {"y": "x",\n "x": 2, "x": 3}}',
            'api.json:3: the key "x" stands twice in one object. Keep one of them.',
        ),
        (
            b'{"a": "NaN",\n"b": NaN}',
            "api.json:2: NaN is not JSON. Write a number.",
        ),
        (
            b'{"a": ' + b"9" * 5000 + b"}",
            "api.json: holds a number of more than 4,300 digits. Write one that means something.",
        ),
        (
            b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
            "api.json: is nested too deeply to be a description.",
        ),
    ],
    ids=[
        *("nothing", "white space", "latin-1", "an array", "a web page", "a syntax error"),
        *("a duplicate key", "NaN", "a huge integer", "deep nesting"),
    ],
)
def test_what_cannot_be_read_is_told_in_one_line(content: bytes, message: str) -> None:
    assert failure(content) == message


def test_half_a_pair_deep_down_is_told_where_this_python_goes_no_deeper() -> None:
    content = b'{"a": ' + b"[" * 700 + b'"\\ud83d"' + b"]" * 700 + b"}"
    try:
        data = parse(content, file="api.json").data["a"]
    except InputError as error:
        assert str(error) == "api.json: is nested too deeply to be a description."
        return
    assert sys.version_info >= (3, 12)  # before, Python itself goes no deeper
    for _ in range(700):
        data = data[0]
    assert data == "\ufffd"


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"is a folder\. Name the description's file in it\."):
        load(str(tmp_path))
    with pytest.raises(InputError, match=r"there is no such file\. Check the path\."):
        load(str(tmp_path / "none.json"))
    big = tmp_path / "big.json"
    big.write_text("{}" + " " * 100)
    with pytest.raises(InputError, match=r"is larger than 50 bytes\."):
        load(str(big), maximum_bytes=50)


def test_a_strangers_text_stays_one_line() -> None:
    key = json.dumps("a\nb")
    message = failure(f"{{{key}: 1, {key}: 2}}".encode())
    assert message == 'api.json:1: the key "a\\nb" stands twice in one object. Keep one of them.'


def test_half_a_surrogate_pair_can_be_written_again() -> None:
    data = parse(b'{"a": "\\ud800 x", "b": "\\ud83d\\ude00"}', file="a.json").data
    assert data == {"a": "\ufffd x", "b": "😀"}


JSON_TEXT = b"""{
  "openapi": "3.1.0",
  "paths": {
    "/a~b/{c}": {"get": {"x": "{", "parameters": [
      {"name": "]"},
      {"name": "y"}
    ]}}
  }
}"""

YAML_TEXT = b"""openapi: 3.1.0
paths:
  /a~b/{c}:
    get:
      parameters:
        - name: x
        - name: y
"""


@pytest.mark.parametrize(
    ("pointer", "in_json", "in_yaml"),
    [
        ("", 1, 1),
        ("/paths", 3, 2),
        ("/paths/~1a~0b~1{c}/get", 4, 4),
        ("/paths/~1a~0b~1{c}/get/parameters/1", 6, 7),
        ("/paths/~1a~0b~1{c}/get/parameters/1/name", 6, 7),
        ("/paths/none", 3, 2),
        ("/openapi/0", 2, 1),
    ],
)
def test_the_line_of_a_pointer(pointer: str, in_json: int | None, in_yaml: int | None) -> None:
    assert parse(JSON_TEXT, file="a.json").line(pointer) == in_json
    assert parse(YAML_TEXT, file="a.yaml").line(pointer) == in_yaml


def test_a_place_is_described_for_a_person() -> None:
    document = parse(YAML_TEXT, file="a.yaml")
    location = Location(file="a.yaml", pointer="/paths/~1a~0b~1{c}/get")
    assert place_teller(document)(location) == "a.yaml:4 #/paths/~1a~0b~1{c}/get"
