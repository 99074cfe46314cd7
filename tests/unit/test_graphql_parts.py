"""Answers of `@defer` and `@stream`: parts in both forms in use, put together."""

from typing import Any

import pytest

from toolmint.runtime.graphql_codec.parts import merged, payloads
from toolmint.runtime.wire.response import ResponseProblem


def body(*parts: str) -> bytes:
    text = "".join(f"\r\n--- \r\nContent-Type: application/json\r\n\r\n{one}" for one in parts)
    return f"{text.replace('--- ', '---')}\r\n-----\r\n".encode()


def test_the_parts_of_a_body_are_read_to_its_end() -> None:
    sent = body('{"data":{"a":1},"hasNext":true}', '{"hasNext":false}') + b"--- trailing"
    assert list(payloads(sent, "-")) == [{"data": {"a": 1}, "hasNext": True}, {"hasNext": False}]


def test_a_boundary_inside_a_line_is_text() -> None:
    sent = body('{"data":{"a":"x---y"}}', '{"hasNext":false}')
    assert list(payloads(sent, "-")) == [{"data": {"a": "x---y"}}, {"hasNext": False}]


@pytest.mark.parametrize("part", ["{", '{"data":{"a":NaN}}', '{"data":{"a":1e999}}', "[" * 100_000])
def test_a_part_that_is_no_json_is_a_problem(part: str) -> None:
    with pytest.raises(ResponseProblem, match="part 1 of the answer is not JSON"):
        list(payloads(body(part), "-"))


FIRST: dict[str, Any] = {"data": {"issue": {"id": "1", "tags": ["a"]}}, "hasNext": True}


def test_patches_with_a_path_go_there() -> None:
    patch = {"incremental": [{"path": ["issue"], "data": {"body": "b"}}], "hasNext": True}
    items = {"incremental": [{"path": ["issue", "tags", 1], "items": ["b"]}], "hasNext": False}
    assert merged([FIRST, patch, items]) == {
        "data": {"issue": {"id": "1", "tags": ["a", "b"], "body": "b"}}
    }


def test_patches_with_an_id_go_where_it_was_announced() -> None:
    first = {**FIRST, "pending": [{"id": "0", "path": ["issue"]}]}
    late: dict[str, Any] = {
        "incremental": [{"id": "0", "subPath": [], "data": {"body": "b"}}],
        "completed": [{"id": "0", "errors": [{"message": "half"}]}],
        "hasNext": False,
    }
    found = merged([first, late])
    assert found["data"]["issue"]["body"] == "b"
    assert found["errors"] == [{"message": "half"}]


def test_a_patch_that_fits_nowhere_is_left_out() -> None:
    lost = {"incremental": [{"path": ["nobody", 3], "data": {"x": 1}}]}
    assert merged([FIRST, lost])["data"] == FIRST["data"]
