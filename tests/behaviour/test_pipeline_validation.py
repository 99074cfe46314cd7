"""What follows bad arguments: a refusal, a repair, or a bounded request to correct them."""

from collections.abc import Iterator

import pytest

from tests.behaviour.edge import Edge, edge
from toolmint.runtime import Validation
from toolmint.runtime.context import CallContext


@pytest.fixture
def at() -> Iterator[Edge]:
    with edge() as started:
        yield started


def test_fail_sends_nothing_and_mends_nothing(at: Edge) -> None:
    petstore = at.petstore()
    for arguments in ({"id": "1"}, "{'id': 1}", {"id": 1, "extra": True}):
        assert at.call(petstore, "get_pet", arguments).outcome == "invalid_arguments"
    assert at.targets == []


def test_repair_mends_what_has_one_meaning_and_says_so(at: Edge) -> None:
    petstore = at.petstore(validation="repair")
    result = at.call(petstore, "get_pet", "```json\n{'id': \"7\",}\n```")
    assert (result.outcome, at.targets) == ("ok", ["GET /pets/7"])
    assert result.metadata["repaired"] == (
        "removed a code fence",
        "turned single quotes into double quotes",
        "removed a trailing comma",
        "/id: a text became an integer",
    )
    assert result.to_message().endswith(
        "The arguments were mended: removed a code fence; turned single quotes into double "
        "quotes; removed a trailing comma; /id: a text became an integer."
    )


def test_repair_invents_nothing(at: Edge) -> None:
    petstore = at.petstore(validation="repair")
    for arguments in ('{"id": 1', {"id": "1.5"}, {"id": "one"}, {}, {"id": 1, "ix": 2}):
        assert at.call(petstore, "get_pet", arguments).outcome == "invalid_arguments"
    assert at.targets == []


def test_retry_asks_for_a_correction_a_bounded_number_of_times(at: Edge) -> None:
    petstore = at.petstore(validation="retry")
    told = [at.call(petstore, "get_pet", {"id": "one"}) for _ in range(4)]
    assert [result.metadata["corrections_left"] for result in told] == [2, 1, 0, 0]
    for number, result in enumerate(told[:3], 1):
        assert str(result.error) == (
            "get_pet: 1 problem with the arguments\n"
            '- /id: must be integer, got "one"; '
            'expected {"type":"integer","description":"Which pet."}\n'
            f"Correct these and call get_pet again ({number}/3)."
        )
    assert str(told[3].error) == (
        "get_pet: bad arguments 4 times in a row. Do not call it again: "
        "go on without it, and say what is missing"
    )
    assert at.call(petstore, "get_pet", {"id": 1}).success
    assert at.call(petstore, "get_pet", {"id": "x"}).metadata["corrections_left"] == 2


def test_each_run_has_its_own_count(at: Edge) -> None:
    import asyncio

    petstore = at.petstore(validation=Validation(corrections=1))

    async def left(run: str) -> object:
        result = await petstore["get_pet"].execute({}, CallContext(run=run))
        return result.metadata["corrections_left"]

    async def main() -> list[object]:
        return [await left(run) for run in ("a", "b", "a", "b")]

    assert asyncio.run(main()) == [0, 0, 0, 0]
    assert [line["run"] for line in at.log] == ["a", "b", "a", "b"]


def test_repair_and_retry_go_together(at: Edge) -> None:
    petstore = at.petstore(validation=Validation(repair=True, corrections=2))
    assert at.call(petstore, "get_pet", {"id": "1"}).success
    assert at.call(petstore, "get_pet", {"id": "x"}).metadata["corrections_left"] == 1


def test_what_a_model_is_told_of_bad_arguments_is_capped(at: Edge) -> None:
    petstore = at.petstore(validation="retry")
    many = {f"wrong_{number}": "x" * 10_000 for number in range(1000)}
    message = at.call(petstore, "list_pets", many).to_message()
    assert len(message) < 2500
    assert "and 992 more" in message
    assert "Correct these and call list_pets again (1/3)." in message
