"""What the calls of a toolset and its views have in common, made when the first call needs it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..session import Session
    from .attempts import Sender
    from .cache import ResultCache
    from .corrections import Corrections
    from .reading import Read, Reading


class Shared:
    """The moving parts of the execution edge, made as the session's settings say."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @cached_property
    def corrections(self) -> Corrections | None:
        """Counts the corrections that models are asked for; None when they are not."""
        from .corrections import Corrections

        most = self._session.validation.corrections
        return Corrections(most) if most else None

    @cached_property
    def reading(self) -> Reading:
        """What gets the answers of calls. It loads what `prepare` does without."""
        from .reading import Reading

        return Reading(self._session, self._sender(), self._cache())

    def _sender(self) -> Sender:
        """What sends, limited and repeated."""
        from .attempts import Sender
        from .pacing import Pacer

        session = self._session
        surroundings = session.surroundings
        return Sender(
            transport=session.transport,
            pacer=Pacer(session.limits, surroundings.limiters, anonymous=session.client_name),
            policy=session.patience,
            surroundings=surroundings,
            seconds=session.total_seconds,
            hide=session.credentials.hide,
        )

    def _cache(self) -> ResultCache[Read] | None:
        """Results of pure calls, where they are kept at all."""
        from .cache import ResultCache

        kept = self._session.kept
        if kept is None:
            return None
        return ResultCache(
            self._session.surroundings.clock,
            keep=lambda read: read.result.success,
            passes=lambda read: read.passes,
            size=lambda read: read.size,
            lifetime=kept.seconds,
            stale_for=kept.stale_seconds,
        )
