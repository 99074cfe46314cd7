"""The gate pattern: what a program decides by itself, what a person decides, and in which order.

- `toolmint.toml` says that a ticket is read before it is changed, and that a person sees each
  deletion; the generated code carries that, and every entry obeys it.
- A callback answers what is routine and hands the rest to a person.
- A function of one's own stands behind the same gates.

    MODEL=openai:gpt-5 DESK_URL=… python examples/agent/gate_pattern.py
"""

import asyncio
import os

from desk_tools import Desk

from toolmint.runtime import (
    Agent,
    Approver,
    Effects,
    FunctionTool,
    Gate,
    Model,
    Question,
    RunResult,
    TerminalApprover,
)
from toolmint.runtime.models import model_named


def refund(number: int, euros: float) -> str:
    """Pay money back for a ticket."""
    return f"{euros:.2f} euros were paid back for ticket {number}"


REFUND = FunctionTool(
    refund,
    effects=Effects(destructive=True, reason="money does not come back by itself"),
    gate=Gate(approval="always", requires=("get_ticket",)),
)


def routine(person: Approver) -> Approver:
    """Comments and small refunds are routine; anything else is the person's to decide."""

    async def decide(question: Question) -> bool:
        if question.tool == "add_comment":
            return True
        if question.tool == "refund" and question.arguments["euros"] <= 10:
            return True
        answer = person(question)
        return answer if isinstance(answer, bool) else await answer

    return decide


async def main(model: Model, desk: Desk, person: Approver) -> RunResult:
    """One run behind the gates."""
    async with desk:
        agent = Agent(model, [desk, REFUND], approve=routine(person))
        return await agent.run("Ticket 2: the invoice is wrong by 8 euros. Settle it.")


if __name__ == "__main__":
    result = asyncio.run(
        main(
            model_named(os.environ["MODEL"]),
            Desk(base_url=os.environ["DESK_URL"]),
            TerminalApprover(),
        )
    )
    print(result.text)
