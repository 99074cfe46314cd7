"""Reading a description from the address the user typed, on a real loopback server."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from toolmint.generator.errors import InputError
from toolmint.generator.load import load

SPEC = b'{"openapi": "3.1.0"}'


class Answers(BaseHTTPRequestHandler):
    seen: list[tuple[str, str | None]]

    def do_GET(self) -> None:
        self.seen.append((self.path, self.headers["Authorization"]))
        match self.path:
            case "/old":
                self.send_response(302)
                self.send_header("Location", "/specs/api.json?v=2")
                self.end_headers()
            case "/loop":
                self.send_response(302)
                self.send_header("Location", "/loop")
                self.end_headers()
            case "/none":
                self.send_error(404, "Not Found")
            case _:
                self.send_response(200)
                self.end_headers()
                self.wfile.write(SPEC)

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test's output quiet."""


@pytest.fixture
def server() -> Iterator[ThreadingHTTPServer]:
    Answers.seen = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def base(server: ThreadingHTTPServer) -> str:
    return f"http://127.0.0.1:{server.server_port}"


def test_the_typed_address_is_read_even_on_a_private_network(server: ThreadingHTTPServer) -> None:
    document = load(f"{base(server)}/api.json")
    assert document.data == {"openapi": "3.1.0"}
    assert document.file == document.address == f"{base(server)}/api.json"


def test_redirects_move_the_documents_own_address(server: ThreadingHTTPServer) -> None:
    document = load(f"{base(server)}/old")
    assert document.file == f"{base(server)}/old"
    assert document.address == f"{base(server)}/specs/api.json?v=2"


def test_a_password_is_sent_and_never_shown(server: ThreadingHTTPServer) -> None:
    typed = f"http://ann:s%40cret@127.0.0.1:{server.server_port}/api.json"
    document = load(typed)
    assert Answers.seen == [("/api.json", "Basic YW5uOnNAY3JldA==")]
    assert document.file == document.address == f"{base(server)}/api.json"
    with pytest.raises(InputError) as caught:
        load(typed.replace("api.json", "none"))
    assert "cret" not in str(caught.value)


def test_failures_are_told_in_one_line(server: ThreadingHTTPServer) -> None:
    with pytest.raises(InputError, match="the server answered 404 Not Found"):
        load(f"{base(server)}/none")
    with pytest.raises(InputError, match="redirects more than 5 times"):
        load(f"{base(server)}/loop")
    with pytest.raises(InputError, match="sends more than 5 bytes"):
        load(f"{base(server)}/api.json", maximum_bytes=5)
    with pytest.raises(InputError, match="cannot be fetched"):
        load("http://127.0.0.1:1/api.json")


def test_offline_forbids_the_network(server: ThreadingHTTPServer) -> None:
    with pytest.raises(InputError, match="--offline forbids it"):
        load(f"{base(server)}/api.json", offline=True)
    assert Answers.seen == []


def test_what_only_looks_like_an_address_is_told_without_its_password() -> None:
    with pytest.raises(InputError) as told:
        load("http://user:word@[bad/api.json")
    assert str(told.value) == "[bad/api.json: is no web address. Check it."
