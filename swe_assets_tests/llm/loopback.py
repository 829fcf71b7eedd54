"""A model's service on this machine: it serves given replies over real HTTP and keeps what it was sent."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from pydantic import SecretStr

from swe_assets.llm.gemini import GeminiModel

PLANTED_KEY = "AIzaPlanted0123456789secret"


@dataclass(frozen=True)
class Served:
    """One reply: status, headers and a JSON body or raw text; or a line that is dropped or never answered."""

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    fault: str = ""


@dataclass
class Service:
    """A running service: its address, the requests that came, the waits that its client asked for."""

    url: str
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)

    def model(self, *, timeout_s: float = 20.0) -> GeminiModel:
        """Return a Gemini model that calls this service with a planted key and waits without sleeping."""
        key = SecretStr(PLANTED_KEY)
        return GeminiModel(base_url=self.url, key=key, timeout_s=timeout_s, sleep=self.waits.append)


@contextmanager
def service(*replies: Served) -> Iterator[Service]:
    """Run a service that gives the replies in turn, the last one for ever."""
    over = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers.get("content-length") or 0))
            running.requests.append(json.loads(content))
            running.headers.append({name.lower(): value for name, value in self.headers.items()})
            reply = replies[min(len(running.requests), len(replies)) - 1]
            if reply.fault:
                self.close_connection = True
                over.wait(30 if reply.fault == "silence" else 0)
                return
            body = reply.body if isinstance(reply.body, str) else json.dumps(reply.body)
            self.send_response(reply.status)
            for name, value in {"content-type": "application/json", **reply.headers}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(body.encode())))
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the server's signature
            """Keep the test's output clean."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    running = Service(f"http://127.0.0.1:{server.server_address[1]}/")
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield running
    finally:
        over.set()
        server.shutdown()
        server.server_close()


def said(text: str, *, finish: str = "STOP", **candidate: Any) -> Served:
    """Return a 200 reply of the Gemini API whose one candidate says a text."""
    content = {"role": "model", "parts": [{"text": text}]}
    usage = {"promptTokenCount": 100, "candidatesTokenCount": 20, "thoughtsTokenCount": 7}
    first = {"finishReason": finish, "index": 0, "content": content, **candidate}
    return Served(
        body={"candidates": [first], "usageMetadata": usage, "modelVersion": "gemini-2.5-flash-001"}
    )


def failed(status: int, message: str, word: str = "", *details: dict[str, Any], **headers: str) -> Served:
    """Return an error reply of the Gemini API."""
    error = {"code": status, "message": message, "status": word, "details": list(details)}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Served(status=status, body={"error": error}, headers=named)


GOOD = '{"resolve_issue": true, "score_confianca": 4, "raciocinio_analitico": "corrige a causa-raiz"}'
