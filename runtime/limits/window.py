"""What a server said it still allows, and until when."""

from math import ceil

from .headers import Quota

PATIENCE = 1.0  # seconds after which an unanswered probe is given up and another may go
SCARCE = 0.1  # the part of a limit that is not spent at once
CALM = 5.0  # seconds to the reset from which on the scarce rest is spread over all of them
SLOWEST_PACE = 2.0  # seconds between calls when they are spread


class Window:
    """The last word of a server on one quota.

    `left` is what may still be sent before `resets_at`: what the server reported, less
    the calls it had not seen. When the time has come nothing is taken for granted (a token
    bucket may have grown by one, a fixed window by all): one call goes ahead as a probe and
    its answer says how many may follow.

    The last tenth is spent slowly. A server that refills all the time then never runs dry,
    and one that refills at once is not hit at full speed.
    """

    __slots__ = ("_last", "_pace", "left", "length", "limit", "probing", "resets_at")

    def __init__(self, quota: Quota, unseen: float, now: float) -> None:
        self.limit: float | None = None
        self.length: float | None = None
        self._last = now
        self.observe(quota, unseen, now)

    def observe(self, quota: Quota, unseen: float, now: float) -> None:
        """Take the server's word, given the number of `unseen` calls on their way to it."""
        self.limit = quota.limit or self.limit
        self.length = quota.length or self.length
        remaining = quota.remaining or 0.0
        reset = self.length if quota.reset is None else quota.reset
        reset = PATIENCE if reset is None else reset
        self.left = remaining - unseen
        self.resets_at = now + reset
        self.probing = False
        self._pace = _pace(self.limit, remaining, reset)

    def wait(self, tokens: float, now: float, ahead: float = 0.0) -> float:
        """Seconds until `tokens` may go, once `ahead` others went; an estimate past the reset."""
        self._roll(now)
        lacking = ahead + min(tokens, self.limit or tokens) - self.left
        if lacking <= 0:
            if not self._pace or self.left - ahead >= (self.limit or 0.0) * SCARCE:
                return 0.0
            return max(0.0, self._last + self._pace - now)
        windows = ceil(lacking / (self.limit or lacking)) - 1
        return self.resets_at - now + windows * (self.length or PATIENCE)

    def take(self, tokens: float, now: float) -> None:
        """Count calls that are sent, or will be."""
        self.left -= tokens
        self._last = now

    def give_back(self, tokens: float) -> None:
        """Uncount calls that were never sent."""
        self.left += tokens

    def _roll(self, now: float) -> None:
        if now >= self.resets_at:
            self.left = 1.0
            self.resets_at = now + PATIENCE
            self.probing = True
            self._pace = 0.0


def _pace(limit: float | None, remaining: float, reset: float) -> float:
    """Seconds between the last calls of a quota.

    Far from the reset they are spread. Near it they keep to the speed at which a bucket
    that is full at the reset fills.
    """
    if limit is None or remaining <= 0:
        return 0.0
    if reset >= CALM:
        return min(reset / remaining, SLOWEST_PACE)
    return reset / (limit - remaining) if remaining < limit else 0.0
