"""Rate limits toward the upstream API: stated ones, and what servers say."""

from .bucket import Bucket
from .headers import Observation, Quota, read
from .limiter import LONGEST_WAIT, Limiter, Permit, RateLimited
from .registry import Limiters, shared
from .times import seconds_until

__all__ = [
    "LONGEST_WAIT",
    "Bucket",
    "Limiter",
    "Limiters",
    "Observation",
    "Permit",
    "Quota",
    "RateLimited",
    "read",
    "seconds_until",
    "shared",
]
