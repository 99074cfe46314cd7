"""What the tests of the execution edge share: a toolset whose time and chance they hold."""

import asyncio
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.behaviour.loopback import Loopback, loopback
from tests.behaviour.packages.petstore_tools import Petstore
from tests.clock import ManualClock
from toolmint.runtime import Surroundings, ToolResult
from toolmint.runtime.limits import Limiters

TOKEN = "tok-123456"


def longest(_: float, most: float) -> float:
    """Chance that always picks the longest wait."""
    return most


@dataclass
class Edge:
    """A Petstore on a loopback server, with everything that was written to its audit log."""

    server: Loopback
    clock: ManualClock = field(default_factory=ManualClock)
    log: list[Mapping[str, Any]] = field(default_factory=list[Mapping[str, Any]])

    def petstore(self, **settings: Any) -> Petstore:
        """A toolset that waits on the clock held here."""
        given: dict[str, Any] = {
            "credentials": {"bearerAuth": TOKEN},
            "base_url": self.server.url,
            "audit": self.log.append,
            "surroundings": self.surroundings(),
        }
        return Petstore(**{**given, **settings})

    def surroundings(self, uniform: Callable[[float, float], float] = longest) -> Surroundings:
        """The clock held here, and limiters that nobody else has."""
        return Surroundings(clock=self.clock, uniform=uniform, limiters=Limiters(self.clock))

    def call(self, petstore: Petstore, name: str, arguments: Any = None, **more: Any) -> ToolResult:
        """One call, with every wait passed at once."""

        async def main() -> ToolResult:
            async with petstore:
                return await self.clock.drive(petstore.call(name, arguments, **more))

        return asyncio.run(main())

    @property
    def targets(self) -> list[str]:
        """`METHOD /path` of every request that came in."""
        return [f"{seen.method} {seen.target}" for seen in self.server.seen]


@contextmanager
def edge() -> Generator[Edge]:
    """A server, a clock and an audit log."""
    with loopback() as server:
        yield Edge(server)
