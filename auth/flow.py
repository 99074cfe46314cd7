"""Steps of authentication that work alike under a blocking and an asynchronous client."""

from collections.abc import Awaitable, Callable, Generator
from dataclasses import dataclass
from typing import Generic, Protocol, TypeAlias, TypeVar, cast, runtime_checkable

from .errors import CredentialError
from .request import Answer, Outgoing
from .schemes import Scheme
from .secret import Secret
from .sources import Pair

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Job(Generic[T]):
    """Work that must be waited for: `block` in a thread of one's own, `wait` in an event loop."""

    block: Callable[[], T]
    wait: Callable[[], Awaitable[T]]


Flow: TypeAlias = Generator[Job[object], object, T]
"""Gives out jobs, takes their results, returns a T. `run` and `await_` drive it."""


def perform(job: Job[T]) -> Flow[T]:
    """Have a job done: `result = yield from perform(job)`."""
    return cast(T, (yield cast(Job[object], job)))


def run(flow: Flow[T]) -> T:
    """Drive a flow in the calling thread."""
    try:
        job = next(flow)
        while True:
            try:
                result = job.block()
            except CredentialError as error:
                job = flow.throw(error)
            else:
                job = flow.send(result)
    except StopIteration as stop:
        return cast(T, stop.value)


async def await_(flow: Flow[T]) -> T:
    """Drive a flow in the running event loop."""
    try:
        job = next(flow)
        while True:
            try:
                result = await job.wait()
            except CredentialError as error:
                job = flow.throw(error)
            else:
                job = flow.send(result)
    except StopIteration as stop:
        return cast(T, stop.value)


def in_thread(block: Callable[[], T]) -> Job[T]:
    """Blocking work, done in a thread where an event loop must go on."""

    async def wait() -> T:
        from asyncio import to_thread

        return await to_thread(block)

    return Job(block, wait)


class Proof(Protocol):
    """One scheme's part in one call."""

    def sign(self, request: Outgoing) -> Flow[Outgoing]:
        """The request with the credential, or without one where a challenge must come first."""
        ...

    def again(self, request: Outgoing, answer: Answer) -> Flow[Outgoing | None]:
        """The request to send once more after this answer, or None when the answer stands."""
        ...


@runtime_checkable
class Prover(Protocol):
    """A credential that is made or renewed at call time: an OAuth client, a digest."""

    def begin(
        self, scheme: Scheme, scopes: tuple[str, ...], learn: Callable[[Secret | Pair], None]
    ) -> Proof:
        """Take part in a call; `learn` is told every secret that comes up, to be hidden."""
        ...
