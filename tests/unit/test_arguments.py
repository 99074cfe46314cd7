"""Words of the command line become the values that the tool's schema asks for."""

from typing import Any

import pytest

from toolmint.generator.cli.arguments import read_arguments
from toolmint.generator.errors import InputError

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "number": {"type": "integer"},
        "ratio": {"type": "number"},
        "loud": {"type": "boolean"},
        "title": {"type": ["string", "null"]},
        "labels": {"type": "array", "items": {"type": "string"}},
        "sizes": {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}]},
        "status": {"$ref": "#/$defs/Status"},
        "customer": {"type": "object"},
        "anything": True,
        "a:b": {"type": "string"},
    },
    "$defs": {"Status": {"enum": ["open", "solved"]}},
}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["number=12"], {"number": 12}),
        (["number=-1"], {"number": -1}),
        (["ratio=1"], {"ratio": 1}),
        (["ratio=0.5"], {"ratio": 0.5}),
        (["loud=true"], {"loud": True}),
        (["title=12"], {"title": "12"}),
        (["title=null"], {"title": "null"}),
        (["title:=null"], {"title": None}),
        (["title="], {"title": ""}),
        (["title=a=b"], {"title": "a=b"}),
        (["labels=one"], {"labels": ["one"]}),
        (["labels=one", "labels=two"], {"labels": ["one", "two"]}),
        (['labels=["one","two"]'], {"labels": ["one", "two"]}),
        (["sizes=1", "sizes=2"], {"sizes": [1, 2]}),
        (["status=open"], {"status": "open"}),
        (['customer={"name":"Lin"}'], {"customer": {"name": "Lin"}}),
        (["anything=1"], {"anything": 1}),
        (["anything=one"], {"anything": "one"}),
        (["a:b=c"], {"a:b": "c"}),
    ],
)
def test_a_word_is_read_as_its_schema_asks(words: list[str], expected: dict[str, Any]) -> None:
    assert read_arguments(words, None, SCHEMA) == expected


def test_words_add_to_an_object_and_override_it() -> None:
    text = '{"number": 1, "title": "old"}'
    assert read_arguments(["title=new"], text, SCHEMA) == {"number": 1, "title": "new"}


@pytest.mark.parametrize(
    ("words", "text", "message"),
    [
        (["number=abc"], None, "number: 'abc' is no integer."),
        (["number=1.5"], None, "number: '1.5' is no integer."),
        (["loud=yes"], None, "loud: 'yes' is no boolean."),
        (["sizes=a"], None, "sizes: 'a' is no integer."),
        (["numbr=1"], None, "numbr: no such argument; did you mean number?"),
        (["number"], None, "'number': write an argument as NAME=VALUE, or NAME:=JSON."),
        (["=1"], None, "'=1': write an argument as NAME=VALUE, or NAME:=JSON."),
        (["number=1", "number=2"], None, "number: given 2 times, but it is no array."),
        (["title:={"], None, "title: not JSON: "),
        ([], "[1]", "--json: the arguments are one JSON object."),
        ([], "{", "--json: not JSON: "),
    ],
)
def test_what_does_not_read_is_named(words: list[str], text: str | None, message: str) -> None:
    with pytest.raises(InputError) as refused:
        read_arguments(words, text, SCHEMA)
    assert str(refused.value).startswith(message)


def test_a_tool_without_arguments_says_so() -> None:
    with pytest.raises(InputError) as refused:
        read_arguments(["x=1"], None, {"type": "object", "properties": {}})
    assert str(refused.value) == "x: no such argument; it takes no arguments."
