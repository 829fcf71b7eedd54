"""A loopback https server that serves git repositories through git's own http-backend."""

import base64
import contextlib
import http.server
import os
import shutil
import ssl
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest


@contextlib.contextmanager
def https_server(folder: Path, user: str, token: str) -> Iterator[tuple[str, Path]]:
    """Serve the repositories below a folder to who knows the token; give host:port and the certificate."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl makes the certificate")
    with tempfile.TemporaryDirectory() as temporary:
        certificate, key = Path(temporary) / "cert.pem", Path(temporary) / "key.pem"
        _make_certificate(certificate, key)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _handler(folder, user, token))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"localhost:{server.server_port}", certificate
        finally:
            server.shutdown()
            server.server_close()


def _make_certificate(certificate: Path, key: Path) -> None:
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=localhost",
    ]
    command += ["-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command, check=True, capture_output=True)


def _handler(folder: Path, user: str, token: str) -> type[http.server.BaseHTTPRequestHandler]:
    expected = "Basic " + base64.b64encode(f"{user}:{token}".encode()).decode()
    return type("Handler", (_Handler,), {"folder": folder, "expected": expected})


class _Handler(http.server.BaseHTTPRequestHandler):
    """Hands each request on to `git http-backend` as a CGI program."""

    protocol_version = "HTTP/1.1"
    folder: Path
    expected: str

    def do_GET(self) -> None:
        """Answer a request for references."""
        self._serve(b"")

    def do_POST(self) -> None:
        """Answer a request for objects."""
        self._serve(self.rfile.read(int(self.headers["Content-Length"])))

    def _serve(self, body: bytes) -> None:
        if self.headers.get("Authorization") != self.expected:
            self._answer(401, {"WWW-Authenticate": 'Basic realm="test"'}, b"")
            return
        command = ["git", "http-backend"]
        environment = os.environ | self._cgi_variables(len(body))
        done = subprocess.run(command, input=body, env=environment, capture_output=True, check=False)
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        fields = dict(line.split(": ", 1) for line in head.decode().split("\r\n"))
        self._answer(int(fields.pop("Status", "200").split()[0]), fields, content)

    def _answer(self, status: int, fields: dict[str, str], content: bytes) -> None:
        self.send_response(status)
        for name, value in (fields | {"Content-Length": str(len(content))}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def _cgi_variables(self, length: int) -> dict[str, str]:
        path, _, query = self.path.partition("?")
        return {
            "GIT_PROJECT_ROOT": str(self.folder),
            "GIT_HTTP_EXPORT_ALL": "1",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "REQUEST_METHOD": self.command,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(length),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
        }

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Stay silent."""
