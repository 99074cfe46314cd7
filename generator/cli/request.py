"""A prepared request as text: what goes over the wire, with every credential hidden."""

from ...runtime import PreparedRequest
from ..errors import one_line


def request_text(request: PreparedRequest) -> str:
    """Request line, headers, an empty line and the body, as HTTP writes them."""
    shown = request.redacted()
    lines = [f"{shown.method} {shown.url}"]
    lines += [f"{name}: {one_line(value)}" for name, value in shown.headers.items()]
    if shown.pending_credentials:
        lines.append(f"(added when sent: {', '.join(shown.pending_credentials)})")
    if shown.body is not None:
        lines += ["", body_text(shown.body)]
    return "\n".join(lines)


def body_text(body: bytes) -> str:
    """The body where it is text, its size where it is not."""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        return f"({len(body)} bytes)"
    return (
        text
        if text.replace("\r\n", "\n").replace("\t", " ").replace("\n", " ").isprintable()
        else f"({len(body)} bytes)"
    )
