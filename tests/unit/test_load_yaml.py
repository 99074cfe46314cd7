"""YAML 1.2 as JSON data."""

from typing import Any

import pytest

from toolmint.generator.errors import InputError
from toolmint.generator.load import parse


def value(text: str) -> Any:
    return parse(f"value: {text}\n".encode(), file="a.yaml").data["value"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("yes", "yes"),
        ("off", "off"),
        ("NO", "NO"),
        ("true", True),
        ("False", False),
        ("tRUE", "tRUE"),
        ("2024-01-31", "2024-01-31"),
        ("2024-01-31T10:00:00Z", "2024-01-31T10:00:00Z"),
        ("12:30:45", "12:30:45"),
        ("1_000", "1_000"),
        ("~", None),
        ("", None),
        ("Null", None),
        ("12", 12),
        ("-7", -7),
        ("0o17", 15),
        ("0x1F", 31),
        ("017", 17),
        ("1.0", 1.0),
        ("1e3", 1000.0),
        (".5", 0.5),
        ("1.2.3", "1.2.3"),
        ("+", "+"),
        (".inf", ".inf"),
        (".nan", ".nan"),
        ("'12'", "12"),
        ('"true"', "true"),
        ("!!str 12", "12"),
        ('!!int "12"', 12),
        ("!custom x", "x"),
        ("=", "="),
    ],
)
def test_scalars_by_the_core_schema(text: str, expected: Any) -> None:
    got = value(text)
    assert (got, type(got)) == (expected, type(expected))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r'"\uD83D\uDE00 \\uD83D"', "\N{GRINNING FACE} \\uD83D"),
        (r'"\ud83d and \uDE00"', "\N{REPLACEMENT CHARACTER} and \N{REPLACEMENT CHARACTER}"),
        (r"'[\uD800-\uDBFF]'", r"[\uD800-\uDBFF]"),
        (r'"\u00e9"', "é"),
    ],
)
def test_what_json_escapes_in_halves_is_whole(text: str, expected: str) -> None:
    assert value(text) == expected


def test_keys_are_the_text_of_the_scalar() -> None:
    text = b"200: a\ntrue: b\nnull: c\n1.0: d\n2024-01-01: e\n"
    assert parse(text, file="a.yaml").data == {
        "200": "a",
        "true": "b",
        "null": "c",
        "1.0": "d",
        "2024-01-01": "e",
    }


def test_blocks_and_aliases() -> None:
    text = b"""
base: &base {a: 1, b: 2}
folded: >
  one
  two
again: *base
"""
    assert parse(text, file="a.yaml").data == {
        "base": {"a": 1, "b": 2},
        "folded": "one two\n",
        "again": {"a": 1, "b": 2},
    }


def test_merge_keys_add_what_a_mapping_does_not_say_itself() -> None:
    text = b"""
one: &one {a: 1, b: 1}
two: &two {b: 2, c: 2}
own: {<<: *one, b: 0}
both: {<<: [*two, *one], d: 3}
quoted: {"<<": text}
scalar: {<<: text}
"""
    data = parse(text, file="a.yaml").data
    assert data["own"] == {"a": 1, "b": 0}
    assert data["both"] == {"a": 1, "b": 2, "c": 2, "d": 3}
    assert data["quoted"] == {"<<": "text"}
    assert data["scalar"] == {"<<": "text"}
    assert data["one"] == {"a": 1, "b": 1}


BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 10)
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "a: 1\nb: {c: 1, c: 2}",
            "a.yaml:2: the key 'c' stands twice in one mapping. Keep one of them.",
        ),
        (
            '200: a\n"200": b',
            "a.yaml:2: the key '200' stands twice in one mapping. Keep one of them.",
        ),
        ("? [a, b]\n: c", "a.yaml:1: a key must be a string. Quote it, or name it anew."),
        ("a: &x [*x]", "a.yaml:1: the alias *x stands inside what it names. Remove it."),
        ("a: *nothing", "a.yaml:1: the alias *nothing names nothing above it. Define it first."),
        ("a: 1\n---\nb: 2", "a.yaml:2: opens a second document. Keep one document in a file."),
        (
            "a: [1, 2\nb: 3",
            (
                "a.yaml:2: is not YAML: did not find expected ',' or ']' "
                "while parsing a flow sequence. Correct it there."
            ),
        ),
        (
            BOMB,
            "a.yaml:7: its aliases stand for more than 2,000,000 values. Write it without.",
        ),
        (
            "a: " + "9" * 5000,
            "a.yaml:1: holds a number of more than 4,300 digits. Write one that means something.",
        ),
        (
            "a: " + "[" * 5000 + "]" * 5000,
            (
                "a.yaml:1: is not YAML: exceeded maximum nesting depth "
                "while increasing flow level. Correct it there."
            ),
        ),
        (
            "just words",
            (
                "a.yaml:1: holds a single value where a description is an object. "
                "Name the file that opens with `openapi` or `swagger`."
            ),
        ),
    ],
    ids=[
        *("duplicate", "duplicate by type", "a sequence as key", "a cycle", "no anchor"),
        *("two documents", "syntax", "a bomb", "a huge integer", "deep nesting", "a word"),
    ],
)
def test_what_cannot_be_read_is_told_in_one_line(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse(text.encode(), file="a.yaml")
    assert str(caught.value) == message


def test_the_line_of_what_stands_after_a_half_escape_is_found() -> None:
    read = parse(rb'a: "\uD83D\uDE00"' + b"\nb: [1]\n", file="a.yaml")
    assert read.line("/b/0") == 2
