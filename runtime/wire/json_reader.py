"""JSON text as values, and nothing else as JSON: the one reader of what others send."""

import json
from math import isfinite
from typing import Any, NoReturn


class _Refused(ValueError):
    """What Python would read, and JSON does not have or nobody could be handed."""


def read_json(text: str | bytes) -> Any:
    """The value of a JSON text; bytes are Unicode (RFC 8259, 8.1).

    Raises ValueError, with the reason, for anything else, for NaN and Infinity, which are no
    JSON, and for numbers too large to be held: as an infinity one could not be handed on.
    """
    decoded = text if isinstance(text, str) else text.decode(json.detect_encoding(text))
    try:
        return _decode(decoded)
    except (json.JSONDecodeError, _Refused):
        raise
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    except ValueError:  # of `int`, which reads no more than 4300 digits
        raise ValueError("a number is too large") from None


def _finite(text: str) -> float:
    number = float(text)
    if isfinite(number):
        return number
    raise _Refused(f"the number {text[:40]} is too large")


def _refuse(name: str) -> NoReturn:
    raise _Refused(f"{name} is no JSON value")


_decode = json.JSONDecoder(parse_float=_finite, parse_constant=_refuse).decode
