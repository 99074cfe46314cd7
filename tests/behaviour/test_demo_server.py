"""The demo's API is a real one: it keeps state, checks its token, and reports problems."""

from collections.abc import Iterator

import httpx
import pytest

from toolmint.generator.demo.desk import example
from toolmint.generator.demo.server import serve


@pytest.fixture
def client() -> Iterator[httpx.Client]:
    with (
        serve(example(), "secret") as address,
        httpx.Client(base_url=address, headers={"Authorization": "Bearer secret"}) as client,
    ):
        yield client


def test_it_keeps_what_it_is_told(client: httpx.Client) -> None:
    lin = {"name": "Lin", "email": "lin@customer.example"}
    opened = client.post("/tickets", json={"title": "It smokes", "customer": lin})
    assert (opened.status_code, opened.json()) == (
        201,
        {
            "number": 3,
            "title": "It smokes",
            "status": "open",
            "priority": "normal",
            "customer": lin,
            "agent": None,
            "labels": [],
            "comments": [],
        },
    )
    client.post("/tickets/3/comments", json={"text": "More smoke"})
    client.patch("/tickets/3", json={"agent": "ada", "status": "waiting"})
    assert client.get("/tickets/3").json() == {
        **opened.json(),
        "agent": "ada",
        "status": "waiting",
        "comments": ["More smoke"],
    }
    found = client.post("/tickets/search", json={"words": ["smoke", "more"]}).json()
    assert [ticket["number"] for ticket in found] == [3]
    assert client.get("/agents").json() == [
        {"name": "ada", "tickets": 1},
        {"name": "grace", "tickets": 1},
    ]
    assert client.delete("/tickets/3").status_code == 204
    assert client.get("/tickets/3").status_code == 404


def test_lists_take_states_and_a_limit(client: httpx.Client) -> None:
    numbers = [ticket["number"] for ticket in client.get("/tickets?status=open,waiting").json()]
    assert numbers == [2, 1]
    assert [ticket["number"] for ticket in client.get("/tickets?limit=1").json()] == [2]
    assert [ticket["number"] for ticket in client.get("/tickets?status=open").json()] == [1]


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "detail"),
    [
        ("GET", "/tickets/9", None, 404, "there is no ticket 9"),
        ("GET", "/nothing", None, 404, "there is no GET /v1/nothing"),
        ("GET", "/tickets?limit=99", None, 422, "limit is a number from 1 to 50"),
        ("POST", "/tickets", {"title": "Hi"}, 422, "title needs at least three characters"),
        ("POST", "/tickets", {"title": "Help"}, 422, "customer needs a name and an email"),
        ("PATCH", "/tickets/1", {"agent": "eve"}, 422, "'eve' is not one of ada, grace, None"),
        ("POST", "/tickets", [1], 422, "the body is not an object"),
    ],
)
def test_a_problem_says_what_is_wrong(
    client: httpx.Client, method: str, path: str, body: object, status: int, detail: str
) -> None:
    answer = client.request(method, path, json=body)
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert (answer.status_code, answer.json()) == (
        status,
        {"title": "Problem", "status": status, "detail": detail},
    )


def test_another_token_opens_nothing(client: httpx.Client) -> None:
    answer = client.get("/tickets", headers={"Authorization": "Bearer guess"})
    assert (answer.status_code, answer.json()["detail"]) == (
        401,
        "the desk does not know this token",
    )
