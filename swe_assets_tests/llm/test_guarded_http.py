"""The line to a service leads to it alone, whatever the environment says."""

import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import httpx2
import pytest

from swe_assets.errors import ConfigurationError
from swe_assets.llm.addresses import safe_url
from swe_assets.llm.guarded_http import SPARE, AddressRefusedError, guarded_client
from swe_assets.llm.outcomes import InfrastructureError
from swe_assets.llm.protocol import ChatRequest
from swe_assets_tests.http_stub import Asked, serving
from swe_assets_tests.llm.loopback import GOOD, PLANTED_KEY, Served, service
from swe_assets_tests.llm.loopback_wire import WIRES, Wire

REQUEST = ChatRequest("s", "u")
each_wire = pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.provider)


@contextmanager
def listening() -> Iterator[tuple[str, list[bytes]]]:
    """Run a server that hears each connection out and answers 502; yield its address and what it heard."""
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def hear() -> None:
            while True:
                try:
                    line, _ = server.accept()
                except OSError:
                    return
                with line:
                    heard.append(line.recv(65536))
                    line.sendall(b"HTTP/1.1 502 No\r\ncontent-length: 0\r\n\r\n")

        threading.Thread(target=hear, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}", heard
        server.shutdown(socket.SHUT_RDWR)


@each_wire
def test_no_variable_moves_the_key(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    """SDK variables for addresses, tokens, accounts, headers and proxies change neither place nor headers."""
    with listening() as (away, heard), service(wire.said(GOOD)) as running:
        for name in ("OPENAI", "ANTHROPIC", "GOOGLE_GEMINI", "GOOGLE_VERTEX"):
            monkeypatch.setenv(f"{name}_BASE_URL", away)
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "HTTPS_PROXY", "https_proxy"):
            monkeypatch.setenv(name, away)
        for name in ("OPENAI", "ANTHROPIC"):
            monkeypatch.setenv(f"{name}_CUSTOM_HEADERS", f"host: evil\nx-odd: 1\n{wire.key_header}: other")
        for name in ("ANTHROPIC_AUTH_TOKEN", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "GOOGLE_API_KEY"):
            monkeypatch.setenv(name, "other-value")
        monkeypatch.setenv("GOOGLE_GENAI_API_VERSION", "v9")
        monkeypatch.setenv("GOOGLE_GENAI_USE_VERTEXAI", "true")
        running.model(wire.provider).complete(REQUEST)
        assert heard == []
        headers = running.headers[0]
        assert headers["host"] == running.url.split("/")[2]
        assert headers[wire.key_header] == wire.key_prefix + PLANTED_KEY
        assert not {"x-odd", "openai-organization", "openai-project", "cookie"} & headers.keys()
        assert "other" not in "".join(headers.values())


def statuses(calls: int, at_once: int, latency_s: float, timeout_s: float) -> set[int]:
    """Return the statuses of calls that begin together at a service that takes its time."""

    def answer(_asked: Asked) -> Served:
        time.sleep(latency_s)
        return Served(body={})

    with (
        serving(answer) as (url, _),
        guarded_client(url, {}, timeout_s, at_once) as client,
        ThreadPoolExecutor(calls) as pool,
    ):
        return set(pool.map(lambda number: client.get(f"{url}{number}").status_code, range(calls)))


def test_as_many_connections_as_calls_at_once() -> None:
    """Eighty calls at once that take half of their time are all answered."""
    assert statuses(80, 80, 2.0, 3.8) == {200}


def test_the_wait_for_a_connection_takes_nothing_from_a_call() -> None:
    """Calls of 0.6 s that waited 0.6 s for a connection are answered within their 1 s."""
    assert statuses(2 * (1 + SPARE), 1, 0.6, 1.0) == {200}


@each_wire
def test_a_redirect_is_not_followed(wire: Wire) -> None:
    """A redirect, which would carry the key to another host, is an error."""
    with service(wire.said(GOOD)) as other:
        away = Served(307, {}, {"location": other.url})
        with service(away) as running, pytest.raises(InfrastructureError, match="307"):
            running.model(wire.provider).complete(REQUEST)
    assert other.requests == []


def test_a_proxy_for_https_hears_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Through HTTPS_PROXY goes a request for a tunnel and nothing of the call."""
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    with listening() as (proxy, heard):
        monkeypatch.setenv("HTTPS_PROXY", proxy)
        monkeypatch.setenv("https_proxy", proxy)
        client = guarded_client("https://service.invalid/", {"x-api-key": PLANTED_KEY}, 5.0)
        with pytest.raises(httpx2.ProxyError):
            client.post("https://service.invalid/v1", json={"secret": "words"})
    assert heard[0].startswith(b"CONNECT service.invalid:443 ")
    assert PLANTED_KEY.encode() not in heard[0]
    assert b"words" not in heard[0]


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:1/v1/x", "http://127.0.0.1:2/other", "http://localhost:2/v1/x"]
)
def test_another_place_is_not_asked(url: str) -> None:
    """A request to another port, path or name than the service's own is not sent."""
    client = guarded_client("http://127.0.0.1:2/v1/", {}, 5.0)
    with pytest.raises(AddressRefusedError, match="was not sent"):
        client.get(url)


@pytest.mark.parametrize(
    ("url", "word"),
    [
        ("http://example.org/", "unprotected"),
        ("http://127.0.0.1.example.org/", "unprotected"),
        ("http://127.0.0.1@example.org/", "credentials"),
        ("https://user:secret@example.org/", "credentials"),
        ("https://example.org/?key=secret", "query"),
        ("https://example.org/#secret", "query or fragment"),
        ("https://", "names no host"),
        ("https://exa mple.org", "names no host"),
        ("https://example.org:99999/", "no address"),
        ("ftp://127.0.0.1/", "unprotected"),
        ("//x", "unprotected"),
        ("", "names no host"),
        ("https://exämple.org/", "names no host"),
    ],
)
def test_addresses_that_are_refused(url: str, word: str) -> None:
    """What is neither https nor this machine, or holds a secret, is refused, and no secret is repeated."""
    with pytest.raises(ConfigurationError, match=word) as refused:
        safe_url(url)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:8000/v1", "http://[::1]/", "http://localhost", "https://a.b/c"]
)
def test_addresses_that_are_taken(url: str) -> None:
    """https, and this machine by any of its names, are taken and end in one slash."""
    assert safe_url(url) == url.rstrip("/") + "/"
