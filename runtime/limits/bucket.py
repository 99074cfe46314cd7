"""A token bucket that can be overdrawn: a reservation is a debt with a date."""

LONGEST_PACED_WINDOW = 60.0  # seconds; a longer allowance may be used at once


class Bucket:
    """`requests` in `seconds`, as a description or a setting states it.

    Allowances of up to a minute are paced: a tenth may go at once, the rest evenly, and no
    window of `seconds`, wherever it starts, ever holds more than `requests`. A longer
    allowance (5000 an hour) may be used at once and grows back evenly: pacing it would turn
    calls away while most of it is left.
    """

    __slots__ = ("_at", "_tokens", "burst", "rate")

    def __init__(self, requests: float, seconds: float, now: float) -> None:
        if requests <= 0 or seconds <= 0:
            raise ValueError("a rate limit needs more than 0 requests in more than 0 seconds")
        if seconds > LONGEST_PACED_WINDOW:
            self.burst, self.rate = max(1.0, requests), requests / seconds
        else:
            self.burst = max(1.0, requests // 10)
            self.rate = min(requests, requests - self.burst + 1) / seconds
        self._tokens, self._at = self.burst, now

    def wait(self, tokens: float, now: float, ahead: float = 0.0) -> float:
        """Seconds until `tokens` are there, once `ahead` others were served first.

        More than the bucket holds need a full bucket, not an impossible one.
        """
        lacking = ahead + min(tokens, self.burst) - self._available(now)
        return lacking / self.rate if lacking > 1e-9 else 0.0

    def take(self, tokens: float, now: float) -> None:
        """Take tokens that are there, or owe them."""
        self._tokens = self._available(now) - tokens
        self._at = now

    def give_back(self, tokens: float) -> None:
        """Return tokens that were not used."""
        self._tokens = min(self.burst, self._tokens + tokens)

    def reserve(self, tokens: float, now: float) -> float:
        """Take tokens now or in advance; the seconds to wait before using them."""
        delay = self.wait(tokens, now)
        self.take(tokens, now)
        return delay

    def _available(self, now: float) -> float:
        return min(self.burst, self._tokens + (now - self._at) * self.rate)
