"""Multipart bodies, byte for byte, and read back by another implementation."""

from email import message_from_bytes
from email.message import Message
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmint.runtime.arguments import Encoding, Member, Multipart, WholeBody
from toolmint.runtime.operation import HttpOperation
from toolmint.runtime.wire.bodies import Content, write_body
from toolmint.runtime.wire.refusal import RequestProblem


def write(
    value: Any,
    encoding: Encoding | None = None,
    *,
    name: str = "m",
    boundary: str | None = "B",
) -> Content:
    row = Member(name, argument="value", encoding=encoding)
    operation = HttpOperation(
        name="upload", method="POST", path="/", arguments=(row,), body=Multipart()
    )
    content = write_body(operation, {"value": value}, boundary=boundary)
    assert content is not None
    return content


def lines(*parts: str) -> bytes:
    return "".join(f"--B\r\n{part}\r\n" for part in parts).encode() + b"--B--\r\n"


def named(rest: str, name: str = "m") -> str:
    return f'Content-Disposition: form-data; name="{name}"{rest}'


def test_a_scalar_is_text_which_is_what_a_part_without_a_type_is() -> None:
    assert write("Q1 é") == Content("multipart/form-data; boundary=B", lines(named("\r\n\r\nQ1 é")))
    assert write(True).data == lines(named("\r\n\r\ntrue"))


def test_an_object_is_json() -> None:
    expected = lines(named('\r\nContent-Type: application/json\r\n\r\n{"lang":"no"}'))
    assert write({"lang": "no"}).data == expected


def test_an_array_is_repeated_parts_and_null_none() -> None:
    assert write(["a", None, "b"]).data == lines(named("\r\n\r\na"), named("\r\n\r\nb"))
    assert write([]).data == write(None).data == b"--B--\r\n"


def test_a_part_that_is_xml_is_written_by_its_own_schema() -> None:
    person = {"type": "object", "properties": {"id": {"xml": {"attribute": True}}}}
    schema = {
        "properties": {"value": {"$ref": "#/$defs/Person"}, "list": {"items": person}},
        "$defs": {"Person": {**person, "xml": {"name": "person"}}},
    }
    encoding = Encoding(content_type="application/xml")
    operation = HttpOperation(
        name="upload",
        method="POST",
        path="/",
        arguments=(
            Member("m", argument="value", encoding=encoding),
            Member("list", encoding=encoding),
        ),
        body=Multipart(),
    )
    given = {"value": {"id": 1, "name": "<Lin>"}, "list": [{"id": 2}, None, "<own/>"]}
    content = write_body(operation, given, schema=lambda: schema, boundary="B")
    kind = "\r\nContent-Type: application/xml\r\n\r\n"
    declaration = '<?xml version="1.0" encoding="UTF-8"?>'
    assert content is not None
    assert content.data == lines(
        named(f'{kind}{declaration}<person id="1"><name>&lt;Lin&gt;</name></person>'),
        named(f'{kind}{declaration}<list id="2"/>', "list"),
        named(f"{kind}<own/>", "list"),
    )


def test_a_text_part_is_encoded_as_its_type_says() -> None:
    encoding = Encoding(content_type="text/plain; charset=iso-8859-1")
    assert write("é", encoding).data == lines(
        named("\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\n*")
    ).replace(b"*", b"\xe9")
    with pytest.raises(RequestProblem, match="cannot be written in iso-8859-1"):
        write("列", encoding)


def file(content_type: str | None = None, filename: str | None = None) -> dict[str, Any]:
    return {"data_base64": "UE5H", "content_type": content_type, "filename": filename}


@pytest.mark.parametrize(
    ("declared", "chosen", "sent"),
    [
        (None, None, "application/octet-stream"),
        (None, "image/gif", "image/gif"),
        ("image/png", None, "image/png"),
        ("image/png", "text/html", "image/png"),
        ("image/png, image/jpeg", "image/jpeg", "image/jpeg"),
        ("image/png, image/jpeg", None, "image/png"),
        ("image/*", "image/webp", "image/webp"),
        ("image/*, text/plain", "video/mp4", "text/plain"),
        ("*/*", None, "application/octet-stream"),
    ],
)
def test_a_file_has_the_type_of_its_encoding_or_its_own(
    declared: str | None, chosen: str | None, sent: str
) -> None:
    written = write(file(chosen, "p.png"), Encoding(content_type=declared, binary=True))
    assert written.data == lines(named(f'; filename="p.png"\r\nContent-Type: {sent}\r\n\r\nPNG'))


def test_a_file_without_a_name_takes_its_members() -> None:
    written = write([file(), file()], Encoding(binary=True))
    part = named('; filename="m"\r\nContent-Type: application/octet-stream\r\n\r\nPNG')
    assert written.data == lines(part, part)


@pytest.mark.parametrize(
    ("value", "content_type", "text"),
    [
        ("x", "application/json", '"x"'),
        ({"a": 1}, "text/plain, application/json", '{"a":1}'),
        ({"a": 1}, "text/plain", '{"a":1}'),
        ("<a/>", "application/xml", "<a/>"),
    ],
)
def test_a_declared_type_decides_how_a_value_is_written(
    value: Any, content_type: str, text: str
) -> None:
    sent = "application/json" if "json" in content_type else content_type
    written = write(value, Encoding(content_type=content_type))
    assert written.data == lines(named(f"\r\nContent-Type: {sent}\r\n\r\n{text}"))


def test_a_style_lays_parts_out_like_a_query_but_unencoded() -> None:
    written = write({"a": {"b": "c d"}}, Encoding(style="deepObject"))
    assert written.data == lines(named("\r\n\r\nc d", name="m[a][b]"))
    assert write(["x", "y"], Encoding(style="pipeDelimited")).data == lines(named("\r\n\r\nx|y"))


def test_declared_headers_go_with_the_part_but_never_replace_its_own() -> None:
    headers = {"X-Rate": "5", "content-type": "text/evil", "Content-Disposition": "evil"}
    written = write("v", Encoding(headers=headers))
    assert written.data == lines(named("\r\nX-Rate: 5\r\n\r\nv"))


def test_names_cannot_end_their_quotes_or_their_line() -> None:
    evil = 'a"\r\nX: y; filename="z'
    quoted = "a%22%0D%0AX: y; filename=%22z"
    assert write("v", name=evil).data == lines(named("\r\n\r\nv", name=quoted))
    written = write(file(filename=evil), Encoding(binary=True))
    assert f'filename="{quoted}"\r\n' in written.data.decode()


@pytest.mark.parametrize(
    "value",
    [
        {"data_base64": "AA", "filename": "x"},
        "%%%",
        {"data_base64": "", "content_type": "a\r\nb"},
        {"data_base64": "", "filename": "\ud800"},
    ],
)
def test_a_bad_file_is_a_problem_of_its_argument(value: Any) -> None:
    with pytest.raises(RequestProblem) as caught:
        write(value, Encoding(binary=True))
    assert caught.value.argument == "value"


def test_a_list_is_parts_without_names() -> None:
    body = Multipart(media_type="multipart/mixed; boundary=theirs")
    operation = HttpOperation(
        name="mix", method="POST", path="/", arguments=(WholeBody(),), body=body
    )
    content = write_body(operation, {"body": ["a", {"b": 1}]}, boundary="B")
    assert content == Content(
        "multipart/mixed; boundary=B",
        lines("\r\na", 'Content-Type: application/json\r\n\r\n{"b":1}'),
    )


def test_the_boundary_is_made_from_the_content() -> None:
    first, again, other = (write(text, boundary=None) for text in ("a", "a", "b"))
    assert first == again
    assert first.media_type != other.media_type


def read_back(content: Content) -> list[Message]:
    head = f"Content-Type: {content.media_type}\r\n\r\n".encode()
    return [part for part in message_from_bytes(head + content.data).walk()][1:]


@given(st.lists(st.binary(), min_size=1))
def test_files_read_back_as_what_was_given(files: list[bytes]) -> None:
    from base64 import b64encode

    value = [{"data_base64": b64encode(data).decode()} for data in files]
    content = write(value, Encoding(binary=True), boundary=None)
    boundary = b"--" + content.media_type.partition("boundary=")[2].encode()
    blocks = content.data.split(boundary)[1:-1]
    assert [block.partition(b"\r\n\r\n")[2][:-2] for block in blocks] == files


def test_another_implementation_reads_names_and_types() -> None:
    content = write([file("image/png", "p1.png"), file()], Encoding(binary=True), boundary=None)
    assert [
        (
            part.get_param("name", header="content-disposition"),
            part.get_filename(),
            part.get_content_type(),
            part.get_payload(),
        )
        for part in read_back(content)
    ] == [("m", "p1.png", "image/png", "PNG"), ("m", "m", "application/octet-stream", "PNG")]
