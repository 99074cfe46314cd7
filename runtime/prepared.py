"""A request as data: exactly what would be sent, shown with its credentials hidden."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from ..auth.request import Outgoing

BODY_SHOWN = 500  # bytes in a repr


def _as_is(text: str) -> str:
    return text


@dataclass(frozen=True, slots=True, repr=False)
class PreparedRequest:
    """What a call would send; `headers` and `url` hold the real credentials, `repr` does not.

    `pending_credentials` names the schemes whose value is only made when the call is sent
    (OAuth 2, digest, asynchronous functions): in its place stands the name, `Bearer <oauth>`.
    A client certificate is pending too, and stands nowhere in the request.
    """

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None = None
    pending_credentials: tuple[str, ...] = ()
    _shown: Outgoing | None = field(default=None, compare=False)
    _hide: Callable[[str], str] = field(default=_as_is, compare=False)

    def redacted(self) -> "PreparedRequest":
        """The same request with every credential as `***`, to be shown or logged.

        Where a credential stands is known, so even the shortest is hidden; elsewhere in the
        request it is looked for.
        """
        hide, shown, body = self._hide, self._shown or self, self.body
        if body is not None:
            text = body.decode("utf-8", "surrogateescape")
            body = hide(text).encode("utf-8", "surrogateescape")
        headers = {name: hide(value) for name, value in shown.headers.items()}
        return replace(self, url=hide(shown.url), headers=headers, body=body)

    def __repr__(self) -> str:
        shown = self.redacted()
        body = shown.body
        if body is not None and len(body) > BODY_SHOWN:
            body = body[:BODY_SHOWN] + b"..."
        return (
            f"PreparedRequest(method={shown.method!r}, url={shown.url!r}, "
            f"headers={dict(shown.headers)!r}, body={body!r}, "
            f"pending_credentials={shown.pending_credentials!r})"
        )
