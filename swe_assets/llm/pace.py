"""Calls kept within a service's limits of requests and tokens per minute, and slowed down where it asks.

Each limit is a token bucket in its virtual scheduling form (GCRA, ITU-T I.371, annex A): a call is given the
earliest moment at which it conforms, in order of arrival, and waits for it. So no 60 s hold more than the
limit and the burst, which is one second's worth (at least one request; for tokens at least the call itself).

The rate follows additive increase, multiplicative decrease, which converges to a fair share among callers
that do not know of each other (Chiu and Jain 1989, doi:10.1016/0169-7552(89)90019-6).
"""

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from swe_assets.llm.outcomes import CallsCancelledError
from swe_assets.llm.pace_flow import Flow
from swe_assets.llm.specs import ModelSpec

DECREASE = 0.5
"""A 429 halves the rate, as TCP does (RFC 5681, 3.1)."""

RISE_A_MINUTE = 0.5
"""While calls are answered the rate rises by half of the full one a minute: quotas renew each minute."""

ROUND_S = 5.0
"""Further 429s within so many seconds answer calls sent at the old rate: they do not halve it again."""

CLIMBED = 1.5
"""A rate that rose so much since it was halved was near the service's limit when the next 429 came."""

LOOK_S = 0.5
"""So often whoever waits, where no limit is known, looks whether it may go earlier; and the rate doubles
after so long at the soonest."""

LOWEST_SHARE = 1 / 64
LOWEST_PER_MINUTE = 1.0
SEEN_S = 10.0
IDLE_S = 10.0
"""At most so many seconds between two answers count as time in which the service was content."""


@dataclass(frozen=True)
class _Ticket:
    """A call's moment, good for as long as no 429 voids it."""

    at: float
    epoch: int
    tokens: int


def wait_or_stopped(stop: threading.Event, seconds: float) -> bool:
    """Wait so many seconds or until stop is set; return whether it is."""
    return stop.wait(seconds) if seconds > 0 else stop.is_set()


class ModelPace:
    """The pace of one model at one service, shared by all threads and runs of the process.

    Without known limits it starts unlimited; the first 429 makes the rate of the last ten seconds the full
    one, and half of it is allowed; since that may be little, it doubles each second of answers (slow start,
    RFC 5681, 3.1, up to twice what is really sent) until the next 429. That and each later one make the rate
    to which it had climbed the full one; it may rise above it again.
    ``clock`` counts seconds; ``wait(stop, seconds)`` returns whether the run was stopped meanwhile.
    """

    def __init__(
        self,
        requests_per_minute: float | None = None,
        tokens_per_minute: float | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[threading.Event, float], bool] = wait_or_stopped,
    ) -> None:
        self._clock, self._wait, self._lock = clock, wait, threading.Lock()
        self._requests = None if requests_per_minute is None else Flow(requests_per_minute)
        self._tokens = None if tokens_per_minute is None else Flow(tokens_per_minute)
        self._known = self._requests is not None or self._tokens is not None
        self._sent: deque[float] = deque(maxlen=10_000)
        self._waiting_calls = self._waiting_tokens = self._epoch = 0
        self._share = self._share_then = 1.0
        self._not_before = self._last_slot = self._halved = float("-inf")
        self._raised = clock()
        self._doubling = False

    def acquire(self, tokens: int, stop: threading.Event) -> None:
        """Wait until a call of so many tokens may be sent; raise CallsCancelledError once stop is set."""
        while True:
            with self._lock:
                ticket = self._reserved(max(0, tokens))
            stopped = self._waited(ticket, stop)
            with self._lock:
                valid = ticket.epoch == self._epoch
                if valid:
                    self._waiting_calls -= 1
                    self._waiting_tokens -= ticket.tokens
                if stopped:
                    self._give_back(ticket, valid=valid)
                    raise CallsCancelledError("the run was interrupted while a call waited for its turn")
                if valid:
                    self._sent.append(self._clock())
                    return

    def _waited(self, ticket: _Ticket, stop: threading.Event) -> bool:
        """Wait for a ticket's moment, or until it is seen to be void; return whether the run was stopped."""
        while True:
            left = ticket.at - self._clock()
            last = self._known or left <= LOOK_S
            if self._wait(stop, left if last else LOOK_S):
                return True
            if last or ticket.epoch != self._epoch:
                return False

    def answered(self, reserved: int, used: int, *, content: bool = True) -> None:
        """Correct the tokens of a call that came back; where the service was content, raise the rate.

        ``content``: the service served a reply. One not sent, refused or lost raises nothing.
        """
        with self._lock:
            now = self._clock()
            if self._tokens is not None:
                self._tokens.correct(used - reserved, self._share)
            if not content:
                return
            if now >= self._not_before and self._doubling:
                self._double(now)
                return
            if now >= self._not_before:
                self._share += RISE_A_MINUTE / 60 * min(IDLE_S, max(0.0, now - self._raised))
                if self._known:
                    self._share = min(1.0, self._share)
            self._raised = now

    def _double(self, now: float) -> None:
        """Raise the rate as much as doubling each second does since the last time, and plan anew."""
        passed = min(ROUND_S, now - self._raised)
        if passed < LOOK_S or self._requests is None:
            return
        sent = max(self._seen_per_minute(now, 2 * LOOK_S), self._seen_per_minute(now))
        most = 2 * sent / self._requests.full
        self._raised = now
        if (share := min(self._share * 2**passed, most)) > self._share:
            self._plan_anew(now, share)

    def pushed_back(self, wait_s: float | None) -> None:
        """Halve the rate once a round; no call of any thread starts within the named wait (seconds)."""
        with self._lock:
            now = self._clock()
            until = now + (wait_s or 0.0)
            if now >= max(self._not_before, self._halved + ROUND_S):
                self._halved = now
                self._plan_anew(now, self._halved_share(now))
            elif until > self._not_before:
                self._plan_anew(now, self._share)
            self._not_before = max(self._not_before, until)
            self._raised = max(now, self._not_before)

    def _reserved(self, tokens: int) -> _Ticket:
        """Give the next call its moment, never before that of a call which came earlier."""
        at = max(self._clock(), self._not_before, self._last_slot)
        needs = [(flow, amount) for flow, amount in ((self._requests, 1), (self._tokens, tokens)) if flow]
        for flow, amount in needs:
            at = max(at, flow.earliest(amount, self._share))
        for flow, amount in needs:
            flow.take(at, amount, self._share)
        self._last_slot = at
        self._waiting_calls += 1
        self._waiting_tokens += tokens
        return _Ticket(at, self._epoch, tokens)

    def _give_back(self, ticket: _Ticket, *, valid: bool) -> None:
        """Take back the moment of a call that will not be made, so that a later run need not wait for it."""
        if valid:
            self._void(1, ticket.tokens)
        if self._waiting_calls == 0:
            self._last_slot = float("-inf")

    def _void(self, calls: int, tokens: int) -> None:
        """Give back what calls had reserved that were not sent."""
        for flow, amount in ((self._requests, calls), (self._tokens, tokens)):
            if flow:
                flow.correct(-amount, self._share)

    def _halved_share(self, now: float) -> float:
        """Return the share after one more 429; with no known limit the full rate is that of late."""
        first = not self._known and self._requests is None
        if first:
            self._requests = Flow(self._seen_per_minute(now))
        elif not self._known and self._requests and self._share >= CLIMBED * self._share_then:
            self._requests.set_full(self._requests.full * self._share)
            self._share = 1.0
        self._doubling = first
        full = self._requests.full if self._requests else None
        lowest = max(LOWEST_SHARE, min(1.0, LOWEST_PER_MINUTE / full)) if full else LOWEST_SHARE
        self._share_then = max(lowest, self._share * DECREASE)
        return self._share_then

    def _plan_anew(self, now: float, share: float) -> None:
        """Allow another share of the rate; each call that still waits will ask for a new moment."""
        self._void(self._waiting_calls, self._waiting_tokens)
        for flow in filter(None, (self._requests, self._tokens)):
            flow.rescale(now, self._share, share)
        self._share = share
        self._waiting_calls = self._waiting_tokens = 0
        self._epoch += 1
        self._last_slot = now

    def _seen_per_minute(self, now: float, seconds: float = SEEN_S) -> float:
        """Return the rate of the last seconds, per minute; at least two calls a minute."""
        recent = [at for at in self._sent if at >= now - seconds]
        span = max(1.0, now - recent[0]) if recent else 1.0
        return max(2 * LOWEST_PER_MINUTE, len(recent) * 60 / span)


@dataclass(frozen=True)
class RunPace:
    """A model's pace as one run sees it: its waits end once the run is stopped."""

    shared: ModelPace
    stop: threading.Event

    def acquire(self, tokens: int) -> None:
        """Wait for a call's turn; raise CallsCancelledError once the run is stopped."""
        self.shared.acquire(tokens, self.stop)

    def answered(self, reserved: int, used: int, *, content: bool = True) -> None:
        """Say that a call came back, with the tokens it was thought to take and those it took."""
        self.shared.answered(reserved, used, content=content)

    def pushed_back(self, wait_s: float | None) -> None:
        """Say that the service wants fewer calls, and how long it wants none."""
        self.shared.pushed_back(wait_s)


_paces: dict[tuple[object, ...], ModelPace] = {}
_paces_lock = threading.Lock()


def pace_of(spec: ModelSpec, stop: threading.Event | None = None) -> RunPace:
    """Return the pace of a model: one a service, model, key and limits in this process.

    ``stop`` ends the waits of this run; without it they end by themselves only.
    """
    limits = (spec.requests_per_minute, spec.tokens_per_minute)
    of = (spec.provider, spec.base_url, spec.model, spec.key, *limits)
    with _paces_lock:
        if of not in _paces:
            _paces[of] = ModelPace(*limits)
        return RunPace(_paces[of], stop or threading.Event())
