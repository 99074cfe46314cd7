"""The public names of toolmint.auth: they may gain, they do not change."""

import inspect
import pkgutil

import toolmint.auth
import toolmint.generator
import toolmint.runtime
import toolmint.runtime.models


def test_auth_exports() -> None:
    assert dir(toolmint.auth) == [
        "Answer",
        "ApiKey",
        "AuthorizationCode",
        "AuthorizationNeeded",
        "Certificate",
        "Choice",
        "ClientCredentials",
        "ClientSecretBasic",
        "ClientSecretPost",
        "Credential",
        "CredentialError",
        "Credentials",
        "DeviceCode",
        "Exchange",
        "FileStore",
        "HttpBasic",
        "HttpBearer",
        "HttpDigest",
        "HttpScheme",
        "KeyringStore",
        "Login",
        "MemoryStore",
        "Missing",
        "MutualTls",
        "OAuth2",
        "OAuthClient",
        "OAuthFlow",
        "OpenIdConnect",
        "Outgoing",
        "Password",
        "PrivateKeyJwt",
        "Redactor",
        "RedisStore",
        "RefreshToken",
        "Scheme",
        "Secret",
        "Security",
        "Store",
        "Target",
        "TlsClientAuth",
        "TokenExchange",
        "TokenRefused",
        "Unreachable",
        "Unsupported",
        "acting_for",
        "allow_http",
        "env",
        "environment_variables",
        "file",
        "principal",
    ]
    for name in toolmint.auth.__all__:
        assert getattr(toolmint.auth, name) is not None


def test_no_exported_name_is_that_of_a_module() -> None:
    """Python puts a module that is imported in the place of a name that is yet to be."""
    for package in (
        toolmint.auth,
        toolmint.generator,
        toolmint.runtime,
        toolmint.runtime.models,
    ):
        modules = {module.name for module in pkgutil.iter_modules(package.__path__)}
        assert modules & set(package.__all__) == set()
    assert inspect.isfunction(toolmint.auth.principal)
