"""The schemes of fixtures/openapi case 11, and a request signed with credentials for them."""

import asyncio
from collections.abc import Mapping

from toolmint.auth import (
    ApiKey,
    Choice,
    Credential,
    Credentials,
    HttpBasic,
    HttpBearer,
    Outgoing,
    Scheme,
    Security,
)

SCHEMES: dict[str, Scheme] = {
    "tenantKey": ApiKey("X-Tenant"),
    "userToken": HttpBearer(),
    "legacy": HttpBasic(),
    "queryKey": ApiKey("api_key", place="query"),
    "sessionCookie": ApiKey("sid", place="cookie"),
}
ROOT: Security = [{"tenantKey": [], "userToken": []}, {"legacy": []}]
PUBLIC: Security = [{}, {"queryKey": []}]
API = "https://api.case11.example"


def sign(credentials: Credentials, security: Security, url: str = f"{API}/x") -> Outgoing:
    choice = credentials.choose(security)
    assert isinstance(choice, Choice)
    signed, pending = choice.static(Outgoing("GET", url))
    assert pending == ()
    assert signed == asyncio.run(choice.apply(Outgoing("GET", url)))
    return signed


def signed_with(
    values: Mapping[str, Credential], security: Security, url: str = f"{API}/x"
) -> tuple[str, dict[str, str]]:
    signed = sign(Credentials(SCHEMES, values), security, url)
    return signed.url, dict(signed.headers)
