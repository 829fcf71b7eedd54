"""Plays one recorded service reply through the real SDK and holds the outcome against what is right."""

import traceback
from typing import Any

from swe_assets.judging.coherence import m_coerencia
from swe_assets.judging.payload import build_payload
from swe_assets.judging.prompts import Prompts
from swe_assets.judging.verdict import Verdict, judge
from swe_assets.llm.attempts import RetryPolicy
from swe_assets.llm.outcomes import CallError, InfrastructureError, StopCallsError
from swe_assets.llm.protocol import ChatReply, ChatRequest
from swe_assets_tests.llm.loopback import GOOD, PLANTED_KEY, Served, Service, said, service

PAYLOAD = build_payload("demo__demo-1", "O total sai errado.", "--- a/x.py\n+++ b/x.py\n", Prompts.load())
REQUEST = ChatRequest(PAYLOAD["system_prompt"], PAYLOAD["user_prompt"], schema=Verdict, purpose="judge")
POLICY = RetryPolicy()
CASE_TIMEOUT_S = 0.2


def check_judge_case(case: dict[str, Any]) -> None:
    """Assert all that a judge_call case expects: outcome, value, reason, waits, attempts and no key."""
    served = _served(case["input"])
    with service(served) as running:
        ended = _call(running, served)
    accepted = case["expected"]["outcome"].split("_or_")
    outcome = _outcome(ended)
    assert outcome in accepted, f"{case['id']}: {outcome}, {ended!r}"
    if isinstance(ended, ChatReply):
        _check_ok(case["expected"], ended, running)
        return
    check = {"error": _check_error, "retry": _check_retry, "stop_calls": _check_stop}[outcome]
    check(case["expected"], served, ended, running)


def _served(given: dict[str, Any]) -> Served:
    """Return the case's reply as the service must give it; a named exception as the fault that causes it."""
    if "exception" in given:
        return Served(fault="silence" if "Timeout" in given["exception"] else "dropped")
    return Served(given["status"], given.get("body"), given.get("headers") or {})


def _call(running: Service, served: Served) -> ChatReply | CallError:
    """Ask once, all attempts included."""
    timeout_s = CASE_TIMEOUT_S if served.fault == "silence" else 20.0
    try:
        return running.model(timeout_s=timeout_s).complete(REQUEST)
    except CallError as failure:
        return failure


def _outcome(ended: ChatReply | CallError) -> str:
    """Return the case's word for how a call ended; a busy or unreachable service is one to retry."""
    if isinstance(ended, ChatReply):
        return "ok"
    if isinstance(ended, StopCallsError):
        return "stop_calls"
    return "retry" if isinstance(ended, InfrastructureError) and ended.retryable else "error"


def _check_ok(expected: dict[str, Any], ended: ChatReply, running: Service) -> None:
    """Assert the verdict's value and its coherence."""
    assert isinstance(ended.value, Verdict)
    value = ended.value.model_dump()
    assert value == expected.get("value", value)
    assert type(value["score_confianca"]) is int
    coherence = m_coerencia(value["resolve_issue"], value["score_confianca"])
    assert coherence == expected.get("M_coerencia", coherence)
    assert len(running.requests) == 1


def _check_error(expected: dict[str, Any], served: Served, ended: CallError, running: Service) -> None:
    """Assert an error record without any value, its reason, and whether the same request was sent again."""
    assert expected.get("reason", "").lower() in ended.reason.lower()
    again = expected.get("retryable", expected.get("retry_same_request", ended.retryable))
    assert len(running.requests) == (POLICY.attempts if again else 1)
    with service(served) as once_more:
        record = judge(PAYLOAD, once_more.model())
        assert record == {"instance_id": "demo__demo-1", "error": str(ended)}
    if expected.get("scope") == "this instance only":
        with service(served, said(GOOD)) as after:
            model = after.model()
            assert "error" in judge(PAYLOAD, model)
            assert "evaluation" in judge(PAYLOAD, model)


def _check_retry(expected: dict[str, Any], served: Served, ended: CallError, running: Service) -> None:
    """Assert limited attempts with the waits asked for, and that a good reply afterwards is taken."""
    assert len(running.requests) == POLICY.attempts == ended.attempts
    assert len(running.waits) == POLICY.attempts - 1
    assert str(expected.get("reason", "")) in ended.reason
    for attempt, wait in enumerate(running.waits, 1):
        low, high = POLICY.wait_s(attempt, None, 0.0), POLICY.wait_s(attempt, None, 1.0)
        if "wait" in expected:
            assert low <= wait <= high
        assert wait == expected.get("wait_s", wait)
        assert expected.get("wait_s_min", 0) <= wait <= expected.get("wait_s_max", POLICY.longest_hint_s)
    with service(served, said(GOOD)) as recovering:
        model = recovering.model(timeout_s=CASE_TIMEOUT_S * 10 if served.fault == "silence" else 20.0)
        assert judge(PAYLOAD, model)["evaluation"]["judge"]["attempts"] == 2


def _check_stop(expected: dict[str, Any], served: Served, ended: CallError, running: Service) -> None:
    """Assert that one call was made, none after it, and that no word of the key is said."""
    assert expected.get("reason", "").lower() in ended.reason.lower()
    assert len(running.requests) == 1
    assert PLANTED_KEY not in "".join(traceback.format_exception(ended)) + repr(ended)
    with service(served, said(GOOD)) as refusing:
        model = refusing.model()
        for _ in range(3):
            try:
                judge(PAYLOAD, model)
                raise AssertionError("a call went on after the service said stop")
            except StopCallsError:
                assert len(refusing.requests) == 1
