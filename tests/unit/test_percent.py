"""Percent-encoding: what stays raw, what is encoded, what counts as encoded already."""

import string
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmint.runtime.wire.percent import (
    PATH,
    QUERY_VALUE,
    decode_fully,
    encode,
    encode_bytes,
    encode_except,
)
from toolmint.runtime.wire.refusal import Unwritable

UNRESERVED = string.ascii_letters + string.digits + "-._~"
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


def test_only_unreserved_characters_stay_raw() -> None:
    every = "".join(map(chr, range(128)))
    raw = "".join(character for character in every if encode(character) == character)
    assert sorted(raw) == sorted(UNRESERVED)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a b", "a%20b"),
        ("50%", "50%25"),
        ("%41", "%2541"),
        ("é€😀", "%C3%A9%E2%82%AC%F0%9F%98%80"),
        ("a+b/c?d#e&f=g", "a%2Bb%2Fc%3Fd%23e%26f%3Dg"),
        ("it's", "it%27s"),
        ("", ""),
    ],
)
def test_a_value_is_encoded(text: str, expected: str) -> None:
    assert encode(text) == expected


@pytest.mark.parametrize(
    ("text", "raw", "expected"),
    [
        (":/?#[]@!$&'()*+,;=", PATH, ":/%3F%23%5B%5D@!$&'()*+,;="),
        (":/?#[]@!$&'()*+,;=", QUERY_VALUE, ":/?%23%5B%5D@!$%26'()*%2B,;="),
        ("a%2Fb%zz%", PATH, "a%2Fb%25zz%25"),
        ('{"<>\\^`|} é', PATH, "%7B%22%3C%3E%5C%5E%60%7C%7D%20%C3%A9"),
    ],
)
def test_text_with_reserved_characters_keeps_those_its_place_allows(
    text: str, raw: str, expected: str
) -> None:
    assert encode_except(text, raw) == expected


@given(TEXTS)
def test_encoding_is_undone_by_decoding(text: str) -> None:
    assert unquote(encode(text)) == text


@given(st.binary())
def test_bytes_are_encoded_one_by_one(data: bytes) -> None:
    assert set(encode_bytes(data)) <= set(UNRESERVED + "%")


def test_dots_are_found_under_any_number_of_encodings() -> None:
    assert decode_fully("%25252e%2E") == ".."


def test_half_a_surrogate_pair_is_no_text() -> None:
    with pytest.raises(Unwritable, match="cannot be written in utf-8"):
        encode("\ud800")
