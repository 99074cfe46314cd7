"""Parameters that are credentials by their name, although no security scheme says so."""

import re
from typing import Any

_NAMES = frozenset(
    (
        *("access_token", "accesstoken", "api_key", "apikey", "api_token", "apitoken"),
        *("auth_token", "authtoken", "authentication_token", "authorization_token"),
        *("bearer_token", "client_secret", "clientsecret", "consumer_secret", "id_token"),
        *("oauth_token", "oauth_signature", "private_token", "refresh_token"),
        *("secret_key", "secretkey", "security_token", "session_token", "sessiontoken"),
        *("app_key", "app_secret", "appkey", "appsecret", "application_key"),
        *("subscription_key", "ocp_apim_subscription_key", "functions_key", "function_key"),
        *("vault_token", "gitlab_token", "github_token", "csrf_token", "xsrf_token"),
        *("amz_algorithm", "amz_content_sha256", "amz_credential", "amz_date"),
        *("amz_security_token", "amz_signature", "amz_signedheaders"),
        *("goog_api_key", "goog_credential", "goog_signature", "proxy_authorization"),
    )
)
_ONLY_WHEN_DESCRIBED = {
    "key": re.compile(r"\bAPI[ -_]?key\b", re.IGNORECASE),
    "token": re.compile(
        r"\b(?:API|access|auth\w*|bearer|OAuth2?|JWT|session)[ -_]?token\b", re.IGNORECASE
    ),
    "auth": re.compile(r"\b(?:API|access|auth\w*)[ -_]?(?:token|key)\b", re.IGNORECASE),
}


def is_credential(name: str, place: str, description: Any) -> bool:
    """Whether a parameter carries a credential, by a committed list of names.

    Common words such as `key` count only when the description calls it an API key.
    """
    if place not in ("query", "header", "cookie"):
        return False
    plain = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_").removeprefix("x_")
    if plain in _NAMES or name.lower() == "authorization":
        return True
    told = _ONLY_WHEN_DESCRIBED.get(plain)
    return (
        told is not None and isinstance(description, str) and told.search(description) is not None
    )
