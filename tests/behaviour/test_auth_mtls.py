"""Mutual TLS against a server that demands a certificate of a private authority."""

import asyncio
import shutil
from collections.abc import Generator
from pathlib import Path

import httpx
import httpx2
import pytest

from tests.services.oidc import client, provider
from tests.services.tls import Files, demanding
from toolmint.auth import (
    Choice,
    CredentialError,
    Credentials,
    HttpBearer,
    Missing,
    MutualTls,
    OAuthClient,
    Outgoing,
    TlsClientAuth,
)

ANN, BOB = {"who": "ann.example"}, {"who": "bob.example"}


@pytest.fixture
def files(tmp_path: Path) -> Files:
    made = Files(tmp_path)
    made.issue("ann.example")
    return made


@pytest.fixture
def url(files: Files) -> Generator[str]:
    with demanding(files) as address:
        yield address


def test_the_certificate_is_shown_by_every_kind_of_client(files: Files, url: str) -> None:
    context = files.certificate().context()

    async def later(library: object) -> str:
        if library is httpx:
            async with httpx.AsyncClient(verify=context) as one:
                return str((await one.get(url)).json()["who"])
        async with httpx2.AsyncClient(verify=context) as other:
            return str((await other.get(url)).json()["who"])

    with httpx.Client(verify=context) as one, httpx2.Client(verify=context) as other:
        assert one.get(url).json() == ANN
        assert other.get(url).json() == ANN
    assert asyncio.run(later(httpx)) == "ann.example"
    assert asyncio.run(later(httpx2)) == "ann.example"


def test_a_changed_certificate_is_shown_by_the_next_connection(files: Files, url: str) -> None:
    with httpx.Client(verify=files.certificate().context()) as one:
        assert one.get(url, headers={"Connection": "close"}).json() == ANN
        files.issue("bob.example")
        assert one.get(url, headers={"Connection": "close"}).json() == BOB


def test_half_a_rotation_leaves_the_old_certificate_in_use(files: Files, url: str) -> None:
    with httpx.Client(verify=files.certificate().context()) as one:
        shutil.copy(files.folder / "client.key", files.folder / "old.key")
        files.issue("bob.example")
        shutil.copy(files.folder / "client.key", files.folder / "new.key")
        shutil.copy(files.folder / "old.key", files.folder / "client.key")
        assert one.get(url, headers={"Connection": "close"}).json() == ANN
        shutil.copy(files.folder / "new.key", files.folder / "client.key")
        assert one.get(url, headers={"Connection": "close"}).json() == BOB


@pytest.mark.parametrize(
    ("password", "message"),
    [(None, "needs a password"), ("wrong-key-password", "cannot load .*client.pem")],
)
def test_a_key_that_cannot_be_opened_is_an_error_without_the_password(
    files: Files, password: str | None, message: str
) -> None:
    certificate = files.certificate(password)
    with pytest.raises(CredentialError, match=message) as caught:
        certificate.context()
    assert "wrong-key-password" not in str(caught.value) + repr(certificate)


def test_a_file_that_is_not_there_is_named(files: Files) -> None:
    (files.folder / "client.key").unlink()
    with pytest.raises(CredentialError, match=r"cannot read .*client\.key: No such file"):
        files.certificate().context()


def test_a_call_under_mutual_tls_names_its_certificate_and_adds_nothing(files: Files) -> None:
    certificate = files.certificate()
    choice = Credentials({"mtls": MutualTls()}, {"mtls": certificate}).choose([{"mtls": []}])
    assert isinstance(choice, Choice)
    assert choice.certificate == certificate
    plain = Outgoing("GET", "https://api.example/")
    assert choice.static(plain) == (plain, ("mtls",))
    assert asyncio.run(choice.exchange(certificate).apply(plain)) == plain
    with pytest.raises(CredentialError, match=r"^mtls: the connection does not show its cert"):
        asyncio.run(choice.apply(plain))
    assert isinstance(Credentials({"mtls": MutualTls()}, {}).choose([{"mtls": []}]), Missing)
    with pytest.raises(CredentialError, match="mtls: mutual TLS takes a Certificate, not str"):
        Credentials({"mtls": MutualTls()}, {"mtls": "text"})


def test_a_client_proves_itself_to_the_token_endpoint_by_its_certificate(files: Files) -> None:
    """RFC 8705, against oidc-provider over TLS."""
    certificate, key = files.serve("127.0.0.1")
    authority = str(files.folder / "authority.pem")
    tls = {"certificate": certificate, "key": key, "authority": authority}
    registered = client(
        "bound",
        "client_credentials",
        token_endpoint_auth_method="tls_client_auth",
        tls_client_auth_san_dns="ann.example",
    )
    with provider([registered], tls=tls) as oidc:
        shown = files.certificate()
        credential = OAuthClient("bound", TlsClientAuth(shown), issuer=oidc.issuer)
        choice = Credentials({"it": HttpBearer()}, {"it": credential}).choose([{"it": []}])
        assert isinstance(choice, Choice)
        with httpx.Client(verify=shown.context()) as plain:
            response = plain.get(oidc.api, auth=choice.as_httpx_auth())
    assert response.json()["who"] == "bound"
