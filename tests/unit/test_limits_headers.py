"""Every dialect of rate limit headers says the same thing: how much is left, and until when."""

import pytest

from tests.clock import START
from toolmint.runtime.limits import Observation, Quota, read, seconds_until

DATE = ("Date", "Tue, 14 Nov 2023 22:13:20 GMT")  # START


def observe(*headers: tuple[str, str], now: float = START, status: int = 200) -> Observation:
    return read(headers, now=now, status=status)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("5", 5.0),
        ("0", 0.0),
        ("0.25", 0.25),
        ("1700000030", 30.0),
        ("1700000030.5", 30.5),
        ("1700000030500", 30.5),
        ("1700000030500000", 30.5),
        ("1699999999", 0.0),  # already past
        ("6m0s", 360.0),
        ("1h2m3.5s", 3723.5),
        ("120ms", 0.12),
        ("1d", 86400.0),
        ("20 seconds", 20.0),
        ("PT1M30S", 90.0),
        ("P1DT2H", 93600.0),
        ("250us", 0.00025),
        ("2023-11-14T22:13:50Z", 30.0),
        ("2023-11-14T22:13:50.250+00:00", 30.25),
        ("2023-11-14T22:14Z", 40.0),
        ("2023-11-14 22:13:50", 30.0),
        ("Tue, 14 Nov 2023 22:13:50 GMT", 30.0),
        ("Tue Nov 14 2023 23:13:50 GMT+0100 (Central European Standard Time)", 30.0),
        ("9" * 20, 366 * 86400.0),
        ("", None),
        ("soon", None),
        ("-1", None),
        ("inf", None),
        ("nan", None),
        ("1e9", None),
        ("5" * 200, None),
    ],
)
def test_a_time_is_read_in_every_spelling(text: str, seconds: float | None) -> None:
    found = seconds_until(text, START)
    assert (None if found is None else round(found, 6)) == seconds


MINUTE = Quota(limit=100, remaining=50, reset=5.0, length=60.0)
BARE = Quota(limit=100, remaining=50, reset=5.0)


@pytest.mark.parametrize(
    ("headers", "quotas"),
    [
        # draft-ietf-httpapi-ratelimit-headers 00-05
        (
            {
                "RateLimit-Limit": "100, 100;w=60, 1000;w=3600",
                "RateLimit-Remaining": "50",
                "RateLimit-Reset": "5",
            },
            [MINUTE],
        ),
        # draft-polli-ratelimit-headers-00
        (
            {
                "RateLimit-Limit": "100, 100;window=60",
                "RateLimit-Remaining": "50",
                "RateLimit-Reset": "5",
            },
            [MINUTE],
        ),
        # 06
        (
            {
                "RateLimit-Policy": "100;w=60",
                "RateLimit-Limit": "100",
                "RateLimit-Remaining": "50",
                "RateLimit-Reset": "5",
            },
            [MINUTE],
        ),
        # 07
        (
            {"RateLimit-Policy": "100;w=60", "RateLimit": "limit=100, remaining=50, reset=5"},
            [MINUTE],
        ),
        # 08 and later
        (
            {"RateLimit-Policy": '"default";q=100;w=60', "RateLimit": '"default";r=50;t=5'},
            [Quota(name="default", limit=100, remaining=50, reset=5.0, length=60.0)],
        ),
        (
            {
                "RateLimit-Policy": '"burst";q=100;w=60,"daily";q=1000;w=86400;pk=:cHs=:',
                "RateLimit": '"burst";r=50;t=5, "daily";r=999',
            },
            [
                Quota(name="burst", limit=100, remaining=50, reset=5.0, length=60.0),
                Quota(name="daily", limit=1000, remaining=999, length=86400.0),
            ],
        ),
        (
            {
                "RateLimit-Policy": '"a;b,c";q=65535;qu="content-bytes";w=10',
                "RateLimit": '"a;b,c";r=12;t=5',
            },
            [
                Quota(
                    name="a;b,c",
                    limit=65535,
                    remaining=12,
                    reset=5.0,
                    length=10.0,
                    counts_requests=False,
                )
            ],
        ),
        ({"RateLimit": "default;r=50;t=5"}, [Quota(name="default", remaining=50, reset=5.0)]),
        # the policy alone
        (
            {"RateLimit-Policy": '"default";q=100;w=60'},
            [Quota(name="default", limit=100, length=60.0)],
        ),
        # both spellings at once are one quota
        (
            {
                "RateLimit": '"default";r=50;t=5',
                "X-RateLimit-Limit": "100",
                "X-RateLimit-Remaining": "50",
                "X-RateLimit-Reset": "1700000005",
            },
            [Quota(name="default", remaining=50, reset=5.0)],
        ),
        # GitHub
        (
            {
                "X-RateLimit-Limit": "100",
                "X-RateLimit-Remaining": "50",
                "X-RateLimit-Used": "50",
                "X-RateLimit-Reset": "1700000005",
                "X-RateLimit-Resource": "core",
            },
            [Quota(name="core", limit=100, remaining=50, reset=5.0)],
        ),
        # X, Okta
        (
            {
                "x-rate-limit-limit": "100",
                "x-rate-limit-remaining": "50",
                "x-rate-limit-reset": "1700000005",
            },
            [BARE],
        ),
        # epoch milliseconds, fractions
        (
            {
                "X-RateLimit-Limit": "100",
                "X-RateLimit-Remaining": "50",
                "X-RateLimit-Reset": "1700000005000",
            },
            [BARE],
        ),
        (
            {
                "X-RateLimit-Limit": "100",
                "X-RateLimit-Remaining": "50.0",
                "X-RateLimit-Reset-After": "5.000",
                "X-RateLimit-Bucket": "abcd",
            },
            [Quota(name="abcd", limit=100, remaining=50, reset=5.0)],
        ),
        # GitLab: a limit and what was observed
        (
            {
                "RateLimit-Limit": "100",
                "RateLimit-Observed": "50",
                "RateLimit-ResetTime": "Tue, 14 Nov 2023 22:13:25 GMT",
            },
            [BARE],
        ),
        # OpenAI: a scope behind the field, durations
        (
            {
                "x-ratelimit-limit-requests": "100",
                "x-ratelimit-remaining-requests": "50",
                "x-ratelimit-reset-requests": "6m0s",
                "x-ratelimit-limit-tokens": "9000",
                "x-ratelimit-remaining-tokens": "0",
                "x-ratelimit-reset-tokens": "120ms",
            },
            [
                Quota(name="requests", limit=100, remaining=50, reset=361.0),
                Quota(name="tokens", limit=9000, remaining=0, reset=0.12, counts_requests=False),
            ],
        ),
        # Anthropic: a scope before the field, RFC 3339
        (
            {
                "anthropic-ratelimit-requests-limit": "100",
                "anthropic-ratelimit-requests-remaining": "50",
                "anthropic-ratelimit-requests-reset": "2023-11-14T22:13:25Z",
            },
            [Quota(name="requests", limit=100, remaining=50, reset=5.0)],
        ),
        # Kong: the scope is the window
        (
            {"X-RateLimit-Limit-Minute": "100", "X-RateLimit-Remaining-Minute": "50"},
            [Quota(name="minute", limit=100, remaining=50, length=60.0)],
        ),
        # Spring Cloud Gateway: a token bucket
        (
            {
                "X-RateLimit-Remaining": "50",
                "X-RateLimit-Replenish-Rate": "20",
                "X-RateLimit-Burst-Capacity": "100",
            },
            [Quota(limit=100, remaining=50, length=5.0)],
        ),
        # HubSpot
        (
            {
                "X-HubSpot-RateLimit-Max": "100",
                "X-HubSpot-RateLimit-Remaining": "50",
                "X-HubSpot-RateLimit-Interval-Milliseconds": "10000",
            },
            [Quota(limit=100, remaining=50, length=10.0)],
        ),
        # Zendesk, Shopify, Azure
        (
            {"X-Rate-Limit": "100", "X-Rate-Limit-Remaining": "50", "RateLimit-Reset": "5"},
            [BARE],
        ),
        ({"X-Shopify-Shop-Api-Call-Limit": "50/100"}, [Quota(limit=100, remaining=50)]),
        (
            {"x-ms-ratelimit-remaining-subscription-reads": "50"},
            [Quota(name="subscription-reads", remaining=50)],
        ),
        # whole seconds may have been rounded down
        ({"RateLimit-Remaining": "0", "RateLimit-Reset": "0"}, [Quota(remaining=0, reset=1.0)]),
        ({"RateLimit-Remaining": "0", "RateLimit-Reset": "60"}, [Quota(remaining=0, reset=61.0)]),
        # nonsense is ignored
        ({"RateLimit": '"unclosed;r=1', "X-RateLimit-Remaining": "many"}, []),
        ({"X-RateLimit-Limit": "-1", "X-RateLimit-Remaining": "-1"}, []),
        ({"RateLimit": "a;r=1," * 1000}, []),
        ({"x-amzn-RateLimit-Limit": "0.5", "X-RateLimit-Limit": "100"}, []),
        ({"Content-Type": "application/json"}, []),
    ],
)
def test_a_dialect_is_read(headers: dict[str, str], quotas: list[Quota]) -> None:
    assert list(observe(DATE, *headers.items()).quotas) == quotas


@pytest.mark.parametrize("skew", [-86400.0, -3.0, 0.0, 7200.0])
def test_a_wrong_clock_is_corrected_by_the_date_of_the_answer(skew: float) -> None:
    headers = (DATE, ("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1700000005"))
    assert observe(*headers, now=START + skew).quotas == (Quota(remaining=0, reset=5.0),)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "7"}, 7.0),
        ({"Retry-After": "1.5"}, 1.5),
        ({"Retry-After": "Tue, 14 Nov 2023 22:13:27 GMT"}, 7.0),
        ({"retry-after-ms": "1500", "retry-after": "2"}, 1.5),
        ({"x-ms-retry-after-ms": "1500"}, 1.5),
        ({"X-Retry-After": "7"}, 7.0),
        ({"Retry-After": "a while"}, None),
        ({}, None),
    ],
)
def test_retry_after_is_read(headers: dict[str, str], seconds: float | None) -> None:
    assert observe(DATE, *headers.items()).retry_after == seconds


def test_a_refusal_that_names_a_reset_says_that_nothing_is_left() -> None:
    headers = (DATE, ("X-RateLimit-Limit", "100"), ("X-RateLimit-Reset", "5"))
    assert observe(*headers, status=429).quotas == (Quota(limit=100, remaining=0, reset=5.0),)


def test_fields_that_were_split_over_lines_are_one_list() -> None:
    observation = observe(("RateLimit", '"a";r=1;t=2'), ("RateLimit", '"b";r=3;t=4'))
    assert [quota.name for quota in observation.quotas] == ["a", "b"]
