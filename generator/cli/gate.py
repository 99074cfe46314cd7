"""Who decides about a call from the command line: the person at the terminal, or `--yes`."""

import sys
from collections.abc import Callable

import click

from ...runtime import Allowed, Denied, Proposal
from ...runtime.gates.approvers import read_line
from ..catalogue_words import effect

PERSON = "the person at the terminal"


class AtTerminal:
    """Asks before a consequential call; without a terminal only `yes` lets it through.

    `shown` is the exact request of a proposed call, as the person is shown it.
    """

    def __init__(self, shown: Callable[[Proposal], str], *, yes: bool) -> None:
        self._shown = shown
        self._yes = yes

    async def decide(self, proposal: Proposal) -> Allowed | Denied:
        """Allow the call, or deny it with what to do."""
        tool = proposal.tool
        if not tool.gate.asks(tool.effects):
            return Allowed(by="gate")
        if self._yes:
            return Allowed(by="--yes")
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            return Denied(by="gate", reason=f"it {effect(tool.effects)}; add --yes to send it.")
        click.echo(self._shown(proposal), err=True)
        click.echo(f"{tool.name} {effect(tool.effects)}. Send this? [y/N]: ", err=True, nl=False)
        answer = await read_line(sys.stdin)
        if answer.strip().lower() in ("y", "yes"):
            return Allowed(by=PERSON)
        return Denied(by=PERSON, reason="nothing was sent.")
