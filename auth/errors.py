"""What can go wrong with a credential, in words that never hold its value."""

from contextlib import ContextDecorator


class CredentialError(ValueError):
    """A credential cannot be used. The message names it and the way out.

    `retryable`: nothing is wrong with it, a server did not answer; the call can be made again.
    """

    retryable = False


class AuthorizationNeeded(CredentialError):
    """A person must act first: open `url`, and enter `code` when there is one; then call again."""

    def __init__(self, message: str, *, url: str | None = None, code: str | None = None) -> None:
        super().__init__(message)
        self.url = url
        self.code = code


def without_frames(error: CredentialError) -> CredentialError:
    """The same error without the way it came: variables there hold secrets.

    Error reporters, and tracebacks with `capture_locals`, show them.
    """
    error.__traceback__ = error.__context__ = error.__cause__ = None
    return error


class frameless(ContextDecorator):
    """Lets a `CredentialError` out of a function `without_frames`."""

    def __enter__(self) -> None:
        """From here on."""

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if isinstance(error, CredentialError):
            without_frames(error)
