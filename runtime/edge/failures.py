"""Why a call did not come to a request, as the error that its caller is given."""

from __future__ import annotations

from collections.abc import Sequence

from ...auth.errors import AuthorizationNeeded, CredentialError
from ..errors import ToolError, words
from ..validation import Problem, message
from ..wire.refusal import RequestProblem


def invalid(tool: str, problems: Sequence[Problem]) -> ToolError:
    """Arguments that do not fit, with every place and reason."""
    return ToolError(
        message(tool, problems),
        outcome="invalid_arguments",
        details=[problem.detail() for problem in problems],
    )


def unsendable(tool: str, problem: RequestProblem) -> ToolError:
    """Valid arguments that cannot travel, or settings that make no request."""
    if problem.argument is None:
        return ToolError(f"{tool}: {problem.reason}", outcome="error")
    return invalid(tool, [Problem(problem.pointer, problem.argument, problem.reason)])


def unauthorised(error: CredentialError) -> ToolError:
    """A credential that is there and cannot be used: denied, with what a person must do.

    An authorization server that gave no answer refused nothing: that is an error.
    """
    details: list[dict[str, object]] = []
    if isinstance(error, AuthorizationNeeded):
        details.append({"url": error.url, "code": error.code})
    return ToolError(str(error), outcome="error" if error.retryable else "denied", details=details)


def internal(error: Exception) -> ToolError:
    """A fault of ours, or of a function that was passed in; where it happened, for a report."""
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    place = f"{at.tb_frame.f_globals.get('__name__')}:{at.tb_lineno}" if at else "unknown"
    return ToolError(
        f"internal error: {type(error).__name__}: {words(error)}",
        outcome="error",
        details=[{"at": place}],
    )
