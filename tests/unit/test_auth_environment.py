"""The names of the environment variables that packages read."""

import re

from hypothesis import given
from hypothesis import strategies as st

from toolmint.auth import (
    ApiKey,
    HttpBasic,
    HttpBearer,
    HttpDigest,
    MutualTls,
    OAuth2,
    Scheme,
    Unsupported,
    environment_variables,
)


def test_a_variable_is_named_after_the_package_and_the_scheme() -> None:
    schemes: dict[str, Scheme] = {
        "bearerAuth": HttpBearer(),
        "basic": HttpBasic(),
        "digest": HttpDigest(),
        "api_key": ApiKey("X-Key"),
        "OAuth2": OAuth2(),
        "HTTPToken": HttpBearer(),
        "v2.key-id": ApiKey("k"),
        "mtls": MutualTls(),
        "odd": Unsupported("x"),
    }
    assert environment_variables("acme.github_tools", schemes) == {
        "bearerAuth": ("GITHUB_BEARER_AUTH",),
        "basic": ("GITHUB_BASIC_USERNAME", "GITHUB_BASIC_PASSWORD"),
        "digest": ("GITHUB_DIGEST_USERNAME", "GITHUB_DIGEST_PASSWORD"),
        "api_key": ("GITHUB_API_KEY",),
        "OAuth2": ("GITHUB_OAUTH2",),
        "HTTPToken": ("GITHUB_HTTP_TOKEN",),
        "v2.key-id": ("GITHUB_V2_KEY_ID",),
        "mtls": ("GITHUB_MTLS_CERTIFICATE", "GITHUB_MTLS_KEY"),
        "odd": (),
    }


def test_one_variable_never_serves_two_schemes() -> None:
    schemes = {"apiKey": ApiKey("A"), "api_key": ApiKey("B"), "other": ApiKey("C")}
    assert environment_variables("x_tools", schemes) == {
        "apiKey": ("X_API_KEY_61EA41",),
        "api_key": ("X_API_KEY_2E9BC6",),
        "other": ("X_OTHER",),
    }


@given(st.text(), st.lists(st.text(), unique=True))
def test_every_variable_is_one_that_a_shell_can_set(module: str, names: list[str]) -> None:
    variables = environment_variables(module, {name: HttpBearer() for name in names})
    every = [variable for group in variables.values() for variable in group]
    assert len(set(every)) == len(every)
    assert all(re.fullmatch(r"[A-Z_][A-Z0-9_]*", variable) for variable in every)
