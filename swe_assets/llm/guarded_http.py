"""The line to a model's service: one origin, our headers alone, a deadline and a bound on what comes back.

Imported only where a provider connects. SDKs and their environment variables may name other hosts, headers
and proxies; whatever they build passes through here, so that a key goes to the address it was given for.
"""

import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

import httpcore2
import httpx2

from swe_assets.errors import ConfigurationError

MAX_REPLY_BYTES = 8_000_000
"""The largest reply that is read; a judge's is a few kilobytes, with its thoughts a few hundred."""

_KEPT_HEADERS = {"accept", "content-type", "content-length", "user-agent", "anthropic-version", "host"}
SPARE = 4
"""Connections above the calls at once: one that was given up may not be closed yet."""


class ReplyTooLargeError(httpx2.TransportError):
    """A reply of more than MAX_REPLY_BYTES, or one in an encoding whose size cannot be bounded."""


class AddressRefusedError(httpx2.TransportError):
    """A request to another place than the service's own address."""


def guarded_client(
    base_url: str, auth: Mapping[str, str], timeout_s: float, at_once: int = 4
) -> httpx2.Client:
    """Return an HTTP client for one service, safe to share among threads.

    ``auth``: the headers that carry the key; no other header of the kind is sent. ``timeout_s`` bounds a
    whole attempt from the moment at which it holds a connection or opens one, however slowly its bytes come;
    the look-up of the host's name alone keeps the system's own time. Before that a call above ``at_once`` and
    SPARE waits for a connection for at most ``timeout_s``, and is not sent where none comes free. Redirects
    are not followed. HTTPS_PROXY is used for https addresses alone, as a tunnel inside which the key stays
    encrypted; other proxies, netrc and cookies are not used.
    """
    transport = _GuardedTransport(base_url, auth, timeout_s, at_once + SPARE)
    return httpx2.Client(
        transport=transport, timeout=timeout_s, follow_redirects=False, trust_env=False, mounts={}
    )


class _GuardedTransport(httpx2.BaseTransport):
    """Sends what is meant for one origin, and reads the whole reply within its bounds."""

    def __init__(self, base_url: str, auth: Mapping[str, str], timeout_s: float, connections: int) -> None:
        self._base = httpx2.URL(base_url)
        self._auth = {name.lower(): value for name, value in auth.items()}
        self._timeout_s = timeout_s
        self._clock = _Clock()
        self._pool = _pool_for(base_url, self._clock, connections)

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send one request; raise httpx2's own errors, as the SDKs expect them."""
        self._refuse_elsewhere(request.url)
        sent = httpcore2.Request(
            request.method,
            httpcore2.URL(
                scheme=request.url.raw_scheme,
                host=request.url.raw_host,
                port=request.url.port,
                target=request.url.raw_path,
            ),
            headers=self._headers(request),
            content=request.read(),
            extensions={"timeout": dict.fromkeys(("connect", "read", "write", "pool"), self._timeout_s)},
        )
        self._clock.set(self._timeout_s)
        try:
            reply = self._pool.handle_request(sent)
            try:
                body = _bounded(_chunks(reply), reply.headers)
            finally:
                reply.close()
        except Exception as problem:
            raise _as_httpx(problem) from None
        return httpx2.Response(reply.status, headers=reply.headers, content=body)

    def close(self) -> None:
        """Close all connections."""
        self._pool.close()

    def _refuse_elsewhere(self, url: httpx2.URL) -> None:
        """Raise AddressRefusedError where a request would leave the service's own address."""
        base = self._base
        same = (url.scheme, url.host, url.port) == (base.scheme, base.host, base.port)
        if not same or not url.path.startswith(base.path.rstrip("/") + "/"):
            raise AddressRefusedError(f"a request to {url.host!r} instead of {base.host!r} was not sent")

    def _headers(self, request: httpx2.Request) -> list[tuple[bytes, bytes]]:
        """Return the headers to send: those that a call needs, the key's, and no compression."""
        host = self._base.netloc.decode("ascii")
        kept = {name: value for name, value in request.headers.items() if name.lower() in _KEPT_HEADERS}
        headers = {**kept, "host": host, "accept-encoding": "identity", **self._auth}
        return [(name.encode("ascii"), value.encode("ascii")) for name, value in headers.items()]


class _Clock(threading.local):
    """The moment at which the calling thread's attempt is over; it runs from the first use of a line."""

    seconds = 0.0
    until: float | None = None

    def set(self, seconds: float) -> None:
        """Allow an attempt so many seconds from when it holds or opens a connection."""
        self.seconds, self.until = seconds, None

    def left(self, timeout: float | None, error: type[Exception]) -> float:
        """Return the seconds that one read, write or connect may take; raise where none are left."""
        if self.until is None:
            self.until = time.monotonic() + self.seconds
        left = self.until - time.monotonic()
        if left <= 0:
            raise error("the attempt took longer than its time-out")
        return left if timeout is None else min(left, timeout)


class _TimedStream(httpcore2.NetworkStream):
    """A connection whose every wait ends with the attempt."""

    def __init__(self, stream: httpcore2.NetworkStream, clock: _Clock) -> None:
        self._stream, self._clock = stream, clock

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._clock.left(timeout, httpcore2.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._clock.left(timeout, httpcore2.WriteTimeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        left = self._clock.left(timeout, httpcore2.ConnectTimeout)
        return _TimedStream(self._stream.start_tls(ssl_context, server_hostname, left), self._clock)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class _TimedBackend(httpcore2.NetworkBackend):
    """Opens connections whose every wait ends with the attempt."""

    def __init__(self, clock: _Clock) -> None:
        self._sockets, self._clock = httpcore2.SyncBackend(), clock

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        left = self._clock.left(timeout, httpcore2.ConnectTimeout)
        opened = self._sockets.connect_tcp(host, port, left, local_address, socket_options)
        return _TimedStream(opened, self._clock)


def _pool_for(base_url: str, clock: _Clock, connections: int) -> httpcore2.ConnectionPool:
    """Return the connections to a service, through the machine's proxy for https where there is one."""
    parts = urlsplit(base_url)
    proxy = getproxies().get("https", "") if parts.scheme == "https" else ""
    bounds: dict[str, Any] = {
        "ssl_context": httpx2.create_ssl_context() if parts.scheme == "https" else None,
        "max_connections": connections,
        "max_keepalive_connections": connections,
        "keepalive_expiry": 5.0,
        "network_backend": _TimedBackend(clock),
    }
    if not proxy or proxy_bypass(parts.hostname or ""):
        return httpcore2.ConnectionPool(**bounds)
    through = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
    if through.scheme not in {"http", "https"}:
        raise ConfigurationError(f"HTTPS_PROXY is a {through.scheme!r} proxy: give an http or https one")
    user = (unquote(through.username or ""), unquote(through.password or ""))
    place = f"{through.scheme}://{through.netloc.rpartition('@')[2]}"
    return httpcore2.HTTPProxy(place, proxy_auth=user if any(user) else None, **bounds)


def _chunks(reply: httpcore2.Response) -> Iterator[bytes]:
    """Yield the bytes of a reply as they come."""
    assert isinstance(reply.stream, Iterable)  # noqa: S101 - a pool without asyncio gives such
    yield from reply.stream


def _bounded(chunks: Iterator[bytes], headers: list[tuple[bytes, bytes]]) -> bytes:
    """Return a reply's whole body; raise ReplyTooLargeError as soon as it is above the bound."""
    coding = {value.lower() for name, value in headers if name.lower() == b"content-encoding"}
    if coding - {b"identity"}:
        raise ReplyTooLargeError("a compressed reply, which was not asked for, was not read")
    body = bytearray()
    for chunk in chunks:
        body += chunk
        if len(body) > MAX_REPLY_BYTES:
            body.clear()
            raise ReplyTooLargeError(f"a reply of more than {MAX_REPLY_BYTES} bytes was not read")
    return bytes(body)


def _as_httpx(problem: Exception) -> Exception:
    """Return a connection's error as httpx2's of the same name, so that it is one that the SDKs know."""
    known = getattr(httpx2, type(problem).__name__, None)
    if isinstance(problem, httpx2.TransportError) or not type(problem).__module__.startswith("httpcore2"):
        return problem
    kind = known if isinstance(known, type) and issubclass(known, httpx2.TransportError) else None
    return (kind or httpx2.TransportError)(type(problem).__name__)
