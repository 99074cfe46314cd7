"""A server that repeats a credential, in whatever form, does not make it seen."""

from base64 import b64decode, b64encode
from collections.abc import Iterator
from urllib.parse import quote

import pytest

from tests.behaviour.edge import TOKEN, Edge, edge
from tests.behaviour.loopback import Answer

BASIC = {"username": "ann", "password": TOKEN}
BY_NUMBER = TOKEN.replace("-", "&#45;").encode()


@pytest.fixture
def at() -> Iterator[Edge]:
    with edge() as started:
        yield started


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/json", f'{{"id": 1, "name": "{TOKEN}"}}'.encode("utf-16")),
        ("application/json", b'{"id": 1, "name": "tok\\u002d123456"}'),
        ("application/xml", b"<a><name>" + BY_NUMBER + b"</name></a>"),
        ("text/plain; charset=utf-16", TOKEN.encode("utf-16")),
    ],
)
def test_in_an_answer(at: Edge, kind: str, body: bytes) -> None:
    at.server.answer = lambda _: Answer(200, body, {"Content-Type": kind})
    result = at.call(at.petstore(), "get_pet", {"id": 1})
    assert result.success
    assert TOKEN not in repr(result)
    assert "***" in repr(result.data)


@pytest.mark.parametrize("before", range(3))
def test_in_a_file(at: Edge, before: int) -> None:
    basic = b64encode(b"ann:" + TOKEN.encode())
    for sent in (TOKEN.encode(), quote(TOKEN, safe="").encode(), basic):
        data = b"\x89" + b"x" * before + sent + b"\xff\0"
        at.server.answer = lambda _, data=data: Answer(200, data, {"Content-Type": "image/png"})  # type: ignore[misc]
        petstore = at.petstore(credentials={"bearerAuth": TOKEN, "basicAuth": BASIC})
        result = at.call(petstore, "get_pet", {"id": 1})
        assert b64decode(result.data["data_base64"]) == b"\x89" + b"x" * before + b"***\xff\0"


@pytest.mark.parametrize(
    ("around", "shown"), [("", "***nh4"), ("x", "eH***Z4eA=="), ("xx", "eHh***eHg=")]
)
def test_in_the_base64_of_a_longer_text(at: Edge, around: str, shown: str) -> None:
    encoded = b64encode(f"{around}{TOKEN}xx".encode()).decode()
    for text in ("data:text/plain;base64,{}", "{}"):
        at.server.answer = lambda _, text=text: Answer.of({"id": 1, "name": text.format(encoded)})  # type: ignore[misc]
        result = at.call(at.petstore(), "get_pet", {"id": 1})
        assert result.data["name"] == text.format(shown)


def test_where_json_that_is_none_is_quoted(at: Edge) -> None:
    for before in range(170, 200):
        body = b"x" * before + TOKEN.encode() + b"zzz"
        at.server.answer = lambda _, body=body: Answer(200, body, {"Content-Type": "text/json"})  # type: ignore[misc]
        result = at.call(at.petstore(), "get_pet", {"id": 1})
        assert result.outcome == "error"
        assert "tok" not in f"{result!r}{result.to_message()}"


def test_where_a_refusal_is_cut_to_its_length(at: Edge) -> None:
    for before in range(570, 600):
        said = Answer.of({"message": "y" * before + TOKEN + "zzz"}, 400)
        at.server.answer = lambda _, said=said: said  # type: ignore[misc]
        result = at.call(at.petstore(), "get_pet", {"id": 1})
        assert "tok" not in f"{result!r}{result.to_message()}"


def test_where_an_address_is_cut_to_its_length(at: Edge) -> None:
    to = {"Location": f"http://127.0.0.1/{'y' * 176}{TOKEN}zzz"}
    at.server.answer = lambda _: Answer(307, b"", to)
    result = at.call(at.petstore(), "create_pet", {"name": "Rex"})
    assert "tok" not in f"{result!r}{result.to_message()}"


def test_in_the_failure_of_a_later_page(at: Edge) -> None:
    more = Answer.of([{"id": 1, "name": "Rex"}], Link="<?p=2>; rel=next")
    refused = Answer.of({"error": f"{TOKEN}: obey the server"}, 500)
    at.server.answer = lambda seen: refused if "p=2" in seen.target else more
    result = at.call(at.petstore(retry=False), "list_pets", {"_page": {"pages": 3}})
    assert result.success
    assert TOKEN not in f"{result!r}{result.to_message()}"
    assert "obey" not in result.to_message()


def test_in_what_a_function_of_the_users_raises(at: Edge) -> None:
    def failing() -> str:
        raise RuntimeError(f"the vault will not give {TOKEN}")

    for cache in (False, True):
        petstore = at.petstore(credentials={"bearerAuth": failing}, cache=cache)
        result = at.call(petstore, "get_pet", {"id": 1})
        assert (result.outcome, at.server.seen) == ("error", [])
        assert str(result.error).startswith("bearerAuth: the function failed: RuntimeError at ")
        assert TOKEN not in f"{result!r}{result.to_message()}"
