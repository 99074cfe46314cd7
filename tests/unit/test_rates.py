"""Rate limits are read where a description states numbers, and never guessed."""

from typing import Any

import pytest

from toolmint.generator.model.api import Result
from toolmint.generator.model.catalogue import RateLimit
from toolmint.generator.rates import duration, in_extensions, in_text, stated

from .samples import operation


def limit(requests: float, seconds: float, source: str = "") -> RateLimit:
    return RateLimit(requests=requests, seconds=seconds, source=source)


@pytest.mark.parametrize(
    ("value", "requests", "seconds"),
    [
        ({"requests": 3, "period": 60, "key": "ip"}, 3, 60),
        ({"limit": 100, "window": "60s"}, 100, 60),
        ("100/minute", 100, 60),
        ({"allRequests": {"rps": 10}}, 10, 1),
        ("20KPerMin", 20000, 60),
        ([{"limit": 5, "interval": 2, "unit": "minute"}], 5, 120),
        ({"requestsPerHour": 30}, 30, 3600),
        ({"limit": 5, "windowMs": 1500}, 5, 1.5),
    ],
)
def test_an_extension_states_a_limit(value: Any, requests: float, seconds: float) -> None:
    assert in_extensions({"x-rate-limit": value}) == limit(requests, seconds, "x-rate-limit")


def test_a_limit_may_be_spread_over_two_extensions() -> None:
    said = {"x-ratelimit-limit": 60, "x-ratelimit-window": "1h"}

    assert in_extensions(said) == limit(60, 3600, "x-ratelimit-limit")


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"x-throttling-tier": "20"},
        {"x-rate-limit": {"limit": 5}},
        {"x-rate-limit": {"limit": True, "period": 1}},
        {"x-rate-limit": {"limit": 0, "period": 1}},
        {"x-rate-limit": {"limit": -1, "period": 1}},
        {"x-rate-limit": None},
        {"x-rate-limit": {"limit": "9" * 400, "period": 1}},
        {"x-other": "100/minute"},
    ],
)
def test_half_a_limit_is_none(said: dict[str, Any]) -> None:
    assert in_extensions(said) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Rate limit exceeded: 5,000 calls per hour.", limit(5000, 3600)),
        ("Limited to 10 requests every 5 minutes", limit(10, 300)),
        ("At most 1.5 requests a second", limit(1.5, 1)),
        ("429 Too many requests", None),
        ("429: try again in a minute", None),
        ("Retry after 30 per lunar cycle", None),
    ],
)
def test_a_text_states_a_limit(text: str, expected: RateLimit | None) -> None:
    assert in_text(text) == expected


def test_an_extension_goes_before_a_429_response() -> None:
    answers = [Result(status="429", media_type=None, schema=None, description="60 requests/min")]
    spoken = operation("GET /a", results=answers)
    extended = operation("GET /a", results=answers, extensions={"x-ratelimit": "5/s"})

    assert stated(spoken) == limit(60, 60, "429 response")
    assert stated(extended) == limit(5, 1, "x-ratelimit")
    assert stated(operation("GET /a")) is None


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("30s", 30), ("1h", 3600), ("minute", 60), ("2 days", 172800), ("500ms", 0.5)],
)
def test_a_duration_is_seconds(text: str, seconds: float) -> None:
    assert duration(text) == seconds


@pytest.mark.parametrize("text", ["", "5", "fortnight", "-1s", "1h30m", "0s"])
def test_what_is_no_duration_is_none(text: str) -> None:
    assert duration(text) is None
