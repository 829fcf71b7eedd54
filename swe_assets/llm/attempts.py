"""Attempts counted once for every provider: what is tried again, after how long, and when calling stops."""

import logging
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, replace

from swe_assets.llm.outcomes import (
    CallError,
    CallsCancelledError,
    EmptyReplyError,
    StopCallsError,
    TruncatedError,
)
from swe_assets.llm.protocol import ChatReply, ChatRequest, Meter, Pace
from swe_assets.llm.specs import ModelSpec
from swe_assets.llm.token_estimate import tokens_in, tokens_out
from swe_assets.llm.typed_reply import validated

logger = logging.getLogger(__name__)
_jitter = random.SystemRandom()

LOOK_S = 0.05
"""How often a wait looks whether it is to end; so long may it outlast a stop."""


@dataclass(frozen=True)
class RetryPolicy:
    """How often and how patiently a request is tried.

    Without a hint of the service the n-th wait is ``first_wait_s * growth**(n-1)``, never above
    ``longest_wait_s``, of which a half is certain and a half drawn at random: at first about 0.2 s, since
    most failures are over at once, then 1, 7 and 40 s, since the others last. A hint is honoured as given;
    one above ``longest_hint_s`` ends all calls. ``longer_limit``: the token limit with which a reply that
    was cut is asked for once more; None leaves that to the model's ``longer_max_tokens``.
    """

    attempts: int = 5
    first_wait_s: float = 0.25
    growth: float = 6.0
    longest_wait_s: float = 60.0
    longest_hint_s: float = 600.0
    longer_limit: int | None = None

    def wait_s(self, attempt: int, hint_s: float | None, jitter: float) -> float:
        """Return the seconds to wait after the given attempt (1-based), for a jitter drawn from [0, 1)."""
        if hint_s:
            return hint_s
        return min(self.longest_wait_s, self.first_wait_s * self.growth ** (attempt - 1)) * (1 + jitter) / 2

    def longer(self, request: ChatRequest, own_limit: int | None = None) -> ChatRequest | None:
        """Return the request with the longer limit where that is more than it or its model has, or None."""
        limit = request.max_tokens or own_limit
        if self.longer_limit is None or (limit is not None and limit >= self.longer_limit):
            return None
        return replace(request, max_tokens=self.longer_limit)


_Came = tuple[ChatReply | None, ChatReply | None]
"""What an attempt was served, and what it may be billed for."""


class Caller:
    """Makes a provider's single sends into complete calls; any number of threads may share one.

    After a StopCallsError it sends nothing more and ends every wait. A wait that the service names holds all
    calls of this model, those of other threads too, until it is over or a later call was answered. Once
    ``stop`` is set no further attempt begins and waits end, with CallsCancelledError; what is under way is
    let come to its end. With a ``spec`` no more than its ``concurrency`` attempts are under way at once;
    whoever waits for its next attempt is not counted. ``meter`` and ``pace`` are asked about each attempt;
    ``unusable`` is told each reply that was served and is no answer.
    """

    def __init__(
        self,
        send: Callable[[ChatRequest], ChatReply],
        *,
        spec: ModelSpec | None = None,
        policy: RetryPolicy | None = None,
        meter: Meter | None = None,
        pace: Pace | None = None,
        stop: threading.Event | None = None,
        sleep: Callable[[float], None] | None = None,
        jitter: Callable[[], float] = _jitter.random,
        unusable: Callable[[ChatRequest, ChatReply, CallError], None] | None = None,
    ) -> None:
        self._unusable = unusable
        self._send, self._sleep, self._jitter = send, sleep, jitter
        self._policy = policy or RetryPolicy()
        self._spec, self._meter, self._pace = spec, meter, pace
        self._stop = stop or threading.Event()
        self._slots = threading.Semaphore(spec.concurrency) if spec is not None else None
        self._lock = threading.Lock()
        self._stopped: StopCallsError | None = None
        self._held_at = self._held_until = self._slept = 0.0

    def complete(self, request: ChatRequest) -> ChatReply:
        """Send until there is an answer that satisfies the request's schema, or raise the last failure."""
        return self.ask(request)[1]

    def ask(self, request: ChatRequest) -> tuple[ChatRequest, ChatReply]:
        """Do as ``complete`` does; return beside the reply what it answers: a longer limit may be in it."""
        sent: list[ChatRequest] = []
        try:
            return self._tried(request, sent)
        except CallError as failure:
            failure.attempts = len(sent)
            raise

    def _tried(self, request: ChatRequest, sent: list[ChatRequest]) -> tuple[ChatRequest, ChatReply]:
        """Do as ``ask`` does; ``sent`` gets each request that was sent, as a stop may come before."""
        asked = request
        for attempt in range(1, self._policy.attempts + 1):
            try:
                return asked, replace(self._attempt(asked, sent), attempts=attempt)
            except CallError as caught:
                failure = self._weighed(caught)
            longer = self._longer(failure, asked)
            if attempt == self._policy.attempts or not (failure.retryable or longer):
                break
            if longer is not None:
                asked = longer
                continue
            wait = self._policy.wait_s(attempt, failure.wait_s, self._jitter())
            logger.info("%s call, attempt %d: %s; next in %.1f s", request.purpose, attempt, failure, wait)
            self._wait(wait)
        raise failure

    def _longer(self, failure: CallError, asked: ChatRequest) -> ChatRequest | None:
        """Return the request with a longer limit where its reply was cut and that was not tried yet."""
        if not isinstance(failure, TruncatedError):
            return None
        return self._policy.longer(asked, self._spec.max_tokens if self._spec else None)

    def _attempt(self, request: ChatRequest, all_sent: list[ChatRequest]) -> ChatReply:
        """Make one attempt in its turn; pace and budget learn what came of it, whatever it is."""
        with self._slot(), self._kept_hold(), self._paced(request) as came:
            self._look()
            reserved = self._meter.admit(self._spec, request) if self._meter and self._spec else 0.0
            served: ChatReply | None = None
            billed: ChatReply | None = None
            sent = self._now()
            all_sent.append(request)
            try:
                served = self._send(request)
                reply = answered(served, request)
            except CallError as failure:
                served = served or failure.served
                billed = served or self._untold(failure)
                if served is not None and self._unusable is not None:
                    self._unusable(request, served, failure)
                raise
            else:
                billed = served
            finally:
                came.append((served, billed))
                if self._meter and self._spec:
                    self._meter.settle(self._spec, reserved, billed)
        with self._lock:
            if sent >= self._held_at:
                self._held_until = 0.0
        return reply

    def _untold(self, failure: CallError) -> ChatReply | None:
        """Return a reply of unknown usage where a service may bill one that never came, as after a hang."""
        if not failure.perhaps_billed or self._spec is None:
            return None
        return ChatReply("", self._spec.model, "", "never came")

    @contextmanager
    def _slot(self) -> Iterator[None]:
        """Hold one of the calls that the model may have under way."""
        self._look()
        if self._slots is None:
            yield
            return
        while not self._slots.acquire(timeout=LOOK_S):
            self._look()
        try:
            yield
        finally:
            self._slots.release()

    @contextmanager
    def _paced(self, request: ChatRequest) -> Iterator[list[_Came]]:
        """Wait for the service's limits; what is put into the list came back, and its tokens are told."""
        came: list[_Came] = []
        if self._pace is None:
            yield came
            return
        guess = tokens_of(request, self._spec)
        self._pace.acquire(guess)
        try:
            yield came
        finally:
            served, billed = came[0] if came else (None, None)
            self._pace.answered(guess, tokens_served(billed, guess), content=served is not None)

    @contextmanager
    def _kept_hold(self) -> Iterator[None]:
        """Wait until the service wants calls again, before a turn is taken that would be over by then."""
        self._keep_hold()
        yield

    def _keep_hold(self) -> None:
        """Wait until the service wants calls again."""
        self._look()
        while (owed := self._held_until - self._now()) > 0:
            self._wait(owed)
        self._look()

    def _now(self) -> float:
        """Return the seconds of a clock on which a wait that is left to ``sleep`` counts as passed."""
        return time.monotonic() + self._slept

    def _wait(self, seconds: float) -> None:
        """Wait, unless calling stops meanwhile."""
        if self._sleep is not None:
            self._sleep(seconds)
            self._slept += seconds
            return
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self._stop.wait(min(left, LOOK_S))
            self._look()

    def _look(self) -> None:
        """Raise where no further call may be made."""
        if self._stopped is not None:
            raise copy(self._stopped)
        if self._stop.is_set():
            raise CallsCancelledError("the run was interrupted: no further call is made")

    def _weighed(self, failure: CallError) -> CallError:
        """Tell all calls what a failure means for them; a wait that is too long is the end of them."""
        if failure.retryable and (failure.wait_s or 0) > self._policy.longest_hint_s:
            asked = f"asked to wait {failure.wait_s:.0f} s, more than {self._policy.longest_hint_s:.0f} s"
            failure = StopCallsError(f"{asked}: {failure.reason}", status=failure.status)
        pushed = failure.status == 429 or failure.wait_s
        if self._pace is not None and pushed and failure.retryable:
            self._pace.pushed_back(failure.wait_s)
        with self._lock:
            if failure.wait_s and failure.retryable:
                self._held_at = self._now()
                self._held_until = max(self._held_until, self._held_at + failure.wait_s)
            if isinstance(failure, StopCallsError) and not isinstance(failure, CallsCancelledError):
                self._stopped = self._stopped or copy(failure)
        return failure


def tokens_of(request: ChatRequest, spec: ModelSpec | None) -> int:
    """Return about how many tokens a call takes, its answer among them; 0 where the model has no limit.

    Counting them takes as long as the rest of a call's work here, so it is done only where it is needed.
    """
    if spec is None or spec.tokens_per_minute is None:
        return 0
    return tokens_in(request) + tokens_out(spec, request)


def tokens_served(reply: ChatReply | None, guess: int) -> int:
    """Return the tokens that a reply says it took, the guess where it does not say, 0 without a reply."""
    if reply is None:
        return 0
    if reply.tokens_in is None:
        return guess
    return reply.tokens_in + (reply.tokens_out or 0)


def answered(reply: ChatReply, request: ChatRequest) -> ChatReply:
    """Return the reply, with its validated object where there is a schema; raise where it has no answer."""
    if not reply.text.strip():
        raise EmptyReplyError("empty text")
    if request.schema is None:
        return reply
    value, notes = validated(reply, request.schema, prompt=request.user)
    return replace(reply, value=value, notes=notes)
