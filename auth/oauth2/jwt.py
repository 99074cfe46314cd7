"""Signed JSON Web Tokens for `private_key_jwt` (RFC 7523; `toolmint[jwt]`)."""

import json
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, TypeAlias

from ..errors import CredentialError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes

Algorithm: TypeAlias = Literal["RS256", "PS256", "ES256", "EdDSA"]


def sign_jwt(
    claims: Mapping[str, object],
    key: str,
    password: str | None,
    algorithm: Algorithm | None,
    key_id: str | None,
) -> str:
    """A compact JWS of the claims; `key` is a private key in PEM.

    The algorithm follows from the key's kind unless one is given.
    """
    private = _load(key, password)
    chosen = algorithm or _algorithm(private)
    header: dict[str, object] = {"alg": chosen, "typ": "JWT"}
    if key_id:
        header["kid"] = key_id
    signed = f"{_encode(_json(header))}.{_encode(_json(claims))}"
    return f"{signed}.{_encode(_signature(private, chosen, signed.encode('ascii')))}"


def _load(key: str, password: str | None) -> "PrivateKeyTypes":
    try:
        from cryptography.hazmat.primitives.serialization import load_pem_private_key
    except ImportError:
        raise CredentialError(
            "private_key_jwt needs an extra: pip install 'toolmint[jwt]'"
        ) from None
    try:
        return load_pem_private_key(key.encode(), password.encode() if password else None)
    except (ValueError, TypeError):
        raise CredentialError(
            "the client's private key cannot be read: expected PEM, and its password if it has one"
        ) from None


def _algorithm(key: "PrivateKeyTypes") -> Algorithm:
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

    if isinstance(key, rsa.RSAPrivateKey):
        return "RS256"
    if isinstance(key, ed25519.Ed25519PrivateKey):
        return "EdDSA"
    if isinstance(key, ec.EllipticCurvePrivateKey) and isinstance(key.curve, ec.SECP256R1):
        return "ES256"
    raise CredentialError(
        "the client's private key is of no kind that can sign: RSA, P-256, Ed25519"
    )


def _signature(key: "PrivateKeyTypes", algorithm: Algorithm, data: bytes) -> bytes:
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
    from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
    from cryptography.hazmat.primitives.hashes import SHA256

    if isinstance(key, rsa.RSAPrivateKey) and algorithm == "RS256":
        return key.sign(data, padding.PKCS1v15(), SHA256())
    if isinstance(key, rsa.RSAPrivateKey) and algorithm == "PS256":
        return key.sign(
            data, padding.PSS(padding.MGF1(SHA256()), padding.PSS.DIGEST_LENGTH), SHA256()
        )
    if isinstance(key, ec.EllipticCurvePrivateKey) and algorithm == "ES256":
        r, s = decode_dss_signature(key.sign(data, ec.ECDSA(SHA256())))
        return r.to_bytes(32, "big") + s.to_bytes(32, "big")
    if isinstance(key, ed25519.Ed25519PrivateKey) and algorithm == "EdDSA":
        return key.sign(data)
    raise CredentialError(f"the client's private key cannot sign with {algorithm}")


def _json(value: Mapping[str, object]) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode("utf-8")


def _encode(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode("ascii")
