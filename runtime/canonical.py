"""One spelling for equal JSON values, so that they can be compared, keyed and digested."""

import hashlib
import json


def canonical(value: object) -> bytes:
    """JSON with sorted keys and no spaces, in UTF-8.

    `1`, `1.0` and `true` stay different, as they do on the wire. Raises TypeError or
    ValueError for what JSON cannot hold (NaN, bytes, objects).
    """
    return _encode(value).encode("utf-8", "surrogatepass")


_encode = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
).encode


def digest(value: object) -> str:
    """The SHA-256 of a value's canonical JSON, in hexadecimal."""
    return hashlib.sha256(canonical(value)).hexdigest()
