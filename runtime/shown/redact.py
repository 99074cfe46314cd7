"""Hide secrets in plain data: known ones by a given rule, secret-looking ones from a model."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar, cast

HIDDEN = "***"

T = TypeVar("T")


def hide_in(value: T, hide: Callable[[str], str]) -> T:
    """Plain data with `hide` done to every text in it, keys too."""
    return cast(T, _mapped(value, hide))


def hide_secret_looking(value: object, name: str = "") -> object:
    """Plain data without what looks like anyone's secret: by its form, or by the name it is under."""
    if isinstance(value, str):
        return HIDDEN if value and _SECRET_NAME.fullmatch(name) else _SECRET_FORM.sub(HIDDEN, value)
    if isinstance(value, Mapping):
        items = cast("Mapping[str, object]", value).items()
        return {key: hide_secret_looking(item, str(key)) for key, item in items}
    if isinstance(value, list | tuple):
        return [hide_secret_looking(item, name) for item in cast("Sequence[object]", value)]
    return value


_SECRET_NAME = re.compile(
    r"(?:.*[_-])?(?:password|passwd|passphrase|secret|api[_-]?key|private[_-]?key|"
    r"(?:access|refresh|id|auth|bearer|session)[_-]?token|client[_-]?secret|authorization)",
    re.IGNORECASE,
)
_SECRET_FORM = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)"
    r"|\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{30,}|glpat-[\w-]{20,}|xox[abprs]-[\w-]{10,}"
    r"|sk-[\w-]{20,}|[sr]k_(?:live|test)_\w{16,}|AKIA[A-Z0-9]{16}|AIza[\w-]{35}"
    r"|eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,})",
    re.DOTALL,
)


def _mapped(value: object, hide: Callable[[str], str]) -> object:
    if isinstance(value, str):
        return hide(value)
    if isinstance(value, Mapping):
        items = cast("Mapping[object, object]", value).items()
        return {
            hide(key) if isinstance(key, str) else key: _mapped(item, hide) for key, item in items
        }
    if isinstance(value, list | tuple):
        mapped = [_mapped(item, hide) for item in cast("Sequence[object]", value)]
        return tuple(mapped) if isinstance(value, tuple) else mapped
    return value
