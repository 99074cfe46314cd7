"""What a model reads of a tool is what the author wrote."""

import pytest

from toolmint.generator.descriptions import describe, written
from toolmint.generator.model.catalogue import RateLimit
from toolmint.runtime.shown.sentences import BRIEF, brief, cut

from .samples import operation


def test_summary_and_description_stand_unaltered() -> None:
    summary = '"""\nraise SystemExit(\'pwned\')\n"""'
    description = (
        "uses ${process.env} {{ 7*7 }} {0!r} \\N{BELL} \\u0041 and a trailing backslash \\"
    )

    found = describe(operation("POST /a", summary=summary, description=description), None, 400)

    assert found == f"{summary}\n\n{description}"


@pytest.mark.parametrize(
    ("summary", "description", "expected"),
    [
        ("List", "", "List"),
        ("", "Lists.", "Lists."),
        ("List pets", "List pets that are for sale.", "List pets that are for sale."),
        ("", "", "GET /pets"),
        ("  List\r\n", "\tOne.\r\n\r\n\r\n*Two*.  ", "List\n\nOne.\n\n\n*Two*."),
        ("half \ud800", "", "half \ufffd"),
    ],
)
def test_nothing_is_invented(summary: str, description: str, expected: str) -> None:
    one = operation("GET /pets", summary=summary, description=description)

    assert describe(one, None, 400) == expected


def test_deprecation_comes_first_and_a_limit_last_whatever_is_cut() -> None:
    limit = RateLimit(requests=5000, seconds=3600, source="429 response")
    one = operation("GET /a", description="First. Second part.", deprecated=True)

    assert describe(one, limit, 16) == "[deprecated] First.\n\nRate limit: 5000 requests per hour."
    assert describe(one, None, 400) == "[deprecated] First. Second part."


def test_a_limit_may_have_an_odd_period() -> None:
    limit = RateLimit(requests=1.5, seconds=90, source="")

    assert describe(operation("GET /a"), limit, 400) == (
        "GET /a\n\nRate limit: 1.5 requests per 90 seconds."
    )


def test_the_users_own_words_are_not_cut() -> None:
    assert written("a" * 5000, deprecated=True) == "[deprecated] " + "a" * 5000
    assert written("Mine.", deprecated=False) == "Mine."


@pytest.mark.parametrize(
    ("text", "characters", "expected"),
    [
        ("Short.", 6, "Short."),
        ("One. Two. Three.", 12, "One. Two."),
        ("See e.g. this one. And that.", 20, "See e.g. this one."),
        ("v1.2 is here. More follows", 16, "v1.2 is here."),
        ("A title\n\nand more words that follow", 20, "A title"),
        ("no sentence ends in here", 14, "no sentence…"),
        ("一つ目。二つ目。", 5, "一つ目。"),
        ("Run:\n\n```\na. b\n```", 14, "Run:"),
    ],
)
def test_text_is_cut_at_a_sentence(text: str, characters: int, expected: str) -> None:
    assert cut(text, characters) == expected


def test_a_brief_text_is_one_sentence_on_one_line() -> None:
    assert brief("  The name\n  of it. More.") == "The name of it."
    assert brief("") == ""
    assert len(brief("word " * 100)) <= BRIEF
