"""Security schemes as the declarations of `toolmint.auth`, and in the words of a README."""

from ....auth import schemes
from ...model.security import SecurityScheme


def scheme(given: SecurityScheme) -> schemes.Scheme:
    """How a credential of this scheme travels."""
    match given.kind:
        case "apiKey" if given.parameter and given.place:
            return schemes.ApiKey(given.parameter, given.place)
        case "http" if given.scheme:
            return _http(given.scheme)
        case "oauth2":
            return schemes.OAuth2(
                tuple(
                    schemes.OAuthFlow(
                        flow.kind,
                        flow.authorization_url,
                        flow.token_url,
                        flow.refresh_url,
                        flow.device_authorization_url,
                        dict(sorted(flow.scopes.items())),
                    )
                    for flow in given.flows
                )
            )
        case "openIdConnect" if given.openid_url:
            return schemes.OpenIdConnect(given.openid_url)
        case "mutualTLS":
            return schemes.MutualTls()
        case _:
            return schemes.Unsupported(given.scheme or given.kind)


def _http(name: str) -> schemes.Scheme:
    match name:
        case "basic":
            return schemes.HttpBasic()
        case "bearer":
            return schemes.HttpBearer()
        case "digest":
            return schemes.HttpDigest()
        case _:
            return schemes.HttpScheme(name)


def credential(scheme: schemes.Scheme) -> str:
    """What a user gives for a scheme, in words."""
    match scheme:
        case schemes.HttpBasic() | schemes.HttpDigest():
            return '`{"username": …, "password": …}`'
        case schemes.OAuth2() | schemes.OpenIdConnect():
            return "an access token, or an OAuth 2 client from `toolmint.auth`"
        case schemes.MutualTls():
            return "a client certificate from `toolmint.auth`"
        case schemes.HttpBearer():
            return "a token"
        case schemes.ApiKey():
            return "a key"
        case schemes.HttpScheme():
            return "what follows the scheme's name in the Authorization header"
        case schemes.Unsupported():
            return "nothing: toolmint does not know this scheme"
