"""Attempts of many threads: a wait of the service holds all, a stop ends all, a limit bounds them."""

import threading
import time
from dataclasses import dataclass, field
from typing import Any

import pytest

from swe_assets.llm.attempts import Caller, RetryPolicy
from swe_assets.llm.outcomes import (
    CallsCancelledError,
    InfrastructureError,
    InvalidReplyError,
    StopCallsError,
)
from swe_assets.llm.protocol import ChatReply, ChatRequest
from swe_assets.llm.specs import ModelSpec
from swe_assets_tests.http_stub import Served
from swe_assets_tests.llm.paid_calls import Word, counting, echoed, in_threads, said

FOR_EVER = {"retry-after": "500"}


def question(number: object, **settings: Any) -> ChatRequest:
    """Return a request of its own for a number."""
    return ChatRequest("system", f"q{number}", **settings)


def test_one_wait_of_the_service_holds_all_threads() -> None:
    """After a 429 with Retry-After no thread sends anything until the time is over, then all are answered."""

    def busy_at_first(asked: dict[str, Any], number: int) -> Served:
        return Served(429, headers={"retry-after": "1"}) if number == 0 else echoed(asked, number)

    with counting(busy_at_first, latency_s=0.05) as service:
        caller = Caller(service.provider().send)
        results = in_threads(lambda n: [caller.complete(question(f"{n}-{m}")) for m in range(5)], 12)
    assert all(isinstance(result, list) for result in results)
    first = min(service.times)
    assert not [at for at in service.times if first + 0.5 < at < first + 1.0]
    assert service.counts.total() == 12 * 5 + 1


def test_a_stop_ends_hundreds_of_waits_at_once() -> None:
    """Three hundred calls that wait for minutes end within seconds once the run is stopped."""
    stop = threading.Event()
    with counting(lambda _asked, _number: Served(429, headers=FOR_EVER)) as service:
        caller = Caller(service.provider().send, stop=stop)
        threading.Timer(1.5, stop.set).start()
        started = time.monotonic()
        results = in_threads(lambda n: caller.complete(question(n)), 300)
    assert {type(result) for result in results} == {CallsCancelledError}
    assert time.monotonic() - started < 60


def test_a_refused_key_ends_the_waits_of_all_threads() -> None:
    """A StopCallsError of one call ends the waits of all others, which send nothing more."""

    def refused_at_last(asked: dict[str, Any], number: int) -> Served:
        return Served(401) if asked["user"] == "q7" else Served(503, headers=FOR_EVER)

    with counting(refused_at_last) as service:
        caller = Caller(service.provider().send)

        def one(number: int) -> ChatReply:
            time.sleep(0.5 if number == 7 else 0)
            return caller.complete(question(number))

        caller._keep_hold = lambda: None  # type: ignore[method-assign] # q7 is sent beside the waits
        results = in_threads(one, 20)
    assert {str(result) for result in results} == {"stop_calls: the key was refused"}
    assert service.counts.total() == 20


def test_what_is_under_way_comes_to_its_end() -> None:
    """A call that was sent before the stop is answered, one after it is not made."""
    stop = threading.Event()

    def answer(asked: dict[str, Any], number: int) -> Served:
        stop.set()
        return echoed(asked, number)

    with counting(answer, latency_s=0.2) as service:
        caller = Caller(service.provider().send, stop=stop)
        assert caller.complete(question(1)).text == '{"word": "q1"}'
        with pytest.raises(CallsCancelledError, match="interrupted"):
            caller.complete(question(2))
    assert service.counts == {"q1": 1}


def test_no_more_calls_at_once_than_the_model_allows() -> None:
    """Forty threads have at most three calls under way, and three at some time."""
    with counting(latency_s=0.05) as service:
        provider = service.provider(concurrency=3)
        caller = Caller(provider.send, spec=provider.spec)
        in_threads(lambda n: caller.complete(question(n)), 40)
    assert (service.most, service.counts.total()) == (3, 40)


def test_who_waits_to_try_again_takes_no_place() -> None:
    """With one call at a time allowed, another is answered while the first waits for its second attempt."""

    def first_fails(asked: dict[str, Any], number: int) -> Served:
        return Served(500) if number == 0 else echoed(asked, number)

    with counting(first_fails) as service:
        provider = service.provider(concurrency=1)
        caller = Caller(provider.send, spec=provider.spec, policy=RetryPolicy(first_wait_s=2.0))
        order: list[int] = []

        def one(number: int) -> None:
            time.sleep(0.3 * number)
            caller.complete(question(number))
            order.append(number)

        in_threads(one, 2)
    assert order == [1, 0]


@dataclass
class Book:
    """A meter and a pace that write down what they are told."""

    lines: list[tuple[object, ...]] = field(default_factory=list)

    def admit(self, spec: ModelSpec, request: ChatRequest) -> float:
        """Write down a reservation."""
        self.lines.append(("admit", request.user))
        return 0.5

    def settle(self, spec: ModelSpec, reserved: float, reply: ChatReply | None) -> None:
        """Write down a cost."""
        self.lines.append(("settle", reserved, reply and reply.tokens_out))

    def reused(self, spec: ModelSpec, reply: ChatReply) -> None:
        """Write down an answer that cost nothing."""
        self.lines.append(("reused",))

    def acquire(self, tokens: int) -> None:
        """Write down a turn."""
        self.lines.append(("acquire",))

    def answered(self, reserved: int, used: int, *, content: bool = True) -> None:
        """Write down the tokens, and whether the service was content."""
        self.lines.append(("answered" if content else "not served", used))

    def pushed_back(self, wait_s: float | None) -> None:
        """Write down a 429."""
        self.lines.append(("pushed back", wait_s))


def test_each_attempt_is_paced_admitted_and_settled() -> None:
    """A 429, an invalid reply, which is billed too, and an answer are each accounted for."""

    def third_time(asked: dict[str, Any], number: int) -> Served:
        return [Served(429), said("no object"), echoed(asked, number)][number]

    book, waits = Book(), list[float]()
    with counting(third_time) as service:
        provider = service.provider()
        caller = Caller(provider.send, spec=provider.spec, meter=book, pace=book, sleep=waits.append)
        assert caller.complete(question(1, schema=Word)).attempts == 3
    attempt = [("acquire",), ("admit", "q1")]
    failed = [*attempt, ("settle", 0.5, None), ("not served", 0), ("pushed back", None)]
    billed = [*attempt, ("settle", 0.5, 3), ("answered", 10)]
    assert book.lines == [*failed, *billed, *billed]


def test_a_hold_is_kept_before_a_turn_is_taken() -> None:
    """A call that waits out another's Retry-After asks for its turn after it, not before."""
    book, replies = Book(), iter([Served(503, headers={"retry-after": "9"})])
    with counting(lambda asked, number: next(replies, None) or echoed(asked, number)) as service:
        provider = service.provider()
        wait = book.lines.append
        policy = RetryPolicy(attempts=1)
        caller = Caller(provider.send, policy=policy, pace=book, sleep=lambda s: wait(("waited", round(s))))
        with pytest.raises(InfrastructureError):
            caller.complete(question(1))
        caller.complete(question(2))
    assert book.lines[3:] == [("waited", 9), ("acquire",), ("answered", 10)]


def test_a_reservation_is_given_back_whatever_a_provider_raises() -> None:
    """An exception that is no CallError leaves neither money reserved nor a place taken."""
    book = Book()

    def broken(_request: ChatRequest) -> ChatReply:
        raise KeyError("choices")

    caller = Caller(broken, spec=ModelSpec("x", "x", concurrency=1), meter=book)
    for _ in range(2):
        with pytest.raises(KeyError):
            caller.complete(question(1))
    assert [line[0] for line in book.lines] == ["admit", "settle"] * 2


def test_a_stop_is_raised_as_a_copy() -> None:
    """The failures of two calls after a stop are not one object, whose traceback would grow for ever."""

    def refused(_request: ChatRequest) -> ChatReply:
        raise StopCallsError("no", status=401)

    caller, caught = Caller(refused), list[StopCallsError]()
    for _ in range(3):
        with pytest.raises(StopCallsError, match="no") as failure:
            caller.complete(question(1))
        caught.append(failure.value)
    assert len({id(one) for one in caught}) == 3
    assert {one.status for one in caught} == {401}


def test_an_invalid_reply_is_tried_five_times() -> None:
    """Text that is not the object asked for is asked for again, five times in all."""
    with counting(lambda _asked, _number: said('{"word": 3}')) as service:
        caller = Caller(service.provider().send, sleep=lambda _s: None)
        with pytest.raises(InvalidReplyError, match="after 5 attempts"):
            caller.complete(question(1, schema=Word))
    assert service.counts.total() == 5
