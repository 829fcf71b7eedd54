"""Attempts counted once for every provider: what is tried again, after how long, and when calling stops."""

import logging
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from swe_assets.llm.outcomes import CallError, EmptyReplyError, StopCallsError
from swe_assets.llm.protocol import ChatReply, ChatRequest
from swe_assets.llm.typed_reply import validated

logger = logging.getLogger(__name__)
_jitter = random.SystemRandom()


@dataclass(frozen=True)
class RetryPolicy:
    """How often and how patiently a request is tried.

    Without a hint of the service the n-th wait is ``first_wait_s * 2**(n-1)`` lengthened by up to a half at
    random, never above ``longest_wait_s``. A hint is honoured as given; one above ``longest_hint_s`` ends
    all calls.
    """

    attempts: int = 5
    first_wait_s: float = 4.0
    longest_wait_s: float = 60.0
    longest_hint_s: float = 600.0

    def wait_s(self, attempt: int, hint_s: float | None, jitter: float) -> float:
        """Return the seconds to wait after the given attempt (1-based), for a jitter drawn from [0, 1)."""
        if hint_s:
            return hint_s
        return min(self.longest_wait_s, self.first_wait_s * 2.0 ** (attempt - 1) * (1 + jitter / 2))


class Caller:
    """Makes a provider's single sends into complete calls.

    After a StopCallsError it sends nothing more; a wait that the service named for one request is kept
    before the next one too.
    """

    def __init__(
        self,
        send: Callable[[ChatRequest], ChatReply],
        *,
        policy: RetryPolicy | None = None,
        sleep: Callable[[float], None] = time.sleep,
        jitter: Callable[[], float] = _jitter.random,
    ) -> None:
        self._send, self._sleep, self._jitter = send, sleep, jitter
        self._policy = policy or RetryPolicy()
        self._stopped: StopCallsError | None = None
        self._not_before = 0.0

    def complete(self, request: ChatRequest) -> ChatReply:
        """Send until there is an answer that satisfies the request's schema, or raise the last failure."""
        owed = self._not_before - time.monotonic()
        if owed > 0 and self._stopped is None:
            self._sleep(owed)
        for attempt in range(1, self._policy.attempts + 1):
            if self._stopped is not None:
                raise self._stopped
            try:
                reply = self._send(request)
                self._not_before = 0.0
                return replace(answered(reply, request), attempts=attempt)
            except CallError as caught:
                failure = self._weighed(caught, attempt)
            if attempt == self._policy.attempts or not failure.retryable:
                break
            wait = self._policy.wait_s(attempt, failure.wait_s, self._jitter())
            logger.info("%s call, attempt %d: %s; next in %.1f s", request.purpose, attempt, failure, wait)
            self._sleep(wait)
        raise failure

    def _weighed(self, failure: CallError, attempt: int) -> CallError:
        """Note the attempt on a failure, and turn a wait that is too long into the end of all calls."""
        if failure.retryable and (failure.wait_s or 0) > self._policy.longest_hint_s:
            asked = f"asked to wait {failure.wait_s:.0f} s, more than {self._policy.longest_hint_s:.0f} s"
            failure = StopCallsError(f"{asked}: {failure.reason}", status=failure.status)
        failure.attempts = attempt
        if failure.wait_s:
            self._not_before = time.monotonic() + failure.wait_s
        if isinstance(failure, StopCallsError):
            self._stopped = failure
        return failure


def answered(reply: ChatReply, request: ChatRequest) -> ChatReply:
    """Return the reply, with its validated object where there is a schema; raise where it has no answer."""
    if not reply.text.strip():
        raise EmptyReplyError("empty text")
    if request.schema is None:
        return reply
    value, notes = validated(reply, request.schema)
    return replace(reply, value=value, notes=notes)
