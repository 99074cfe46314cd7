"""The answer to a digest challenge, as RFC 7616 computes it."""

import hashlib
from collections.abc import Callable
from urllib.parse import quote, urlsplit

from .challenge import Challenge
from .errors import CredentialError
from .request import Outgoing
from .sources import Pair


def strongest(offered: list[Challenge]) -> Challenge | None:
    """The challenge with the best algorithm that this machine knows."""
    ranked = [name for name in _HASHES if name != "SHA-512-256" or _HAS_SHA_512_256]
    known = [challenge for challenge in offered if _algorithm(challenge)[0] in ranked]
    return min(known, key=lambda one: ranked.index(_algorithm(one)[0]), default=None)


def respond(
    request: Outgoing, pair: Pair, challenge: Challenge, count: int, client_nonce: str
) -> str:
    """The value of `Authorization` that answers the challenge."""
    asked = challenge.parameters
    algorithm, session = _algorithm(challenge)
    realm, nonce, quality = asked.get("realm", ""), asked.get("nonce", ""), _quality(challenge)
    parts = urlsplit(request.url)
    target = f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"

    def digest(text: str | bytes) -> str:
        return _HASHES[algorithm](text if isinstance(text, bytes) else text.encode())

    secret = digest(f"{pair.username}:{realm}:{pair.password.reveal()}")
    if session:
        secret = digest(f"{secret}:{nonce}:{client_nonce}")
    what = f"{request.method}:{target}"
    if quality == "auth-int":
        what += f":{digest(request.body or b'')}"
    counted = f"{count:08x}:{client_nonce}:{quality}:" if quality else ""
    hashed = asked.get("userhash", "").lower() == "true"
    fields = _user(digest(f"{pair.username}:{realm}") if hashed else pair.username) | {
        "realm": quoted(realm),
        "nonce": quoted(nonce),
        "uri": quoted(target),
        "response": quoted(digest(f"{secret}:{nonce}:{counted}{digest(what)}")),
    }
    if "algorithm" in asked:
        fields["algorithm"] = asked["algorithm"]
    if "opaque" in asked:
        fields["opaque"] = quoted(asked["opaque"])
    if quality:
        fields |= {"qop": quality, "nc": f"{count:08x}", "cnonce": quoted(client_nonce)}
    if hashed:
        fields["userhash"] = "true"
    return "Digest " + ", ".join(f"{name}={value}" for name, value in fields.items())


def _user(name: str) -> dict[str, str]:
    if name.isascii():
        return {"username": quoted(name)}
    return {"username*": "UTF-8''" + quote(name, safe="")}


def _algorithm(challenge: Challenge) -> tuple[str, bool]:
    name = challenge.parameters.get("algorithm", "MD5").upper()
    return name.removesuffix("-SESS"), name.endswith("-SESS")


def _quality(challenge: Challenge) -> str:
    """`auth` where the server takes it, so that a body need not be hashed; "" is RFC 2069."""
    offered = [one.strip().lower() for one in challenge.parameters.get("qop", "").split(",")]
    for quality in ("auth", "auth-int"):
        if quality in offered:
            return quality
    if any(offered):
        raise CredentialError("the server asks for an unknown digest quality, not auth or auth-int")
    return ""


def quoted(text: str) -> str:
    """A quoted-string (RFC 9110 section 5.6.4)."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


_HAS_SHA_512_256 = "sha512_256" in hashlib.algorithms_available  # not in every OpenSSL

_HASHES: dict[str, Callable[[bytes], str]] = {
    "SHA-512-256": lambda data: hashlib.new("sha512_256", data).hexdigest(),
    "SHA-256": lambda data: hashlib.sha256(data).hexdigest(),
    "MD5": lambda data: hashlib.md5(data, usedforsecurity=False).hexdigest(),  # the server's choice
}
