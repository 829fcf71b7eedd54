"""How long and how often a server is asked again before the work stops."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass

_jitter = random.SystemRandom()


@dataclass(frozen=True)
class Patience:
    """Bounds of one request with all its attempts.

    The n-th wait is ``first_wait_s * 2**(n-1)``, at most ``longest_wait_s``, lengthened by up to a half at
    random; a Retry-After of the server is kept instead, unless it would go beyond ``seconds`` in all.
    ``request_s`` bounds one attempt as a whole, ``connect_s`` and ``read_s`` its phases, ``body_bytes`` the
    answer. Times come from ``clock`` (seconds, monotonic), waits are made by ``sleep``.
    """

    attempts: int = 9
    seconds: float = 240.0
    first_wait_s: float = 1.0
    longest_wait_s: float = 20.0
    connect_s: float = 10.0
    read_s: float = 60.0
    request_s: float = 180.0
    body_bytes: int = 64 * 2**20
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    jitter: Callable[[], float] = _jitter.random

    def wait_s(self, attempt: int, hint_s: float | None) -> float:
        """Return the seconds to wait after the given attempt (1-based), with or without the server's hint."""
        if hint_s is not None:
            return hint_s
        plain = min(self.longest_wait_s, self.first_wait_s * 2.0 ** (attempt - 1))
        return plain * (1 + self.jitter() / 2)
