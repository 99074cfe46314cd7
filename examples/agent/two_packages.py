"""An agent with two generated packages, in the terminal; it asks before it changes anything.

    MODEL=openai:gpt-5 DESK_URL=… MAIL_URL=… python examples/agent/two_packages.py "PROMPT"

The packages' credentials are read from DESK_TOKEN and MAIL_TOKEN, the model's key from its
provider's variable.
"""

import asyncio
import os
import sys

from desk_tools import Desk
from mail_tools import Mail

from toolmint.runtime import Agent, Budget, Model, RunResult, TerminalApprover
from toolmint.runtime.agent.transcript import lines
from toolmint.runtime.models import model_named

INSTRUCTIONS = "You keep a support desk in order. Tell customers what you did for them."


async def main(model: Model, desk: Desk, mail: Mail, prompt: str) -> RunResult:
    """One run, told step by step."""
    agent = Agent(
        model,
        [desk, mail],
        instructions=INSTRUCTIONS,
        approve=TerminalApprover(),
        budget=Budget(calls=20, seconds=300),
    )
    async with desk, mail:
        async for step in agent.stream(prompt):
            for line in lines(step):
                print(line)
    return step.result  # the last step is the end


if __name__ == "__main__":
    asyncio.run(
        main(
            model_named(os.environ["MODEL"]),
            Desk(base_url=os.environ["DESK_URL"]),
            Mail(base_url=os.environ["MAIL_URL"]),
            sys.argv[1],
        )
    )
