"""What a person is asked before a call: this very call, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from ..canonical import digest
from ..wire.values import is_array, is_object


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One call of one run that waits for a decision.

    `digest` is of the tool and exactly these arguments; `nonce` makes each question its own;
    `signature` is what `Approvals` put on it.
    """

    run: str
    call_id: str
    tool: str
    arguments: Mapping[str, Any]
    reasons: tuple[str, ...]  # why it is asked, one sentence each
    digest: str
    nonce: str = field(repr=False)
    signature: str = field(default="", repr=False)

    def to_data(self) -> dict[str, Any]:
        """The question as plain JSON data."""
        return {**asdict(self), "arguments": dict(self.arguments), "reasons": list(self.reasons)}

    @classmethod
    def from_data(cls, data: object) -> Question:
        """The question that `to_data` wrote. Raises ValueError for anything else."""
        if not is_object(data) or set(data) != {one.name for one in fields(cls)}:
            raise ValueError("this is no question about a call")
        reasons, arguments = data["reasons"], data["arguments"]
        texts = [data[name] for name in ("run", "call_id", "tool", "digest", "nonce", "signature")]
        if not is_array(reasons) or not is_object(arguments):
            raise ValueError("a question has reasons and arguments")
        if not all(isinstance(text, str) for text in (*texts, *reasons)):
            raise ValueError("a question is made of texts")
        return cls(
            run=data["run"],
            call_id=data["call_id"],
            tool=data["tool"],
            arguments=dict(arguments),
            reasons=tuple(map(str, reasons)),
            digest=data["digest"],
            nonce=data["nonce"],
            signature=data["signature"],
        )

    @property
    def is_whole(self) -> bool:
        """Whether the arguments that are shown are those of the digest."""
        return digest([self.tool, self.arguments]) == self.digest
