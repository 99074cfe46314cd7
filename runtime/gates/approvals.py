"""Approvals: bound to one call, one tool, one digest and one run; signed; spent before the effect.

A paused run is plain data, and so are its questions and their answers. What makes an answer
worth something is the key: questions and answers carry its HMAC, so that nothing between the
two processes can forge or alter one. What makes it worth something only once is the ledger.
"""

from __future__ import annotations

import hmac
import os
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from secrets import token_bytes, token_hex
from typing import Any, Protocol

from ..canonical import canonical
from ..policy import Proposal
from ..wire.values import is_object
from .questions import Question

_SHORTEST_KEY = 16  # bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """A person's answer to one question. Only `Approvals.answer` makes one that counts."""

    run: str
    call_id: str
    tool: str
    digest: str
    nonce: str = field(repr=False)
    granted: bool
    by: str
    signature: str = field(default="", repr=False)

    def to_data(self) -> dict[str, Any]:
        """The approval as plain JSON data."""
        return {one.name: getattr(self, one.name) for one in fields(self)}

    @classmethod
    def from_data(cls, data: object) -> Approval:
        """The approval that `to_data` wrote. Raises ValueError for anything else."""
        if not is_object(data) or set(data) != {one.name for one in fields(cls)}:
            raise ValueError("this is no approval")
        if not isinstance(data["granted"], bool):
            raise ValueError("an approval is granted or not: true or false")  # noqa: TRY004
        if not all(isinstance(data[name], str) for name in data if name != "granted"):
            raise ValueError("an approval is made of texts")
        return cls(**data)


class Ledger(Protocol):
    """Remembers which approvals were spent."""

    def spend(self, nonce: str) -> bool:
        """True the first time, false ever after."""
        ...


class MemoryLedger:
    """For one process."""

    def __init__(self) -> None:
        self._spent: dict[str, object] = {}

    def spend(self, nonce: str) -> bool:
        """As `Ledger.spend`."""
        mine = object()
        return self._spent.setdefault(nonce, mine) is mine  # one step, also among threads


class FolderLedger:
    """For processes that share a folder: spending makes a file that must not be there yet."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._folder = Path(folder)

    def spend(self, nonce: str) -> bool:
        """As `Ledger.spend`. Raises OSError where the folder cannot be written."""
        if not nonce.isalnum():
            return False
        self._folder.mkdir(parents=True, exist_ok=True)
        try:
            made = os.open(self._folder / nonce, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        except FileExistsError:
            return False
        os.close(made)
        return True


class Approvals:
    """Asks, takes answers, and spends them.

    Without a `key` of one's own, answers count in this process only. Processes that resume each
    other's runs share the key (16 bytes at least, from a secret store) and the ledger.
    """

    def __init__(self, key: bytes | None = None, ledger: Ledger | None = None) -> None:
        if key is not None and len(key) < _SHORTEST_KEY:
            raise ValueError(f"the key of approvals must have {_SHORTEST_KEY} bytes at least")
        self._key = key or token_bytes(32)
        self._ledger = ledger or MemoryLedger()

    def __repr__(self) -> str:
        return "Approvals()"

    def ask(self, proposal: Proposal, reasons: tuple[str, ...]) -> Question:
        """The question about a proposed call."""
        question = Question(
            run=proposal.run,
            call_id=proposal.call_id or "",
            tool=proposal.tool.name,
            arguments=deepcopy(dict(proposal.arguments)),  # nobody who is asked can change them
            reasons=reasons,
            digest=proposal.digest,
            nonce=token_hex(16),
        )
        return replace(question, signature=self.sign("question", _bound(question)))

    def answer(self, question: Question, granted: object, *, by: str) -> Approval:
        """An answer that counts. `granted` is a real True or False; anything else is a TypeError.

        Raises ValueError for a question that was forged or altered.
        """
        if not isinstance(granted, bool):
            raise TypeError("an approval is granted or not: True or False")
        if not question.is_whole or not self._is_signed("question", question):
            raise ValueError("this question was not asked here, or was altered since")
        answered = Approval(
            run=question.run,
            call_id=question.call_id,
            tool=question.tool,
            digest=question.digest,
            nonce=question.nonce,
            granted=granted,
            by=by,
        )
        return replace(answered, signature=self.sign("approval", _bound(answered)))

    def refusal(self, approval: Approval, question: Question) -> str | None:
        """Why an approval is no answer to a question; None when it is. Nothing is spent."""
        if not self._is_signed("approval", approval):
            return "the approval was forged or altered"
        for name, what in _BOUND.items():
            if getattr(approval, name) != getattr(question, name):
                return f"the approval was given {what}"
        return None

    def spend(self, approval: Approval) -> bool:
        """Use an approval up, before its effect. False when it was spent already."""
        return self._ledger.spend(approval.nonce) is True

    def sign(self, kind: str, data: Mapping[str, Any]) -> str:
        """The HMAC-SHA-256 of plain data under the key, in hexadecimal."""
        return hmac.new(self._key, canonical([kind, data]), "sha256").hexdigest()

    def _is_signed(self, kind: str, signed: Question | Approval) -> bool:
        return hmac.compare_digest(self.sign(kind, _bound(signed)), signed.signature)


_BOUND = {
    "run": "in another run",
    "call_id": "for another call",
    "tool": "for another tool",
    "digest": "for other arguments",
    "nonce": "to another question",
}


def _bound(signed: Question | Approval) -> dict[str, Any]:
    """Everything that is said, but for the signature."""
    return {name: value for name, value in signed.to_data().items() if name != "signature"}
