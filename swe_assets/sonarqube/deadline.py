"""An end of time for one whole HTTP request, however slowly its bytes drip in."""

import socket
import threading
from types import TracebackType
from typing import Any


class Deadline:
    """Shuts a request's connection down when its seconds are over; read time-outs bound a single wait only.

    ``trace`` goes into the request's extensions of httpx (httpcore, "trace"), which hands over the streams
    of connections as they are made; so the client must keep none alive between requests.
    """

    def __init__(self, seconds: float) -> None:
        self.passed = False
        self._streams: list[Any] = []
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True

    def __enter__(self) -> "Deadline":
        self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()

    def trace(self, event: str, info: dict[str, Any]) -> None:
        """Note the stream of a connection that was just made."""
        if event.startswith("connection.") and event.endswith(".complete") and "return_value" in info:
            self._streams.append(info["return_value"])

    def _end(self) -> None:
        """Wake up whoever reads from the connections."""
        self.passed = True
        for stream in self._streams:
            held = getattr(stream, "get_extra_info", lambda _name: None)("socket")
            if held is not None:
                try:
                    held.shutdown(socket.SHUT_RDWR)
                except OSError:
                    continue
