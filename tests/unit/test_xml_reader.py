"""XML is read by the schema that it is written by; what nobody described stays."""

from typing import Any

import pytest

from toolmint.runtime.wire.response import ResponseProblem, decode
from toolmint.runtime.wire.xml import write_xml
from toolmint.runtime.wire.xml_reader import read_xml
from toolmint.runtime.wire.xml_tree import NoXml

TEXT = {"type": "string"}
WHOLE = {"type": "integer"}
PET = {
    "type": "object",
    "properties": {
        "id": {**WHOLE, "xml": {"attribute": True}},
        "name": {**TEXT, "xml": {"name": "petName"}},
        "weight": {"type": "number"},
        "tame": {"type": "boolean"},
        "tags": {"type": "array", "items": {**TEXT, "xml": {"name": "tag"}}},
        "photos": {
            "type": "array",
            "items": {**TEXT, "xml": {"name": "photo"}},
            "xml": {"wrapped": True},
        },
        "friends": {"type": "array", "items": {"$ref": "#/$defs/Pet"}, "xml": {"wrapped": True}},
        "owner": {"anyOf": [{"type": "object", "properties": {"id": WHOLE}}, {"type": "null"}]},
    },
}
REX: dict[str, Any] = {
    "id": 7,
    "name": " Rex & Co ",
    "weight": 1.5,
    "tame": True,
    "tags": ["a", ""],
    "photos": ["u1", "u2"],
    "friends": [{"id": 8, "name": "Tom"}],
    "owner": {"id": 1},
}


def read(text: str, schema: Any, **definitions: Any) -> Any:
    return read_xml(text.encode(), schema, definitions, None)


def test_what_is_written_is_read_again() -> None:
    text = write_xml(REX, {"$ref": "#/$defs/Pet"}, {"Pet": PET})
    assert read(text, {"$ref": "#/$defs/Pet"}, Pet=PET) == REX


def test_null_is_read_as_null() -> None:
    assert read(write_xml({"owner": None}, PET, {}), PET) == {"owner": None}


def test_prefixes_and_namespaces_do_not_count() -> None:
    text = '<p:pet xmlns:p="urn:pets" xmlns="urn:x" p:id="7"><p:petName>Rex</p:petName></p:pet>'
    assert read(text, PET) == {"id": 7, "name": "Rex"}


def test_members_that_nobody_described_stay() -> None:
    text = '<pet age="3"><petName>Rex</petName><toy>ball</toy><toy>bone</toy><vet id="1"/></pet>'
    assert read(text, PET) == {
        "name": "Rex",
        "age": "3",
        "toy": ["ball", "bone"],
        "vet": {"id": "1"},
    }


def test_text_beside_attributes() -> None:
    schema = {"type": "object", "properties": {"lang": {**TEXT, "xml": {"attribute": True}}}}
    assert read('<t lang="no">hei</t>', schema) == {"lang": "no", "#text": "hei"}
    for keyword in ({"nodeType": "text"}, {"x-ms-text": True}):
        schema["properties"]["words"] = {**TEXT, "xml": keyword}  # type: ignore[index]
        assert read('<t lang="no">hei</t>', schema) == {"lang": "no", "words": "hei"}
        assert write_xml({"lang": "no", "words": "hei"}, schema, {}).endswith(
            '<root lang="no">hei</root>'
        )


def test_maps() -> None:
    for keyword in ("additionalProperties", "unevaluatedProperties"):
        schema = {"type": "object", keyword: WHOLE}
        assert read("<m><a>1</a><b>2</b></m>", schema) == {"a": 1, "b": 2}


LISTS = {
    "type": "object",
    "properties": {"items": {"type": "array", "items": {"$ref": "#/$defs/Item"}}},
    "required": ["items"],
}
ITEM = {"type": "object", "properties": {"n": WHOLE}}


@pytest.mark.parametrize(
    ("inner", "items"),
    [
        ("<items><n>1</n></items><items><n>2</n></items>", [{"n": 1}, {"n": 2}]),
        ("<items><n>1</n></items>", [{"n": 1}]),
        ("<items><Item><n>1</n></Item><Item><n>2</n></Item></items>", [{"n": 1}, {"n": 2}]),
        ("<items><Item><n>1</n></Item></items>", [{"n": 1}]),
        ("<items/>", []),
        ("", []),
    ],
)
def test_arrays_are_read_with_and_without_an_element_around_them(
    inner: str, items: list[object]
) -> None:
    assert read(f"<list>{inner}</list>", LISTS, Item=ITEM) == {"items": items}


def test_arrays_of_text() -> None:
    schema = {"type": "object", "properties": {"colors": {"type": "array", "items": TEXT}}}
    assert read("<m><colors>red</colors></m>", schema) == {"colors": ["red"]}
    assert read("<m><colors><string>red</string></colors></m>", schema) == {"colors": ["red"]}
    assert read("<m/>", schema) == {}
    assert read("<m><i>1</i><i>2</i></m>", {"type": "array", "items": WHOLE}) == [1, 2]


@pytest.mark.parametrize(
    ("text", "schema", "value"),
    [
        ("<v>07</v>", WHOLE, 7),
        ("<v> 7 </v>", {"type": ["integer", "string"]}, " 7 "),
        ("<v>many</v>", WHOLE, "many"),
        ("<v>1e3</v>", {"type": "number"}, 1000.0),
        ("<v>12345678901234567890</v>", {"type": "number"}, 12345678901234567890),
        ("<v>1e999</v>", {"type": "number"}, "1e999"),
        ("<v>False</v>", {"type": "boolean"}, False),
        ("<v></v>", {"type": ["integer", "null"]}, None),
        ("<v></v>", TEXT, ""),
    ],
)
def test_scalars_are_what_the_schema_asks_for(text: str, schema: Any, value: object) -> None:
    assert read(text, schema) == value


ANY = {"type": "object"}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<a><b></a>", "mismatched tag, line 1"),
        ("", "no element found, line 1"),
        ('<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>', "it has a document type, and those are not"),
        ("<a>" * 300, "it is nested more than 200 deep"),
        ('<?xml version="1.0" encoding="nonsense"?><a/>', "unknown encoding"),
    ],
)
def test_what_is_no_xml_is_refused(text: str, reason: str) -> None:
    with pytest.raises(NoXml, match=reason):
        read(text, ANY)
    with pytest.raises(ResponseProblem, match="cannot be read as that"):
        answer(text or " ", ANY)


def answer(text: str, schema: Any) -> Any:
    return decode({"Content-Type": "application/xml"}, text.encode(), schema=lambda: schema)


def test_an_answer_is_read_where_its_schema_is_described() -> None:
    assert answer("<pet><petName>Rex</petName></pet>", PET) == {"name": "Rex"}
    closed = {"$ref": "#/$defs/Pet", "$defs": {"Pet": PET}}
    assert answer("<pet><petName>Rex</petName></pet>", closed) == {"name": "Rex"}
    for undescribed in (None, True, {"type": "string"}):
        assert answer("<pet/>", undescribed) == "<pet/>"


def test_charsets_are_honoured() -> None:
    declared = '<?xml version="1.0" encoding="iso-8859-1"?><a><b>é</b></a>'.encode("latin-1")
    assert read_xml(declared, ANY, {}, None) == {"b": "é"}
    assert read_xml("<a><b>é</b></a>".encode("latin-1"), ANY, {}, "iso-8859-1") == {"b": "é"}
