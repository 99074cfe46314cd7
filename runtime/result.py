"""What came of a call: whole for the program, capped for a model."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from .errors import Outcome, ToolError

RESULT_TOKENS = 4000


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """What the message to a model needs beside the result itself."""

    tool: str = ""
    has_fields: bool = False  # the tool takes `_fields`
    repeatable: bool = True  # it only reads
    tokens: int = RESULT_TOKENS
    ours: bool = False  # nothing of the data comes from outside this program


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """The one outcome of a call.

    `data` is the decoded answer, whole; None unless `outcome` is "ok". The toolset's own
    credentials are hidden in every part. `metadata` may hold

    - `status`, `headers` (lower-case names), `attempts` (requests sent), `elapsed` (seconds)
      and `call_id`;
    - `retry_after` (seconds), `rate` (`limit`, `remaining`, `reset` of the tightest quota) and
      `quota_gone`;
    - `cached` (True, with `age` in seconds and `stale`) or `shared` (another call's flight);
    - `next_page` (what `_page.after` takes), `pages` (how many were read), `notes` (sentences
      for the model), `repaired` (what was mended in the arguments), `corrections_left`,
      `result_problems` (where the data is not as described, with the `page` where there are
      several), `recovered_by` (a tool's name).
    """

    outcome: Outcome
    data: Any = None
    error: ToolError | None = None
    metadata: Mapping[str, object] = field(default_factory=dict[str, object])
    _telling: Telling = field(default=Telling(), repr=False, compare=False)

    @property
    def success(self) -> bool:
        """The call did what it was asked to."""
        return self.outcome == "ok"

    def to_message(self, *, tokens: int | None = None) -> str:
        """What a model is told, in about `tokens` at most, secret-looking values hidden.

        A success is its data, marked as others' words, with the way to what was cut off;
        anything else is a JSON object with `outcome` and `error`.
        """
        from .shown import messages

        room = self._telling.tokens if tokens is None else tokens
        notes = cast("tuple[str, ...]", self.metadata.get("notes", ()))
        if self.error is None:
            return messages.success(
                self.data,
                tool=self._telling.tool,
                tokens=room,
                has_fields=self._telling.has_fields,
                repeatable=self._telling.repeatable,
                next_page=cast("str | None", self.metadata.get("next_page")),
                notes=notes,
                ours=self._telling.ours,
            )
        return messages.failure(
            self.outcome,
            self.error.message,
            tokens=room,
            # elsewhere the message says it all
            details=self.error.details if self.outcome == "denied" else (),
            retry_after=cast("float | None", self.metadata.get("retry_after")),
            notes=notes,
        )


def briefly(result: ToolResult) -> str:
    """How a call ended in words of ours alone, which no server can put anything into."""
    status = result.metadata.get("status")
    return result.outcome if status is None else f"{result.outcome}, status {status}"
