"""A small web server on this machine: routes to bodies, redirects, delays and cut streams."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import sleep


@dataclass
class Page:
    """What a route answers: a status, headers, a body, and how it misbehaves."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    announced: int | None = None
    """The Content-Length that is announced, where it is not the body's."""
    chunked: bool = False
    seconds_before: float = 0


@dataclass
class Web:
    """A running server: its address, its routes by path, and the requests it got (path, headers)."""

    url: str
    pages: dict[str, Page] = field(default_factory=dict)
    requests: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    def __call__(self, path: str) -> str:
        """Return the address of a path."""
        return self.url + path


@contextmanager
def serving() -> Iterator[Web]:
    """Run a server on a free loopback port for the time of the block."""
    web = Web("")

    class Handler(BaseHTTPRequestHandler):
        """Answer from the routes."""

        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            """Answer a request as its page says."""
            web.requests.append((self.path, dict(self.headers)))
            _answer(self, web.pages.get(self.path.partition("?")[0], Page(b"nothing here", 404)))

        do_HEAD = do_GET  # noqa: N815 - the name that http.server looks for

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - http.server's signature
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    web.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield web
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _answer(handler: BaseHTTPRequestHandler, page: Page) -> None:
    """Send a page, and close the connection where the announced length is a lie."""
    sleep(page.seconds_before)
    handler.send_response(page.status)
    for name, value in page.headers.items():
        handler.send_header(name, value)
    if page.chunked:
        handler.send_header("Transfer-Encoding", "chunked")
    elif "Content-Length" not in page.headers:
        handler.send_header(
            "Content-Length", str(len(page.body) if page.announced is None else page.announced)
        )
    handler.end_headers()
    if handler.command == "HEAD":
        return
    try:
        body = b"%x\r\n%b\r\n0\r\n\r\n" % (len(page.body), page.body) if page.chunked else page.body
        handler.wfile.write(body)
    except (BrokenPipeError, ConnectionResetError):
        pass
    handler.close_connection = page.announced is not None
