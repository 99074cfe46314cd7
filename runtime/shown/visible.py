"""Strangers' text for a terminal: it can be read, and can neither move the cursor nor hide."""


def visible(text: str, room: int | None = None) -> str:
    """The text with everything unprintable spelled out (`\\u202e`), cut to `room` characters."""
    shown = "".join(c if c == "\n" or c.isprintable() else _spelled(c) for c in text)
    return shown if room is None or len(shown) <= room else f"{shown[: room - 1]}…"


def one_line(text: str, room: int | None = None) -> str:
    """The same on one line."""
    return visible(" ".join(text.split()), room)


def _spelled(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
