"""What came of a call: whole for the program, capped for a model."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .errors import Outcome, ToolError
from .redact import hide_secret_looking

RESULT_TOKENS = 4000
BYTES_PER_TOKEN = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """The one outcome of a call.

    `data` is the decoded answer, whole; None unless `outcome` is "ok". `metadata` may hold
    `status`, `headers` (lower-case names), `attempts`, `elapsed` (seconds), `retry_after`
    (seconds) and `call_id`. The toolset's own credentials are hidden in every part.
    """

    outcome: Outcome
    data: Any = None
    error: ToolError | None = None
    metadata: Mapping[str, object] = field(default_factory=dict[str, object])

    @property
    def success(self) -> bool:
        """The call did what it was asked to."""
        return self.outcome == "ok"

    def to_message(self, *, tokens: int = RESULT_TOKENS) -> str:
        """What a model is told: JSON text of about `tokens` at most, secret-looking values hidden.

        A success is its data; anything else an object with `outcome` and `error`.
        """
        text = json.dumps(
            hide_secret_looking(self._told()),
            ensure_ascii=False,
            separators=(",", ":"),
            default=str,
        )
        return _capped(text, tokens)

    def _told(self) -> object:
        if self.error is None:
            return self.data
        told: dict[str, object] = {"outcome": self.outcome, "error": self.error.message}
        if self.error.details and self.outcome == "denied":
            told["details"] = list(self.error.details)  # elsewhere the message says it all
        if "retry_after" in self.metadata:
            told["retry_after"] = self.metadata["retry_after"]
        return told


def _capped(text: str, tokens: int) -> str:
    room = tokens * BYTES_PER_TOKEN
    if len(text) * 4 <= room or len(whole := text.encode("utf-8", "replace")) <= room:
        return text
    count = -(-len(whole) // BYTES_PER_TOKEN)
    shown = whole[:room].decode("utf-8", "ignore")
    return f"{shown}\n[cut: the first {tokens} of about {count} tokens; ask for less]"
