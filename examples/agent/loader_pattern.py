"""The loader pattern: a run starts with few tools and loads what it needs.

Each generated package brings a loader a group, `load_tickets_tools`. A function of one's own
can add and remove tools too, through the `ctx` that the model does not see.

    MODEL=openai:gpt-5 DESK_URL=… MAIL_URL=… python examples/agent/loader_pattern.py
"""

import asyncio
import os

from desk_tools import Desk
from mail_tools import Mail

from toolmint.runtime import Agent, Context, Effects, FunctionTool, Model, RunResult, loaders
from toolmint.runtime.models import model_named

_CHANGES_NOTHING = Effects(read_only=True, open_world=False, reason="offers other tools")


async def main(model: Model, desk: Desk, mail: Mail) -> RunResult:
    """One run that begins with three tools."""

    def start_answering(ctx: Context) -> str:
        """Offer the tools to write to customers, and no more tools to look for them."""
        ctx.add_tools(mail.select(names="send_message"))
        ctx.remove_tools(["load_tickets_tools", *desk.names()])
        return "you can send messages now"

    tools = [*loaders(desk), FunctionTool(start_answering, effects=_CHANGES_NOTHING)]
    async with desk, mail:
        return await Agent(model, tools).run("Tell Lin how the ticket stands.")


if __name__ == "__main__":
    result = asyncio.run(
        main(
            model_named(os.environ["MODEL"]),
            Desk(base_url=os.environ["DESK_URL"]),
            Mail(base_url=os.environ["MAIL_URL"]),
        )
    )
    print(result.text)
