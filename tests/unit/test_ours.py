"""The arguments of ours stand beside a tool's own, cost little, and come off again."""

from toolmint.runtime.edge.pages import PageRequest, page_request
from toolmint.runtime.shown.ours import OURS, SCHEMAS, offering, without
from toolmint.runtime.shown.tokens import tokens
from toolmint.runtime.validation import Validator

OWN = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}


def test_ours_come_after_its_own() -> None:
    assert offering(OWN, OURS) == {
        "type": "object",
        "properties": {
            "id": {"type": "integer"},
            "_fields": {
                "type": "array",
                "items": {"type": "string"},
                "description": "Return only these parts, like user.login",
            },
            "_page": {
                "type": "object",
                "properties": {"after": {"type": "string"}, "pages": {"type": "integer"}},
                "description": "Read on, or several pages",
            },
        },
        "required": ["id"],
    }
    assert offering(OWN, ()) == OWN
    assert offering({"type": "object"}, ["_fields"])["properties"] == {
        "_fields": SCHEMAS["_fields"]
    }


def test_an_argument_of_its_own_that_is_called_so_stays() -> None:
    own = {"type": "object", "properties": {"_page": {"type": "integer"}}}
    assert offering(own, ["_page"]) == own
    assert without(offering(own, OURS)) == own


def test_what_a_newer_package_offers_is_passed_over() -> None:
    assert offering(OWN, ["_newer"]) == OWN


def test_without_ours_its_own_are_left() -> None:
    assert without(offering(OWN, OURS)) == OWN
    assert without(OWN) is OWN
    assert without({"type": "object"}) == {"type": "object"}


def test_each_costs_little() -> None:
    assert {name: tokens({name: schema}) for name, schema in SCHEMAS.items()} == {
        "_fields": 28,
        "_page": 35,
    }


def test_what_is_advertised_takes_what_a_call_may_bring() -> None:
    pages = {"after": "a.e30", "pages": 3}
    assert page_request(pages) == PageRequest("a.e30", 3)
    advertised = Validator(offering(OWN, OURS))
    assert advertised.problems({"id": 1, "_fields": ["user.login"], "_page": pages}) == []
