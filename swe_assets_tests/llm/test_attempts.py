"""Attempts are counted once, waits grow or follow the service, and a stop is a stop."""

from collections.abc import Callable

import pytest

from swe_assets.llm.attempts import Caller, RetryPolicy
from swe_assets.llm.outcomes import (
    BlockedError,
    BudgetSpentError,
    CallError,
    EmptyReplyError,
    InfrastructureError,
    InvalidReplyError,
    StopCallsError,
    TruncatedError,
)
from swe_assets.llm.protocol import ChatReply, ChatRequest
from swe_assets.llm.specs import ModelSpec

REQUEST = ChatRequest("system", "user")
ANSWER = ChatReply("text", "model", "served", "STOP")


def scripted(*ends: CallError | ChatReply) -> tuple[Caller, list[float], list[ChatRequest]]:
    """Return a caller whose sends end in turn as given (the last for ever), its waits and what it sent."""
    waits: list[float] = []
    sent: list[ChatRequest] = []

    def send(request: ChatRequest) -> ChatReply:
        sent.append(request)
        end = ends[min(len(sent), len(ends)) - 1]
        if isinstance(end, CallError):
            raise end
        return end

    return Caller(send, sleep=waits.append, jitter=lambda: 0.0), waits, sent


def busy(wait_s: float | None = None) -> InfrastructureError:
    """Return a failure that a service cures by itself."""
    return InfrastructureError("busy", retryable=True, wait_s=wait_s)


def test_the_third_attempt_answers() -> None:
    """Two retryable failures and an answer make three attempts and two waits."""
    caller, waits, _ = scripted(busy(), EmptyReplyError("empty text"), ANSWER)
    assert caller.complete(REQUEST).attempts == 3
    assert waits == [0.125, 0.75]


def test_five_attempts_are_all() -> None:
    """A failure that stays is raised after five sends and four growing waits."""
    caller, waits, sent = scripted(busy())
    with pytest.raises(InfrastructureError, match=r"infrastructure: busy \(after 5 attempts\)") as failure:
        caller.complete(REQUEST)
    assert (len(sent), waits, failure.value.attempts) == (5, [0.125, 0.75, 4.5, 27.0], 5)


class TwoAttempts:
    """A budget that lets two attempts be made and no more."""

    admitted = 0

    def admit(self, spec: ModelSpec, _request: ChatRequest) -> float:
        """Admit twice."""
        if self.admitted == 2:
            raise BudgetSpentError(f"spent by {spec.id}")
        self.admitted += 1
        return 0.0

    def settle(self, _spec: ModelSpec, _reserved: float, _reply: ChatReply | None) -> None:
        """Take note of nothing."""

    def reused(self, _spec: ModelSpec, _reply: ChatReply) -> None:
        """Take note of nothing."""


def test_a_stop_before_a_send_counts_no_attempt() -> None:
    """A budget that ends before the third attempt leaves two sent, and other calls of the model none."""

    def send(_request: ChatRequest) -> ChatReply:
        raise busy()

    spec = ModelSpec("m", "openai")
    caller = Caller(send, spec=spec, meter=TwoAttempts(), sleep=lambda _seconds: None)
    for sent in (2, 0):
        with pytest.raises(BudgetSpentError, match=r"^stop_calls: spent by m$") as stop:
            caller.complete(REQUEST)
        assert stop.value.attempts == sent


@pytest.mark.parametrize("kind", [BlockedError, TruncatedError, StopCallsError, InfrastructureError])
def test_what_a_wait_cannot_cure_is_sent_once(kind: Callable[[str], CallError]) -> None:
    """A block, a cut, a stop and a refused request are not sent again."""
    caller, waits, sent = scripted(kind("no"))
    with pytest.raises(CallError):
        caller.complete(REQUEST)
    assert (len(sent), waits) == (1, [])


def test_nothing_is_sent_after_a_stop() -> None:
    """After a StopCallsError every further request is refused without a send."""
    caller, _, sent = scripted(StopCallsError("key not valid"), ANSWER)
    for _attempt in range(3):
        with pytest.raises(StopCallsError, match="key not valid"):
            caller.complete(REQUEST)
    assert len(sent) == 1


def test_the_service_is_obeyed_when_it_names_a_wait() -> None:
    """A wait that the service names is kept to the digit instead of the exponential one."""
    caller, waits, _ = scripted(busy(59.44), busy(17.0), ANSWER)
    caller.complete(REQUEST)
    assert waits == [59.44, 17.0]


def test_the_next_request_keeps_the_wait_of_the_last() -> None:
    """A request that follows one given up waits first, one that follows an answer does not."""
    caller, waits, _ = scripted(*[busy(30.0)] * 5, ANSWER)
    with pytest.raises(InfrastructureError):
        caller.complete(REQUEST)
    caller.complete(REQUEST)
    caller.complete(REQUEST)
    assert waits == [30.0] * 4 + [pytest.approx(30.0, abs=1.0)]


def test_a_wait_beyond_patience_ends_all_calls() -> None:
    """A service that asks for an hour is not waited for and not called again."""
    caller, waits, sent = scripted(busy(3600.0), ANSWER)
    with pytest.raises(StopCallsError, match="asked to wait 3600 s, more than 600 s"):
        caller.complete(REQUEST)
    with pytest.raises(StopCallsError):
        caller.complete(REQUEST)
    assert (len(sent), waits) == (1, [])


@pytest.mark.parametrize(
    ("attempt", "jitter", "wait"), [(1, 0.0, 0.125), (1, 1.0, 0.25), (3, 0.5, 6.75), (9, 0.9, 57.0)]
)
def test_waits_grow_with_half_jitter_up_to_a_cap(attempt: int, jitter: float, wait: float) -> None:
    """The n-th wait is half to all of 0.25 s times 6 to the n-1, which is at most a minute."""
    assert RetryPolicy().wait_s(attempt, None, jitter) == wait


def test_jitter_differs_between_callers() -> None:
    """Waits are drawn anew, so that callers which failed together do not return together."""
    waits: list[float] = []

    def send(request: ChatRequest) -> ChatReply:
        raise busy()

    for _ in range(8):
        with pytest.raises(InfrastructureError):
            Caller(send, sleep=waits.append).complete(REQUEST)
    assert len(set(waits)) > 8


def test_text_that_does_not_satisfy_the_schema_is_asked_for_again() -> None:
    """An invalid object counts as an attempt and the next valid one is taken."""
    from swe_assets.judging.verdict import Verdict

    good = '{"resolve_issue": true, "score_confianca": 4, "raciocinio_analitico": "x"}'
    bad = ChatReply('{"resolve_issue": 1}', "model", "served", "STOP")
    caller, _, _ = scripted(bad, ChatReply(good, "model", "served", "STOP"))
    reply = caller.complete(ChatRequest("s", "u", schema=Verdict))
    assert (reply.attempts, isinstance(reply.value, Verdict)) == (2, True)


def test_a_failure_survives_pickling() -> None:
    """A failure that crosses a process keeps its reason, attempts and wait."""
    import pickle

    failure = InvalidReplyError("no JSON object")
    failure.attempts = 5
    again = pickle.loads(pickle.dumps(failure))  # noqa: S301 - our own bytes
    assert (str(again), again.retryable) == ("invalid: no JSON object (after 5 attempts)", True)


@pytest.mark.parametrize(("own", "sent"), [(1000, [1000, 4000]), (None, [None, 4000]), (4000, [4000])])
def test_a_cut_reply_is_asked_for_once_more_with_a_longer_limit(own: int | None, sent: list[int]) -> None:
    """Where the policy names a longer limit than the request's, one attempt more has it, and no third."""
    limits: list[int | None] = []

    def send(request: ChatRequest) -> ChatReply:
        limits.append(request.max_tokens)
        raise TruncatedError("cut")

    with pytest.raises(TruncatedError):
        Caller(send, policy=RetryPolicy(longer_limit=4000)).complete(ChatRequest("s", "u", max_tokens=own))
    assert limits == sent


def test_what_is_asked_is_the_request_with_the_longer_limit() -> None:
    """Beside the reply comes the request that it answers."""

    def send(request: ChatRequest) -> ChatReply:
        if request.max_tokens is None:
            raise TruncatedError("cut")
        return ANSWER

    asked, reply = Caller(send, policy=RetryPolicy(longer_limit=4000)).ask(REQUEST)
    assert (asked.max_tokens, reply.attempts) == (4000, 2)
