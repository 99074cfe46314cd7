"""What had better run before what, read from paths, links and results."""

from collections.abc import Sequence
from typing import Any

import pytest

from toolmint.generator.gating.effects import judge
from toolmint.generator.gating.order import Judged, Order
from toolmint.generator.model.api import Operation
from toolmint.generator.settings.table import package_settings
from toolmint.generator.shape import shape

from .samples import api, operation


def before(key: str, operations: Sequence[Operation], definitions: Any = None) -> tuple[str, ...]:
    judged = [Judged(one, judge(one)) for one in operations]
    order = Order(judged, definitions or {})
    return next(order.before(one) for one in judged if one.operation.key == key)


def listing(path: str, *names: str, wrapped: bool = False) -> Operation:
    entries = {"type": "array", "items": {"$ref": "#/$defs/Thing"}}
    schema = {"type": "object", "properties": {"items": entries}} if wrapped else entries
    return operation(f"GET {path}", output_schema=schema)


THING: dict[str, Any] = {
    "Thing": {"type": "object", "properties": {"id": {}, "sku": {}, "name": {}}}
}


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "POST"])
def test_a_thing_is_read_before_it_is_changed(method: str) -> None:
    operations = [operation("GET /things/{id}"), operation(f"{method} /things/{{id}}")]

    assert before(f"{method} /things/{{id}}", operations) == ("GET /things/{id}",)


def test_a_post_that_makes_the_thing_does_not_read_it_before() -> None:
    operations = [operation("GET /models/{id}"), operation("POST /models/{id}", "registerModel")]

    assert before("POST /models/{id}", operations) == ()


def test_what_only_reads_needs_nothing_before_it() -> None:
    operations = [operation("GET /things/{id}"), operation("GET /things/{id}/parts")]

    assert before("GET /things/{id}/parts", operations) == ()


def test_a_post_that_destroys_below_a_thing_needs_the_thing() -> None:
    operations = [
        operation("GET /invoices/{id}"),
        operation("POST /invoices/{id}/void"),
        operation("POST /invoices/{id}/lines"),
    ]

    assert before("POST /invoices/{id}/void", operations) == ("GET /invoices/{id}",)
    assert before("POST /invoices/{id}/lines", operations) == ()


@pytest.mark.parametrize("parameter", ["id", "thing_id", "thingId", "sku"])
def test_a_list_stands_in_where_the_thing_cannot_be_read(parameter: str) -> None:
    key = f"DELETE /things/{{{parameter}}}"
    for wrapped in (False, True):
        operations = [listing("/things", wrapped=wrapped), operation(key)]
        assert before(key, operations, THING) == ("GET /things",)


def test_a_list_whose_entries_lack_the_parameter_does_not() -> None:
    operations = [listing("/things"), operation("DELETE /things/{slot}")]

    assert before("DELETE /things/{slot}", operations, THING) == ()


def test_a_link_from_a_read_is_a_suggestion_and_one_from_a_write_is_none() -> None:
    operations = [
        operation("GET /carts/{id}", links=("payCart", "PUT /orders/{id}")),
        operation("POST /carts", links=("payCart",)),
        operation("POST /pay", "payCart"),
        operation("PUT /orders/{id}"),
    ]

    assert before("POST /pay", operations) == ("GET /carts/{id}",)
    assert before("PUT /orders/{id}", operations) == ("GET /carts/{id}",)


def shaped(**settings: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    things = api(
        operation("DELETE /things/{id}", "drop"),
        operation("GET /things", "list", output_schema=True),
        operation("GET /things/{id}", "get"),
    )
    [drop] = [
        tool
        for tool in shape(things, package_settings(settings, "toolmint.toml")).tools
        if tool.name == "drop"
    ]
    return drop.gate.requires, drop.gate.suggested


def test_suggestions_stay_suggestions_until_settings_enforce_them() -> None:
    assert shaped() == ((), ("get",))
    assert shaped(enforce_order=True) == (("get",), ())
    assert shaped(tools={"drop": {"gate": {"requires": ["get"]}}}) == (("get",), ())
    assert shaped(tools={"drop": {"gate": {"requires": ["list"]}}}) == (("list",), ("get",))


def test_settings_say_what_a_tool_reads() -> None:
    text = {"type": "object", "properties": {"body": {"type": "string"}}}
    things = api(operation("GET /things/{id}", "get", output_schema=text))

    def read(gate: dict[str, Any]) -> tuple[str, ...]:
        settings = package_settings({"tools": {"get": {"gate": gate}}}, "toolmint.toml")
        [tool] = shape(things, settings).tools
        return tool.gate.reads

    assert read({}) == ("untrusted",)
    assert read({"reads": ["sensitive"]}) == ("sensitive",)
    assert read({"reads": []}) == ()


def test_a_tool_that_is_left_out_is_not_suggested() -> None:
    assert shaped(exclude=["get"]) == ((), ())
