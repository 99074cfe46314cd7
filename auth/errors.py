"""What can go wrong with a credential, in words that never hold its value."""


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
