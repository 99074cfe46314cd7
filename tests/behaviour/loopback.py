"""A real HTTP server on loopback that answers as told and remembers what it was sent."""

import json
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread


@dataclass(frozen=True)
class Seen:
    """One request as it came in; `target` is the raw text of the request line."""

    method: str
    target: str
    headers: Mapping[str, str]  # lower-case names
    body: bytes


@dataclass(frozen=True)
class Answer:
    """What to answer with. `hang_up`: close the connection without a word.

    `pieces` are a body that is sent piece by piece, `between` seconds apart; `torn`: the
    connection is lost after the last one.
    """

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    hang_up: bool = False
    after: float = 0.0  # seconds
    pieces: tuple[bytes, ...] = ()
    between: float = 0.0
    torn: bool = False

    @classmethod
    def of(cls, value: object, status: int = 200, **headers: str) -> "Answer":
        """A JSON answer; `_` in header names stands for `-`."""
        named = {name.replace("_", "-"): text for name, text in headers.items()}
        return cls(
            status, json.dumps(value).encode(), {"Content-Type": "application/json", **named}
        )


class Loopback:
    """`answer` is called for each request; `seen` holds them in order."""

    def __init__(self) -> None:
        self.seen: list[Seen] = []
        self.answer: Callable[[Seen], Answer] = lambda _: Answer.of({"id": 1, "name": "Rex"})
        self.arrived = Event()
        self.connections = 0
        self.url = ""


def _handler(server: Loopback) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def setup(self) -> None:
            super().setup()
            server.connections += 1

        def handle_one_request(self) -> None:
            try:
                super().handle_one_request()
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True

        def serve(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            target = self.requestline.split(" ")[1]
            headers = {name.lower(): value for name, value in self.headers.items()}
            seen = Seen(self.command, target, headers, body)
            server.seen.append(seen)
            server.arrived.set()
            answer = server.answer(seen)
            time.sleep(answer.after)
            if answer.hang_up:
                self.close_connection = True
                return
            dated = "Date" in answer.headers  # else the server's own clock is sent
            (self.send_response_only if dated else self.send_response)(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            if answer.pieces:
                self.send_pieces(answer)
                return
            if "Content-Length" not in answer.headers:
                self.send_header("Content-Length", str(len(answer.body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(answer.body)

        def send_pieces(self, answer: Answer) -> None:
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for piece in answer.pieces:
                self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
                self.wfile.flush()
                time.sleep(answer.between)
            self.close_connection = answer.torn
            if not answer.torn:
                self.wfile.write(b"0\r\n\r\n")

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = serve

        def log_message(self, format: str, *args: object) -> None:
            """Tests are quiet."""

    return Handler


@contextmanager
def loopback() -> Generator[Loopback]:
    """A server on a free port, gone at the end."""
    server = Loopback()
    listener = ThreadingHTTPServer(("127.0.0.1", 0), _handler(server))
    listener.daemon_threads = True
    server.url = f"http://127.0.0.1:{listener.server_address[1]}"
    thread = Thread(target=listener.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        listener.shutdown()
        listener.server_close()
        thread.join()
