"""An HTTPS server that demands a client certificate of a private authority."""

import json
import ssl
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import cast
from urllib.parse import parse_qs, urlsplit

import trustme
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)

from toolmint.auth import Certificate

PASSWORD = "key-password"


class Files:
    """An authority, and a client's files issued by it."""

    def __init__(self, folder: Path, authority: trustme.CA | None = None) -> None:
        self.folder = folder
        self.authority = authority or trustme.CA()
        self.authority.cert_pem.write_to_path(str(folder / "authority.pem"))

    def issue(self, name: str) -> None:
        """Put a certificate for the name in place, its key under a password."""
        issued = self.authority.issue_cert(name)
        key = load_pem_private_key(issued.private_key_pem.bytes(), None)
        encrypted = key.private_bytes(
            Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(PASSWORD.encode())
        )
        chain = b"".join(blob.bytes() for blob in issued.cert_chain_pems)
        (self.folder / "client.pem").write_bytes(chain)
        (self.folder / "client.key").write_bytes(encrypted)

    def serve(self, host: str) -> tuple[str, str]:
        """A server's certificate and key."""
        issued = self.authority.issue_cert(host)
        certificate, key = str(self.folder / "server.pem"), str(self.folder / "server.key")
        issued.cert_chain_pems[0].write_to_path(certificate)
        issued.private_key_pem.write_to_path(key)
        return certificate, key

    def certificate(self, password: str | None = PASSWORD) -> Certificate:
        """What a client shows."""
        return Certificate(
            self.folder / "client.pem",
            self.folder / "client.key",
            password,
            self.folder / "authority.pem",
        )


class _Handler(BaseHTTPRequestHandler):
    """Says who is in the client's certificate; `/away?to=…` leads elsewhere."""

    def do_GET(self) -> None:
        connection = cast(ssl.SSLSocket, self.connection)
        shown = connection.getpeercert() or {}
        names = cast(tuple[tuple[str, str], ...], shown.get("subjectAltName", ()))
        body = json.dumps({"who": names[0][1] if names else None}).encode()
        elsewhere = parse_qs(urlsplit(self.path).query).get("to")
        if elsewhere:
            self.send_response(302)
            self.send_header("Location", elsewhere[0])
        else:
            self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def demanding(files: Files, verify: ssl.VerifyMode = ssl.CERT_REQUIRED) -> Generator[str]:
    """The address of a server that answers `{"who": …}` to whoever shows a certificate.

    With `ssl.CERT_OPTIONAL` it also answers who shows none.
    """
    certificate, key = files.serve("localhost")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    context.load_verify_locations(files.folder / "authority.pem")
    context.verify_mode = verify
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"https://localhost:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
