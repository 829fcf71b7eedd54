"""A service on this machine that answers real HTTP as a test says, and keeps what it was asked."""

import json
import socket
import struct
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

DRIP_S = 0.05


@dataclass(frozen=True)
class Served:
    """One reply: status, headers and a JSON body or raw text; or a line that is dropped, silent or drips.

    ``fault``: ``dropped`` closes the line, ``silence`` never answers, ``drip`` sends the body a byte at a
    time, ``drip_head`` the status line likewise, ``cut`` ends in the middle of the body, ``reset`` breaks the
    line off there with a TCP reset, ``endless`` sends the body again and again.
    """

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    fault: str = ""

    @property
    def content(self) -> bytes:
        """Return the body as it is sent."""
        return (self.body if isinstance(self.body, str) else json.dumps(self.body)).encode()


@dataclass(frozen=True)
class Asked:
    """One request as it came: names of headers in lower case, parameters of the query and the form."""

    method: str
    path: str
    params: dict[str, str]
    headers: dict[str, str]
    body: bytes


class _Service(ThreadingHTTPServer):
    """A server with what it answers, what it was asked, and whether it is over."""

    request_queue_size = 512  # hundreds of clients may come at once

    def __init__(self, answer: Callable[[Asked], Served]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer = answer
        self.asked: list[Asked] = []
        self.over = threading.Event()

    def handle_error(self, request: object, client_address: object) -> None:
        """Keep the test's output clean of lines that a client dropped; tell of any other fault."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type] # as socketserver gives it


class _Handler(BaseHTTPRequestHandler):
    """Answers one connection as its service says."""

    server: "_Service"

    def do_GET(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def do_PUT(self) -> None:
        if self.headers.get("expect") == "100-continue":
            self.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        self._serve()

    def _serve(self) -> None:
        content = self.rfile.read(int(self.headers.get("content-length") or 0))
        parts, headers = urlsplit(self.path), {name.lower(): text for name, text in self.headers.items()}
        form = content.decode("utf-8", "replace") if "urlencoded" in headers.get("content-type", "") else ""
        params = dict(parse_qsl(parts.query) + parse_qsl(form))
        self.server.asked.append(Asked(self.command, parts.path.lstrip("/"), params, headers, content))
        self._reply(self.server.answer(self.server.asked[-1]))

    def _reply(self, reply: Served) -> None:
        self.close_connection = bool(reply.fault)
        if reply.fault == "endless":
            self._endless(reply)
        elif reply.fault in ("dropped", "silence"):
            self.server.over.wait(30 if reply.fault == "silence" else 0)
        elif reply.fault == "drip_head":
            self._drip(b"HTTP/1.1 200 OK\r\nx-slow: " + b"y" * 2000)
        else:
            self._head(reply)
            body = reply.content if reply.status != 204 else b""
            if reply.fault == "drip":
                self._drip(body)
            else:
                self.wfile.write(body[: len(body) // 2] if reply.fault in ("cut", "reset") else body)
            if reply.fault == "reset":
                no_wait = struct.pack("ii", 1, 0)
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, no_wait)
                self.connection.close()

    def _head(self, reply: Served) -> None:
        self.send_response(reply.status)
        for name, value in {"content-type": "application/json", **reply.headers}.items():
            self.send_header(name, value)
        if reply.status != 204:
            self.send_header("content-length", str(len(reply.content)))
        self.end_headers()

    def _endless(self, reply: Served) -> None:
        self.send_response(reply.status)
        self.send_header("content-type", "application/json")
        self.end_headers()
        try:
            while not self.server.over.is_set():
                self.wfile.write(reply.content)
        except OSError:
            return

    def _drip(self, content: bytes) -> None:
        for byte in content:
            if self.server.over.wait(DRIP_S):
                return
            try:
                self.wfile.write(bytes([byte]))
            except OSError:
                return

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the server's signature
        """Keep the test's output clean."""


@contextmanager
def serving(answer: Callable[[Asked], Served]) -> Iterator[tuple[str, list[Asked]]]:
    """Run a service; yield its address, which ends in a slash, and the list of what it is asked."""
    server = _Service(answer)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/", server.asked
    finally:
        server.over.set()
        server.shutdown()
        server.server_close()
