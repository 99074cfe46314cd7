"""What an authorization server's refusal means."""

from ..errors import CredentialError


class TokenRefused(CredentialError):
    """The token endpoint said no; `code` is its error (RFC 6749 section 5.2, RFC 8628)."""

    def __init__(self, code: str, description: str = "") -> None:
        super().__init__(
            f"the authorization server refused: {code}{f' ({description})' if description else ''}"
        )
        self.code = code
