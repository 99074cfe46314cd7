"""One agent over a GraphQL package and an OpenAPI package: close an issue, tell who reported it.

    MODEL=openai:gpt-5 TRACKER_URL=… MAIL_URL=… python examples/agent/two_kinds.py ID

To the agent both are tools; the gates hold for both: an issue is read before it is closed, and
a person is asked before anything is changed or sent.
"""

import asyncio
import os
import sys

from mail_tools import Mail
from tracker_tools import Tracker

from toolmint.runtime import Agent, Approver, Model, RunResult, TerminalApprover
from toolmint.runtime.models import model_named

INSTRUCTIONS = "You close issues that are done, and tell their reporters so by mail."


async def main(
    model: Model, tracker: Tracker, mail: Mail, number: str, person: Approver
) -> RunResult:
    """One run over both."""
    async with tracker, mail:
        agent = Agent(model, [tracker, mail], instructions=INSTRUCTIONS, approve=person)
        return await agent.run(f"Issue {number} is done. Close it and tell its reporter.")


if __name__ == "__main__":
    result = asyncio.run(
        main(
            model_named(os.environ["MODEL"]),
            Tracker(base_url=os.environ["TRACKER_URL"]),
            Mail(base_url=os.environ["MAIL_URL"]),
            sys.argv[1],
            TerminalApprover(),
        )
    )
    print(result.text)
