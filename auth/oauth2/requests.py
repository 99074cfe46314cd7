"""Requests to the endpoints of an authorization server, and what their answers mean."""

import json
import re
from base64 import b64decode
from collections.abc import Mapping
from typing import Any, cast
from urllib.parse import unquote_plus, urlencode

from ..errors import CredentialError
from ..hosts import Unreachable
from ..network import Fetch
from ..redact import Redactor
from ..request import Outgoing
from ..secret import Secret
from ..sources import is_whole
from .errors import TokenRefused


def post(
    fetch: Fetch, url: str, headers: Mapping[str, str], members: Mapping[str, str]
) -> Mapping[str, Any]:
    """The JSON object a server answers to a form.

    Raises `TokenRefused` for a refusal that it states, `Unreachable` for a failure of its own
    or an answer that is none: then nothing is known, and nothing may be forgotten.
    """
    answer = fetch(form_request(url, headers, members))
    data = json_object(answer.body)
    if data is not None and data.get("error") and _may_refuse(answer.status):
        raise _refusal(data, _sent(headers, members))
    if answer.status == 200 and data is not None:
        return data
    if answer.status == 200:
        raise Unreachable("the authorization server's answer is no JSON object")
    if 300 <= answer.status < 400:
        raise CredentialError("the authorization server redirects: credentials do not follow")
    raise Unreachable(f"the authorization server failed with status {answer.status}")


def form_request(url: str, headers: Mapping[str, str], members: Mapping[str, str]) -> Outgoing:
    """A POST of `members` as a form."""
    content = {"Content-Type": "application/x-www-form-urlencoded"}
    return Outgoing("POST", url, {**content, **headers}, encoded(members).encode("ascii"))


def encoded(members: Mapping[str, str]) -> str:
    """A form or a query of them. Raises `CredentialError`, without a value, for half a text."""
    for name, value in members.items():
        if not is_whole(value):
            raise CredentialError(f"{name}: it is not UTF-8 text")
    return urlencode(members)


def json_object(body: bytes) -> Mapping[str, Any] | None:
    """The JSON object in an answer's body; None when it is something else.

    Nor is one that no text can hold (`"\\ud800"`) or no stack can read.
    """
    try:
        data = json.loads(body)
        json.dumps(data, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError):
        return None
    return cast(Mapping[str, Any], data) if isinstance(data, dict) else None


def _may_refuse(status: int) -> bool:
    """With 200 too: so GitHub and Slack say that a code is not entered yet or no longer good."""
    return status == 200 or (400 <= status < 500 and status != 429)


def _refusal(data: Mapping[str, Any], sent: Redactor) -> TokenRefused:
    """What the server says of it, as far as it is plain words and repeats no secret."""
    code, said = data["error"], data.get("error_description")
    if not isinstance(code, str) or not _CODE.fullmatch(code) or sent.hide(code) != code:
        code = "error"
    if not isinstance(said, str) or not _SENTENCE.fullmatch(said):
        said = ""
    return TokenRefused(_STANDARD.get(code, code), sent.hide(said))


def _sent(headers: Mapping[str, str], members: Mapping[str, str]) -> Redactor:
    """Knows the secrets of a request."""
    sent = Redactor()
    for name, value in members.items():
        if name not in _PUBLIC:
            sent.learn(Secret(value))
    for value in headers.values():
        scheme, _, credential = value.partition(" ")
        sent.learn(Secret(credential))
        if scheme == "Basic":
            password = b64decode(credential).decode().partition(":")[2]
            sent.learn(Secret(unquote_plus(password)))
    return sent


_PUBLIC = frozenset(
    [
        "grant_type",
        "scope",
        "resource",
        "audience",
        "client_id",
        "redirect_uri",
        "client_assertion_type",
        "subject_token_type",
        "actor_token_type",
    ]
)
_CODE = re.compile(r"[\w.:/-]{1,60}", re.ASCII)
_SENTENCE = re.compile(r"[ -~]{1,300}")
_STANDARD = {"bad_refresh_token": "invalid_grant", "invalid_refresh_token": "invalid_grant"}
"""What GitHub and Slack call it (RFC 6749 section 5.2)."""
