"""What response headers say of rate limits, whatever their dialect.

Read are the IETF drafts of `draft-ietf-httpapi-ratelimit-headers` (00-05: three fields,
06: with a policy, 07: one dictionary, 08 and later: lists of named items) and the families
that came before and beside them: `X-RateLimit-*`, `X-Rate-Limit-*`, fields with a scope
(`x-ratelimit-remaining-requests`, `anthropic-ratelimit-requests-reset`,
`X-RateLimit-Remaining-Minute`), and `Retry-After` with its millisecond variants.
A malformed field is ignored, as the draft demands.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from .times import epoch, seconds_until

LONGEST_NAME = 80
LONGEST_VALUE = 1024  # characters; what is longer is no rate limit
MOST_QUOTAS = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Quota:
    """One quota as a response states it; None is what it does not say."""

    name: str = ""
    limit: float | None = None
    remaining: float | None = None
    reset: float | None = None  # seconds from now
    length: float | None = None  # seconds of a whole window
    counts_requests: bool = True  # False: tokens, bytes, points; only emptiness says something


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """Everything one response says of limits."""

    quotas: tuple[Quota, ...] = ()
    retry_after: float | None = None  # seconds


NOTHING = Observation()


def read(headers: Iterable[tuple[str, str]], *, now: float, status: int = 200) -> Observation:
    """Read the headers of one response, received at epoch time `now`.

    Times on the server's clock are measured against its own `Date`, so that a client whose
    clock is wrong waits as long as one whose clock is right. Pairs without any word of
    limits cost a dictionary look-up each.
    """
    found: dict[_Role, str] | None = None
    date = ""
    for name, value in headers:
        role = _role(name) if len(name) < LONGEST_NAME else None
        if role is None or len(value) > LONGEST_VALUE:
            continue
        if role is _DATE:
            date = value
            continue
        found = {} if found is None else found
        found[role] = f"{found[role]}, {value}" if role in found else value
    if not found:
        return NOTHING
    server_now = now if not date else epoch(date) or now
    return Observation(
        quotas=tuple(_quotas(found, server_now, status))[:MOST_QUOTAS],
        retry_after=_retry_after(found, server_now),
    )


# ── names ───────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _Role:
    """What one header field is: a `field` of the quota `scope` in the family `rank`."""

    rank: int  # the families by trust: drafts first
    scope: str
    field: str


_DATE = _Role(0, "", "date")
_FIXED = {
    "date": _DATE,
    "retry-after-ms": _Role(0, "", "retry-ms"),
    "x-retry-after-ms": _Role(1, "", "retry-ms"),
    "x-ms-retry-after-ms": _Role(2, "", "retry-ms"),
    "retry-after": _Role(0, "", "retry"),
    "x-retry-after": _Role(1, "", "retry"),
    "ratelimit": _Role(0, "", "items"),
    "x-ratelimit": _Role(1, "", "items"),
    "x-rate-limit": _Role(2, "", "items"),
    "x-shopify-shop-api-call-limit": _Role(5, "", "used-of"),
    "ratelimit-policy": _Role(0, "", "policy"),
    "x-ratelimit-policy": _Role(1, "", "policy"),
}
_FAMILY = re.compile(r"(x-)?((?:[a-z0-9]+-)*?)(ratelimit|rate-limit|quota)-([a-z0-9-]+)")
_FIELDS = {
    "limit": "limit",
    "max": "limit",
    "dailylimit": "limit",
    "burst-capacity": "limit",
    "remaining": "remaining",
    "available": "remaining",
    "used": "used",
    "observed": "used",
    "reset-after": "reset",
    "reset-ms": "reset-ms",
    "reset": "reset",
    "resettime": "reset",
    "reset-time": "reset",
    "resetson": "reset",
    "next": "reset",
    "resource": "name",
    "bucket": "name",
    "interval-milliseconds": "length-ms",
    "window": "length",
    "replenish-rate": "rate",
}
_QUOTA_FIELDS = frozenset(_FIELDS.values())
_UNITS = {
    **dict.fromkeys(("second", "secondly"), 1.0),
    **dict.fromkeys(("minute", "minutely"), 60.0),
    **dict.fromkeys(("hour", "hourly"), 3600.0),
    **dict.fromkeys(("day", "daily"), 86400.0),
}
_OTHER_UNITS = re.compile(r"token|complex|byte|cost|point|content|concurren|credit")


@lru_cache(maxsize=2048)
def _role(name: str) -> _Role | None:
    name = name.lower()
    if name in _FIXED:
        return _FIXED[name]
    match = _FAMILY.fullmatch(name)
    if match is None or match[2] == "amzn-":  # Amazon's is a rate, not a count
        return None
    rank = (1 if match[1] else 0) + (0 if match[3] == "ratelimit" else 2) + (4 if match[2] else 0)
    words = match[4]
    for spelling, field in _FIELDS.items():
        if words == spelling:
            return _Role(rank, "", field)
        if words.startswith(spelling + "-"):  # remaining-requests
            return _Role(rank, words[len(spelling) + 1 :], field)
        if words.endswith("-" + spelling):  # requests-remaining
            return _Role(rank, words[: -len(spelling) - 1], field)
    return None


# ── values ──────────────────────────────────────────────────────────────────────────

_LEADING_NUMBER = re.compile(r"\s*(\d{1,18}(?:\.\d{1,18})?)")
_MEMBER = re.compile(
    r'\s*((?:[^;,"]|"(?:[^"\\]|\\.)*")*)((?:;(?:[^;,"]|"(?:[^"\\]|\\.)*")*)*)\s*(?:,|$)'
)


def _number(text: str | None) -> float | None:
    match = _LEADING_NUMBER.match(text or "")
    return float(match[1]) if match else None


def _members(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The members of a structured-field list, each with its parameters, unquoted."""
    position = 0
    while position < len(text):
        match = _MEMBER.match(text, position)
        if match is None or match.end() == position:
            return
        position = match.end()
        parameters: dict[str, str] = {}
        for part in match[2].split(";")[1:]:
            key, _, value = part.partition("=")
            parameters[key.strip().lower()] = value.strip().strip('"')
        yield match[1].strip().strip('"'), parameters


def _retry_after(found: Mapping[_Role, str], server_now: float) -> float | None:
    """The most exact of what is there: milliseconds before seconds and dates."""
    for role in sorted((r for r in found if r.field.startswith("retry")), key=_exactness):
        text = found[role]
        if role.field == "retry-ms":
            number = _number(text)
            if number is not None:
                return number / 1000
        else:
            delta = seconds_until(text, server_now)
            if delta is not None:
                return delta
    return None


def _exactness(role: _Role) -> tuple[bool, int]:
    return (role.field != "retry-ms", role.rank)


# ── quotas ──────────────────────────────────────────────────────────────────────────


def _quotas(found: Mapping[_Role, str], server_now: float, status: int) -> Iterator[Quota]:
    drafts = any(role.field in ("items", "policy") for role in found)
    named = list(_draft_quotas(found)) if drafts else []
    families = _families(found)
    if named:  # the same limit told twice, in the new spelling and the old one
        families = {scope: fields for scope, fields in families.items() if scope}
    policies = list(_members(_first(found, "policy"))) if drafts and not named else []
    label = families.get("", {}).pop("name", "")
    for scope, fields in families.items():
        quota = _family_quota(scope, label if not scope else "", fields, policies, server_now)
        if quota.remaining is None and status == 429 and quota.reset is not None:
            quota = replace(quota, remaining=0.0)
        if quota.remaining is not None or (quota.limit and quota.length):
            yield quota
    yield from named


def _families(found: Mapping[_Role, str]) -> dict[str, dict[str, str]]:
    """The fields of each scope, from the most trusted family that has them."""
    families: dict[str, dict[str, str]] = {}
    for role in sorted(found, key=lambda role: role.rank):
        if role.field in _QUOTA_FIELDS:
            families.setdefault(role.scope, {}).setdefault(role.field, found[role])
        elif role.field == "items" and _LEADING_NUMBER.fullmatch(found[role]):
            families.setdefault("", {}).setdefault("limit", found[role])  # Zendesk's `700`
        elif role.field == "used-of":
            used, _, limit = found[role].partition("/")  # Shopify's `32/40`
            families[""] = {"used": used, "limit": limit}
    return families


def _first(found: Mapping[_Role, str], field: str) -> str:
    roles = sorted((role for role in found if role.field == field), key=lambda r: r.rank)
    return found[roles[0]] if roles else ""


def _draft_quotas(found: Mapping[_Role, str]) -> Iterator[Quota]:
    """Drafts 07 (`limit=100, remaining=50, reset=50`) and 08 on (`"default";r=50;t=30`)."""
    policies = {name: parameters for name, parameters in _members(_first(found, "policy"))}
    items = _first(found, "items")
    members = list(_members(items))
    dictionary = dict(name.split("=", 1) for name, _ in members if "=" in name)
    if "remaining" in dictionary:
        limit = _number(dictionary.get("limit"))
        yield _timed(
            Quota(limit=limit, remaining=_number(dictionary["remaining"])),
            reset=dictionary.get("reset"),
            length=_window_of(limit, list(policies.items())),
        )
        return
    for name, parameters in members:
        remaining = _number(parameters.get("r"))
        if remaining is not None:
            policy = policies.pop(name, {})
            yield _timed(
                _policy_quota(name, policy, remaining), parameters.get("t"), policy.get("w")
            )
    for name, policy in policies.items():
        if "q" in policy:
            yield _timed(_policy_quota(name, policy, None), None, policy.get("w"))


def _policy_quota(name: str, policy: Mapping[str, str], remaining: float | None) -> Quota:
    return Quota(
        name=name,
        limit=_number(policy.get("q")),
        remaining=remaining,
        counts_requests=policy.get("qu", "requests") == "requests",
    )


def _timed(quota: Quota, reset: str | None, length: str | float | None) -> Quota:
    seconds = None if reset is None else seconds_until(reset, 0.0)
    window = _number(length) if isinstance(length, str) else length
    return replace(quota, reset=_lenient(seconds, whole=True), length=window)


def _family_quota(
    scope: str,
    label: str,
    fields: Mapping[str, str],
    policies: list[tuple[str, dict[str, str]]],
    server_now: float,
) -> Quota:
    """Three (or four) fields of one family and scope."""
    limit, used, rate = (_number(fields.get(field)) for field in ("limit", "used", "rate"))
    remaining = _number(fields.get("remaining"))
    if remaining is None and limit is not None and used is not None:
        remaining = max(0.0, limit - used)
    if ";" in fields.get("limit", ""):  # drafts 00-05: `100, 100;w=60`
        policies = list(_members(fields["limit"]))
    length = _window_of(limit, policies) if policies else None
    length = length or _UNITS.get(scope) or _number(fields.get("length"))
    if "length-ms" in fields:
        length = (_number(fields["length-ms"]) or 0.0) / 1000 or length
    if rate and limit:
        length = limit / rate
    reset = _reset(fields, server_now)
    return Quota(
        name=label or scope,
        limit=limit,
        remaining=remaining,
        reset=_lenient(reset, whole="." not in fields.get("reset", ".")),
        length=length,
        counts_requests=not _OTHER_UNITS.search(scope),
    )


def _reset(fields: Mapping[str, str], server_now: float) -> float | None:
    if "reset-ms" in fields:
        number = _number(fields["reset-ms"])
        if number is not None:
            return number / 1000 if number < 1e11 else max(0.0, number / 1000 - server_now)
    return seconds_until(fields["reset"], server_now) if "reset" in fields else None


def _window_of(limit: float | None, members: list[tuple[str, dict[str, str]]]) -> float | None:
    """The window of the policy that has this limit (`100;w=60`), or of the only one."""
    windows = {
        _number(parameters.get("q") or value): _number(
            parameters.get("w", parameters.get("window"))
        )
        for value, parameters in members
        if "w" in parameters or "window" in parameters
    }
    if len(windows) == 1:
        return next(iter(windows.values()))
    return windows.get(limit)


def _lenient(reset: float | None, *, whole: bool) -> float | None:
    """Whole seconds may have been rounded down: 0 is up to one, 59 is up to a minute."""
    if reset is None or not whole:
        return reset
    if reset == 0:
        return 1.0
    return reset + min(1.0, reset / 20) if reset >= 10 else reset
