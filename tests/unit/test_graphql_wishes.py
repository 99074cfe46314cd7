"""What settings say of single tools: their fields, possible types, and nested arguments."""

from pathlib import Path

import pytest

from tests.unit.described import described, document
from toolmint.generator.settings.policy import ToolSettings

NESTED = """
type Query { thing: Thing  other: Other }
type Thing { id: ID! icon(size: Int = 10, form: Form): String }
union Other = Left | Right
type Left { id: ID! at(day: Int!): Int }
type Right { id: ID! at(day: Int!): Int  only: String }
enum Form { ROUND SQUARE }
"""


def test_arguments_of_a_leaf_are_fixed_or_lifted(tmp_path: Path) -> None:
    fixed = ToolSettings(args={"icon": {"size": 50, "form": "ROUND"}})
    found = described(NESTED, tmp_path, {"thing": fixed})
    assert "icon(size: 50, form: ROUND)" in document(found, "Query.thing")
    lifted = described(NESTED, tmp_path, {"thing": ToolSettings(lift=("icon",))})
    assert document(lifted, "Query.thing").startswith(
        "query Thing($icon_size: Int, $icon_form: Form) {\n"
    )


def test_possible_types_share_a_lifted_argument(tmp_path: Path) -> None:
    found = described(NESTED, tmp_path, {"other": ToolSettings(lift=("at",))})
    assert document(found, "Query.other").startswith("query Other($at_day: Int!) {\n")
    assert document(found, "Query.other").count("at(day: $at_day)") == 2


def test_fields_of_one_s_own_may_be_those_of_possible_types(tmp_path: Path) -> None:
    found = described(NESTED, tmp_path, {"other": ToolSettings(fields=("id", "only"))})
    assert document(found, "Query.other") == (
        "query Other {\n  other {\n    __typename\n    ... on Left {\n      id\n    }\n"
        "    ... on Right {\n      id\n      only\n    }\n  }\n}\n"
    )


@pytest.mark.parametrize(
    ("wishes", "why"),
    [
        (ToolSettings(types=("Nope",)), "types: there is no object type 'Nope'"),
        (ToolSettings(lift=("icn",)), "'icn': Thing has no field 'icn'"),
        (ToolSettings(lift=("icon.size",)), "'icon.size': a leaf has no field 'size'"),
        (ToolSettings(args={"x": {"y": 1}}), "'x': Thing has no field 'x'"),
        (ToolSettings(args={"icon": {"y": 1}}), "'icon': has no argument 'y'"),
    ],
)
def test_a_wish_that_names_nothing_leaves_the_tool_out_with_the_reason(
    tmp_path: Path, wishes: ToolSettings, why: str
) -> None:
    found = described(NESTED, tmp_path, {"thing": wishes})
    assert [(one.operation, one.why) for one in found.api.left_out] == [("Query.thing", why)]
