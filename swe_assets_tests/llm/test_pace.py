"""Calls stay within limits per minute, slow down where the service asks, and go on once it is content."""

import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swe_assets.llm.outcomes import CallsCancelledError
from swe_assets.llm.pace import ModelPace, RunPace, pace_of
from swe_assets.llm.pace_flow import BURST_S
from swe_assets.llm.protocol import Pace
from swe_assets.llm.specs import ModelSpec
from swe_assets_tests.llm.simulated_clock import SimulatedClock, in_threads

NEVER = threading.Event()
Sent = list[tuple[float, int]]


def paced(calls: list[int], **limits: float) -> Sent:
    """Return the moment and tokens of calls that one thread sends one after the other."""
    clock = SimulatedClock()
    pace = ModelPace(**limits, clock=clock, wait=clock.wait)
    sent = []
    for tokens in calls:
        pace.acquire(tokens, NEVER)
        sent.append((clock.now, tokens))
    return sent


def apart_s(pace: ModelPace, clock: SimulatedClock) -> float:
    """Return how many seconds after a call the next one goes."""
    pace.acquire(1, NEVER)
    before = clock.now
    pace.acquire(1, NEVER)
    return clock.now - before


def fullest_minute(sent: Sent, weight: int) -> int:
    """Return the most calls (weight 0) or tokens (weight 1) that any 60 s hold, both ends included."""
    worth = [(at, tokens if weight else 1) for at, tokens in sent]
    return max(sum(amount for at, amount in worth if start <= at <= start + 60) for start, _ in worth)


@given(
    st.lists(st.integers(0, 5_000), min_size=1, max_size=120),
    st.floats(1, 3_000),
    st.floats(100, 100_000),
)
@settings(deadline=None, max_examples=150)
def test_no_minute_holds_more_than_the_limits_and_the_burst(
    calls: list[int], requests: float, tokens: float
) -> None:
    """No window of 60 s holds more than limit and burst, of tokens limit and burst or one call."""
    sent = paced(calls, requests_per_minute=requests, tokens_per_minute=tokens)
    assert fullest_minute(sent, 0) <= requests + max(1, requests / 60 * BURST_S) + 1e-6
    assert fullest_minute(sent, 1) <= tokens + max(1, tokens / 60 * BURST_S, *calls) + 1e-3


@given(st.lists(st.one_of(st.none(), st.floats(0, 90)), max_size=12), st.floats(2, 600))
@settings(deadline=None, max_examples=100)
def test_limits_hold_through_any_row_of_429s(pushes: list[float | None], requests: float) -> None:
    """Answers and 429s with or without a wait, in any order, never let a minute exceed limit and burst."""
    clock = SimulatedClock()
    pace = ModelPace(requests, clock=clock, wait=clock.wait)
    sent = []
    for push in pushes:
        for _ in range(5):
            pace.acquire(10, NEVER)
            sent.append((clock.now, 10))
            pace.answered(10, 10)
        pace.pushed_back(push)
    if sent:
        assert fullest_minute(sent, 0) <= requests + max(1, requests / 60) + 1e-6


def test_sixty_a_minute_is_one_a_second() -> None:
    """At 60 requests a minute the n-th call goes n-1 seconds after the first."""
    assert [at - 1000 for at, _ in paced([1] * 5, requests_per_minute=60)] == [0, 1, 2, 3, 4]


def test_burst_is_one_seconds_worth() -> None:
    """At 600 a minute ten calls go at once and the next one a tenth of a second later."""
    moments = [at - 1000 for at, _ in paced([1] * 12, requests_per_minute=600)]
    assert moments == pytest.approx([0] * 10 + [0.1, 0.2])


def test_tokens_limit_calls_too() -> None:
    """At 60,000 tokens a minute two calls of 30,000 tokens go half a minute apart."""
    moments = [at - 1000 for at, _ in paced([30_000] * 3, tokens_per_minute=60_000)]
    assert moments == pytest.approx([0, 30, 60])


def test_a_call_above_the_whole_limit_goes_alone() -> None:
    """A call of two minutes' tokens is sent, and the next one two minutes later."""
    moments = [at - 1000 for at, _ in paced([1, 120_000, 1], tokens_per_minute=60_000)]
    assert moments == pytest.approx([0, 0.001, 119.002], abs=1.1)


def test_tokens_not_used_are_given_back() -> None:
    """A call thought to take 60,000 tokens that took none lets the next one go at once."""
    clock = SimulatedClock()
    pace = ModelPace(None, 60_000, clock=clock, wait=clock.wait)
    pace.acquire(60_000, NEVER)
    pace.answered(60_000, 0)
    pace.acquire(60_000, NEVER)
    assert clock.now == 1000


def test_hundreds_of_threads_share_one_limit_in_order() -> None:
    """300 threads at 600 a minute send one call each within 29 s, none before its turn."""
    clock, sent, lock = SimulatedClock(300), [], threading.Lock()
    pace = ModelPace(600, clock=clock, wait=clock.wait)

    def call(_number: int) -> None:
        pace.acquire(1, NEVER)
        with lock:
            sent.append((clock.now, 1))

    in_threads(clock, call, 300)
    assert len(sent) == 300
    assert fullest_minute(sent, 0) == 300
    assert max(at for at, _ in sent) == pytest.approx(1029.0)


def test_no_thread_starves() -> None:
    """40 threads that each make ten calls at one limit have made between nine and ten when one is done."""
    clock, done, seen, lock = SimulatedClock(40), [0] * 40, [], threading.Lock()
    pace = ModelPace(6_000, clock=clock, wait=clock.wait)

    def calls(number: int) -> None:
        for _ in range(10):
            pace.acquire(1, NEVER)
            clock.wait(NEVER, 1.0)
            with lock:
                done[number] += 1
        with lock:
            seen.append(min(done))

    in_threads(clock, calls, 40)
    assert seen[0] >= 9


def test_unlimited_pace_never_waits() -> None:
    """Without known limits a thousand calls go at the same moment."""
    assert {at for at, _ in paced([10_000] * 1000)} == {1000.0}


def test_a_429_halves_the_rate_and_answers_raise_it_again() -> None:
    """After a 429 at 60 a minute calls go two seconds apart; a minute of answers brings one a second back."""
    clock = SimulatedClock()
    pace = ModelPace(60, clock=clock, wait=clock.wait)
    pace.acquire(1, NEVER)
    pace.pushed_back(None)
    started = clock.now
    pace.acquire(1, NEVER)
    assert clock.now - started == pytest.approx(2.0)
    while clock.now < started + 62:
        pace.acquire(1, NEVER)
        pace.answered(1, 1)
    assert apart_s(pace, clock) == pytest.approx(1.0, abs=0.02)


def test_429s_of_one_round_halve_once() -> None:
    """Sixteen 429s for calls sent together halve the rate once, one five seconds later again."""
    clock = SimulatedClock()
    pace = ModelPace(60, clock=clock, wait=clock.wait)
    for _ in range(16):
        pace.pushed_back(None)
    assert apart_s(pace, clock) == pytest.approx(2.0)
    clock.now += 5.5
    pace.pushed_back(None)
    assert apart_s(pace, clock) == pytest.approx(4.0)


def test_the_rate_keeps_a_floor() -> None:
    """However many 429s come, at least a call a minute stays allowed."""
    clock = SimulatedClock()
    pace = ModelPace(5, clock=clock, wait=clock.wait)
    for _ in range(50):
        clock.now += 10
        pace.pushed_back(None)
    assert apart_s(pace, clock) == pytest.approx(60.0)


def test_a_named_wait_holds_all_threads() -> None:
    """After 429 with a wait of 30 s none of 50 waiting threads sends within it."""
    clock, sent, lock = SimulatedClock(51), [], threading.Lock()
    pace = ModelPace(60, clock=clock, wait=clock.wait)

    def call(number: int) -> None:
        if number == 50:
            clock.wait(NEVER, 5.5)
            pace.pushed_back(30)
            return
        pace.acquire(1, NEVER)
        with lock:
            sent.append(clock.now - 1000)

    in_threads(clock, call, 51)
    assert len(sent) == 50
    assert not [at for at in sent if 5.5 < at < 35.5]
    assert len([at for at in sent if at <= 5.5]) == 6


def test_a_longer_wait_replaces_a_shorter_one() -> None:
    """A second 429 within the first one's wait prolongs it without halving again."""
    clock = SimulatedClock()
    pace = ModelPace(60, clock=clock, wait=clock.wait)
    pace.pushed_back(10)
    pace.pushed_back(40)
    pace.acquire(1, NEVER)
    assert clock.now == 1040.0
    assert apart_s(pace, clock) == pytest.approx(2.0)


def test_unknown_limits_are_found() -> None:
    """A service that takes 120 calls a minute and names no limit ends up with most of it, few refused."""
    clock = SimulatedClock()
    pace = ModelPace(clock=clock, wait=clock.wait)
    taken: list[float] = []
    refused = 0
    while clock.now < 1000 + 1200:
        pace.acquire(1, NEVER)
        clock.now += 0.05
        if len([at for at in taken if at > clock.now - 60]) >= 120:
            refused += 1
            pace.pushed_back(None)
        else:
            taken.append(clock.now)
            pace.answered(1, 1)
    later = [at for at in taken if at > 1600]
    assert 0.6 * 1200 <= len(later) <= 1200
    assert refused < 0.1 * len(taken)


def test_one_early_429_costs_seconds() -> None:
    """Without a known limit a first call refused for 1 s leaves 1,000 calls of 16 threads quick."""
    clock, lock, left = SimulatedClock(16), threading.Lock(), list(range(1000))
    pace = ModelPace(clock=clock, wait=clock.wait)

    def calls(_number: int) -> None:
        while True:
            with lock:
                if not left:
                    return
                call = left.pop()
            pace.acquire(1, NEVER)
            clock.wait(NEVER, 0.2)
            if call == 999:
                pace.pushed_back(1)
            else:
                pace.answered(1, 1)

    in_threads(clock, calls, 16)
    assert clock.now - 1000 < 3 * 12.5


def test_what_is_not_served_raises_nothing() -> None:
    """A minute of calls that were refused or never sent leaves a halved rate halved."""
    clock = SimulatedClock()
    pace = ModelPace(60, clock=clock, wait=clock.wait)
    pace.pushed_back(None)
    for _ in range(30):
        pace.acquire(1, NEVER)
        pace.answered(1, 0, content=False)
    assert apart_s(pace, clock) == pytest.approx(2.0)


def test_a_stop_ends_a_wait_at_once() -> None:
    """A thread that would wait an hour raises CallsCancelledError within a moment of the stop."""
    stop = threading.Event()
    pace = RunPace(ModelPace(1 / 60), stop)
    pace.acquire(1)
    threading.Timer(0.05, stop.set).start()
    started = time.monotonic()
    with pytest.raises(CallsCancelledError):
        pace.acquire(1)
    assert time.monotonic() - started < 2


def test_a_stopped_run_leaves_no_wait_to_the_next() -> None:
    """Calls that were cancelled while they waited do not delay those of a later run."""
    clock, stop = SimulatedClock(1), threading.Event()
    pace = ModelPace(60, clock=clock, wait=clock.wait)
    pace.acquire(1, NEVER)
    stop.set()
    for _ in range(20):
        with pytest.raises(CallsCancelledError):
            pace.acquire(1, stop)
    pace.acquire(1, NEVER)
    assert clock.now - 1000 == pytest.approx(1.0, abs=0.01)


def test_one_pace_a_service_model_and_key() -> None:
    """Two specifications of the same model share a pace; another key or model has its own."""
    one = pace_of(ModelSpec("a", "openai", "m", key="K"))
    assert one.shared is pace_of(ModelSpec("b", "openai", "m", key="K")).shared
    assert one.shared is not pace_of(ModelSpec("a", "openai", "m", key="L")).shared
    pace: Pace = one
    pace.acquire(1)


def test_a_limit_of_nothing_is_refused() -> None:
    """A limit of 0 calls a minute raises instead of waiting for ever."""
    with pytest.raises(ValueError, match="more than 0"):
        ModelPace(0)
