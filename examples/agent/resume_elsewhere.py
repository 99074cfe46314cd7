"""Resume after approval in another process: three commands, nothing but files between them.

    python examples/agent/resume_elsewhere.py start "Delete ticket 1."   writes run.json, asks
    python examples/agent/resume_elsewhere.py approve ada                writes approvals.json
    python examples/agent/resume_elsewhere.py resume                     goes on

All three need APPROVAL_KEY (32 random bytes in hexadecimal, from a secret store), which signs
the state, the questions and the answers; `start` and `resume` need MODEL, MODEL_URL (for another
server than the provider's), DESK_URL and DESK_TOKEN. `spent/` remembers which approvals were
used: none counts twice, whichever process resumes.
"""

import asyncio
import json
import os
import sys
from pathlib import Path

from desk_tools import Desk

from toolmint.runtime import Agent, Approval, Approvals, FolderLedger, Question, RunResult
from toolmint.runtime.models import model_named

RUN, ANSWERS = Path("run.json"), Path("approvals.json")


def approvals() -> Approvals:
    """What all processes share: the key, and the ledger of what was used."""
    return Approvals(bytes.fromhex(os.environ["APPROVAL_KEY"]), FolderLedger("spent"))


def agent() -> Agent:
    """The same agent in each process; without an approver its runs pause."""
    address = os.environ.get("MODEL_URL")
    model = model_named(os.environ["MODEL"], **({"base_url": address} if address else {}))
    return Agent(model, Desk(base_url=os.environ["DESK_URL"]), approvals=approvals())


def start(prompt: str) -> None:
    """Run until an approval is missing, and keep the run."""
    tell(asyncio.run(agent().run(prompt)))


def approve(by: str) -> None:
    """Answer every question of the run; this process knows neither the model nor the desk."""
    given: list[dict[str, object]] = []
    for data in json.loads(RUN.read_text())["state"]["questions"]:
        question = Question.from_data(data)
        print(question.tool, json.dumps(question.arguments), *question.reasons)
        given.append(approvals().answer(question, True, by=by).to_data())
    ANSWERS.write_text(json.dumps(given))


def resume() -> None:
    """Go on with the run."""
    answers = [Approval.from_data(data) for data in json.loads(ANSWERS.read_text())]
    tell(asyncio.run(agent().resume(RUN.read_text(), answers)))


def tell(result: RunResult) -> None:
    """Say how it ended, and keep a run that waits."""
    if result.state is not None:
        RUN.write_text(result.state.to_json(approvals()))
    for call in result.calls:
        print(call.call.name, call.outcome)
    print(f"{result.reason}: {result.text}")


if __name__ == "__main__":
    {"start": start, "approve": approve, "resume": resume}[sys.argv[1]](*sys.argv[2:])
