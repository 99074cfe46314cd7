"""XML bodies by the `xml` keywords: the examples of OpenAPI's XML Object, and their edges."""

from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmint.runtime.arguments import Member, WholeBody, Xml
from toolmint.runtime.operation import HttpOperation
from toolmint.runtime.wire.bodies import write_body
from toolmint.runtime.wire.refusal import Unwritable
from toolmint.runtime.wire.xml import DECLARATION, write_xml


def xml(value: Any, schema: Any, **definitions: Any) -> str:
    text = write_xml(value, schema, definitions)
    assert text.startswith(DECLARATION)
    return text.removeprefix(DECLARATION)


def animals(array: dict[str, Any] | None = None, items: dict[str, Any] | None = None) -> str:
    schema = {
        "properties": {
            "animals": {
                "type": "array",
                **({} if array is None else {"xml": array}),
                "items": {"type": "string", **({} if items is None else {"xml": items})},
            }
        },
        "xml": {"name": "zoo"},
    }
    text = xml({"animals": ["cat", "dog"]}, schema)
    return text.removeprefix("<zoo>").removesuffix("</zoo>")


@pytest.mark.parametrize(
    ("array", "items", "expected"),
    [
        (None, None, "<animals>cat</animals><animals>dog</animals>"),
        (None, {"name": "animal"}, "<animal>cat</animal><animal>dog</animal>"),
        ({"name": "aliens"}, {"name": "animal"}, "<animal>cat</animal><animal>dog</animal>"),
        (
            {"wrapped": True},
            None,
            "<animals><animals>cat</animals><animals>dog</animals></animals>",
        ),
        (
            {"wrapped": True, "name": "aliens"},
            {"name": "animal"},
            "<aliens><animal>cat</animal><animal>dog</animal></aliens>",
        ),
        (
            {"wrapped": True, "name": "aliens"},
            None,
            "<aliens><aliens>cat</aliens><aliens>dog</aliens></aliens>",
        ),
        (
            {"nodeType": "element"},
            {"name": "animal"},
            "<animals><animal>cat</animal><animal>dog</animal></animals>",
        ),
    ],
)
def test_an_array_is_named_and_wrapped_as_the_standards_examples(
    array: dict[str, Any] | None, items: dict[str, Any] | None, expected: str
) -> None:
    assert animals(array, items) == expected


def test_attributes_prefixes_and_namespaces() -> None:
    person = {
        "properties": {
            "id": {"type": "integer", "xml": {"attribute": True}},
            "name": {
                "type": "string",
                "xml": {"namespace": "http://example.com/schema/sample", "prefix": "sample"},
            },
        }
    }
    value = {"name": "Nia & <Co>", "id": 123}
    assert xml(value, {"$ref": "#/$defs/Person"}, Person=person) == (
        '<Person id="123"><sample:name xmlns:sample="http://example.com/schema/sample">'
        "Nia &amp; &lt;Co&gt;</sample:name></Person>"
    )


def test_references_and_compositions_are_seen_through() -> None:
    schema = {
        "allOf": [{"$ref": "#/$defs/Base"}, {"properties": {"tags": {"$ref": "#/$defs/Tags"}}}],
        "xml": {"name": "pet"},
    }
    base = {"properties": {"id": {"xml": {"attribute": True}}}, "xml": {"name": "base"}}
    tags = {
        "anyOf": [
            {"items": {"$ref": "#/$defs/Tag"}, "xml": {"name": "labels", "wrapped": True}},
            {"type": "null"},
        ]
    }
    tag = {"properties": {"name": {"type": "string"}}, "xml": {"name": "label"}}
    value = {"id": 1, "tags": [{"name": "a"}, {"name": "b"}]}
    assert xml(value, schema, Base=base, Tags=tags, Tag=tag) == (
        '<pet id="1"><labels><label><name>a</name></label><label><name>b</name></label>'
        "</labels></pet>"
    )


def test_a_recursive_schema_ends_with_its_value() -> None:
    node = {"properties": {"child": {"$ref": "#/$defs/Node"}}, "allOf": [{"$ref": "#/$defs/Node"}]}
    assert xml({"child": {"child": {}}}, {"$ref": "#/$defs/Node"}, Node=node) == (
        "<Node><child><child/></child></Node>"
    )


def test_node_types_of_3_2() -> None:
    schema: dict[str, Any] = {
        "xml": {"name": "doc"},
        "properties": {
            "lang": {"xml": {"nodeType": "attribute"}},
            "title": {"xml": {"nodeType": "text"}},
            "code": {"xml": {"nodeType": "cdata"}},
            "group": {"xml": {"nodeType": "none"}, "properties": {"a": {}}},
        },
    }
    value = {"lang": "no", "title": "a<b", "code": "x]]>y", "group": {"a": 1}}
    assert xml(value, schema) == (
        '<doc lang="no">a&lt;b<![CDATA[x]]]]><![CDATA[>y]]><a>1</a></doc>'
    )


def test_null_is_nil_and_a_root_without_a_name_is_root() -> None:
    nil = '<a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/>'
    assert xml({"a": None, "b": ""}, True) == f"<root>{nil}<b/></root>"
    assert xml([1, 2], {"xml": {"name": "n"}}) == "<n><n>1</n><n>2</n></n>"


@pytest.mark.parametrize(
    "value", [{"a b": 1}, {"<x>": 1}, {"": 1}, {"1a": 1}, {"a": "\x00"}, {"a": "\ud800"}]
)
def test_what_xml_cannot_carry_is_refused(value: Any) -> None:
    with pytest.raises(Unwritable):
        xml(value, True)


LEGAL = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"))


@given(LEGAL, LEGAL)
def test_text_reads_back_from_elements_and_attributes(text: str, attribute: str) -> None:
    schema = {"properties": {"a": {"xml": {"attribute": True}}}}
    root = ElementTree.fromstring(xml({"a": attribute + "\t\n", "b": text}, schema))
    assert (root.get("a"), root.findtext("b")) == (attribute + "\t\n", text)


def test_a_body_finds_its_schema_whole_or_flattened() -> None:
    person = {"properties": {"id": {"xml": {"attribute": True}}}}
    closed = {"properties": {"body": {"$ref": "#/$defs/Person"}}, "$defs": {"Person": person}}
    whole = HttpOperation(
        name="put", method="PUT", path="/", arguments=(WholeBody(),), body=Xml(required=True)
    )
    content = write_body(whole, {"body": {"id": 1}}, schema=lambda: closed)
    assert content is not None
    assert content.data.decode() == f'{DECLARATION}<Person id="1"/>'
    flat = HttpOperation(
        name="put", method="PUT", path="/", arguments=(Member("id", "id_"),), body=Xml()
    )
    properties = {"id_": {"xml": {"attribute": True}}}
    content = write_body(flat, {"id_": 1}, schema=lambda: {"properties": properties})
    assert content is not None
    assert content.data.decode() == f'{DECLARATION}<root id="1"/>'
