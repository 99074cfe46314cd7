"""Requests to the endpoints of an authorization server, and what their answers mean."""

import json
import re
from collections.abc import Mapping
from typing import Any, cast
from urllib.parse import urlencode

from ..errors import CredentialError
from ..network import Fetch, Unreachable
from ..request import Outgoing
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
    if answer.status == 200 and data is not None:
        return data
    if 400 <= answer.status < 500 and answer.status != 429 and data and "error" in data:
        raise TokenRefused(_code(data["error"]), _description(data, members))
    if 300 <= answer.status < 400:
        raise CredentialError("the authorization server redirects: credentials do not follow")
    raise Unreachable(f"the authorization server failed with status {answer.status}")


def form_request(url: str, headers: Mapping[str, str], members: Mapping[str, str]) -> Outgoing:
    """A POST of `members` as a form."""
    content = {"Content-Type": "application/x-www-form-urlencoded"}
    return Outgoing("POST", url, {**content, **headers}, urlencode(members).encode("ascii"))


def json_object(body: bytes) -> Mapping[str, Any] | None:
    """The JSON object in an answer's body; None when it is something else."""
    try:
        data = json.loads(body)
    except ValueError:
        return None
    return cast(Mapping[str, Any], data) if isinstance(data, dict) else None


def _code(value: object) -> str:
    """The error's name; anything but a plain word is not repeated."""
    return value if isinstance(value, str) and re.fullmatch(r"[\w.:/-]{1,60}", value) else "error"


def _description(data: Mapping[str, Any], members: Mapping[str, str]) -> str:
    """What the server says of it, unless that repeats something that was sent."""
    said = data.get("error_description")
    if not isinstance(said, str) or not re.fullmatch(r"[ -~]{1,300}", said):
        return ""
    return "" if any(sent in said for sent in members.values() if len(sent) > 3) else said
