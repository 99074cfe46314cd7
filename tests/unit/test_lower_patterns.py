"""Patterns that authors write for laxer engines."""

import pytest

from toolmint.generator.patterns import with_escapes
from toolmint.generator.schema_check import usable_pattern


@pytest.mark.parametrize(
    ("written", "escaped"),
    [
        (r"^[\w-.]+$", r"^[\w\-.]+$"),
        (r"^[.-\w]+$", r"^[.\-\w]+$"),
        (r"[a-z\d-_]{2,3}", r"[a-z\d\-_]{2,3}"),
        (r"^{[0-9]{4}}$", r"^\{[0-9]{4}\}$"),
        (r"a]b", r"a\]b"),
        (r"[[a]", r"[\[a]"),
        (r"^\p{L}{1,}[\p{N}-x]$", r"^\p{L}{1,}[\p{N}-x]$"),
        (r"^\[x\]\{$", r"^\[x\]\{$"),
        ("\\", "\\"),
    ],
)
def test_what_stands_for_itself_is_escaped(written: str, escaped: str) -> None:
    assert with_escapes(written) == escaped


def test_a_pattern_that_is_taken_stays_as_it_is() -> None:
    assert usable_pattern(r"^[a-z]{2}\p{L}$") == r"^[a-z]{2}\p{L}$"
    assert usable_pattern(r"^{[0-9]{4}}$") == r"^\{[0-9]{4}\}$"
    assert usable_pattern("(") is None
