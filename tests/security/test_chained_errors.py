"""An error that leaves a secret out takes along none of the errors that hold it."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import httpx
import pytest

from tests.behaviour.edge import TOKEN, Edge, edge
from tests.behaviour.loopback import Answer
from tests.behaviour.providers import KEY, ask
from toolmint.auth import CredentialError, Credentials, HttpBearer, file
from toolmint.auth.choice import Choice
from toolmint.auth.sources import Unavailable
from toolmint.runtime import ModelError, OpenAIChat, ToolError
from toolmint.runtime.edge.retry import RetryPolicy


@pytest.fixture
def at() -> Iterator[Edge]:
    with edge() as started:
        yield started


def failing() -> str:
    raise RuntimeError(f"the vault will not give {TOKEN}")


async def failing_later() -> str:
    return failing()


def chained(error: BaseException | None) -> Iterator[BaseException]:
    """The error and all that a debugger, or a logger of its own mind, would find behind it."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def told(error: BaseException) -> str:
    return "\n".join(f"{one!r} {vars(one)!r}" for one in chained(error))


def test_of_a_request_that_is_only_prepared(at: Edge) -> None:
    petstore = at.petstore()
    with pytest.raises(ToolError) as caught:
        petstore.pets.get_pet(id=TOKEN).prepare()  # type: ignore[arg-type]
    assert list(chained(caught.value)) == [caught.value]
    assert TOKEN not in told(caught.value)
    petstore = at.petstore(credentials={"bearerAuth": failing})
    with pytest.raises(ToolError, match="the function failed") as caught:
        petstore.pets.get_pet(id=1).prepare()
    assert list(chained(caught.value)) == [caught.value]


def test_of_a_call(at: Edge) -> None:
    at.server.answer = lambda _: Answer.of({"message": TOKEN}, 400)
    for credential in (TOKEN, failing, failing_later):
        with pytest.raises(ToolError) as caught:
            at.petstore(credentials={"bearerAuth": credential}).pets.get_pet(id=1).run()
        assert list(chained(caught.value)) == [caught.value]
        assert TOKEN not in told(caught.value)


@pytest.mark.parametrize("function", [failing, failing_later])
def test_of_a_function_that_gives_credentials(
    function: Callable[[], str | Awaitable[str]],
) -> None:
    choice = Credentials({"api": HttpBearer()}, {"api": function}).choose([{"api": []}])
    assert isinstance(choice, Choice)
    with pytest.raises(CredentialError) as caught:
        httpx.get("http://127.0.0.1:9", auth=choice.as_httpx_auth())
    assert TOKEN not in told(caught.value)

    async def main() -> None:
        async with httpx.AsyncClient() as client:
            await client.get("http://127.0.0.1:9", auth=choice.as_httpx_auth())

    with pytest.raises(CredentialError) as caught:
        asyncio.run(main())
    assert TOKEN not in told(caught.value)


def test_of_a_file_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "token"
    path.write_bytes(b"\xff" + TOKEN.encode())
    with pytest.raises(Unavailable) as caught:
        file(path).read({})
    assert str(caught.value) == f"{path} is not UTF-8 text"
    assert list(chained(caught.value)) == [caught.value]


def test_of_a_model_that_does_not_answer() -> None:
    model = OpenAIChat(
        "m", api_key=KEY, base_url="http://127.0.0.1:9", retries=RetryPolicy(attempts=1)
    )
    with pytest.raises(ModelError) as caught:
        ask(model)
    assert list(chained(caught.value)) == [caught.value]
