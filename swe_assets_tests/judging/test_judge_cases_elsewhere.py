"""A recorded reply of the same content ends likewise through the SDKs of Anthropic and OpenAI."""

from typing import Any

import pytest

from swe_assets.judging.verdict import Verdict
from swe_assets.llm.outcomes import CallError, InfrastructureError, StopCallsError
from swe_assets.llm.protocol import ChatReply
from swe_assets_tests.http_stub import Served
from swe_assets_tests.judging.judge_case import CASE_TIMEOUT_S, REQUEST
from swe_assets_tests.llm.loopback import service
from swe_assets_tests.llm.loopback_wire import WIRES, Wire
from swe_assets_tests.shared_data import cases

ENDS = {
    "STOP": {"anthropic": "end_turn", "openai": "stop"},
    "MAX_TOKENS": {"anthropic": "max_tokens", "openai": "length"},
    "SAFETY": {"anthropic": "refusal", "openai": "content_filter"},
    "RECITATION": {"anthropic": "refusal", "openai": "content_filter"},
}
"""The words of the other services for Gemini's; any other word is one that they do not know either."""

KINDS = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}
CASES = [pytest.param(case, id=case["id"]) for case in cases("judge_call")]


def translated(given: dict[str, Any], wire: Wire) -> Served:
    """Return a Gemini reply's content in the format of another service."""
    if "exception" in given:
        return Served(fault="silence" if "Timeout" in given["exception"] else "dropped")
    body = given.get("body") or {}
    if given["status"] != 200:
        error = body.get("error") or {}
        kind = KINDS.get(given["status"], "invalid_request_error")
        retry = {name: text for name, text in given["headers"].items() if name.startswith("retry")}
        reply = wire.failed(given["status"], kind, str(error.get("message")))
        return Served(reply.status, reply.body, retry)
    candidates = body.get("candidates") or []
    if not candidates:
        return wire.none()
    parts = (candidates[0].get("content") or {}).get("parts") or []
    text = "".join(part["text"] for part in parts if part.get("text") and not part.get("thought"))
    finish = candidates[0].get("finishReason", "STOP")
    return wire.said(text, ENDS.get(finish, {}).get(wire.provider, finish))


def outcome(case: dict[str, Any], wire: Wire) -> tuple[str, object]:
    """Return the case's word for how the call ends, and its value."""
    served = translated(case["input"], wire)
    timeout_s = CASE_TIMEOUT_S if served.fault == "silence" else 20.0
    with service(served) as running:
        try:
            reply: ChatReply = running.model(wire.provider, timeout_s=timeout_s).complete(REQUEST)
        except StopCallsError as stop:
            return "stop_calls", stop
        except CallError as failure:
            again = isinstance(failure, InfrastructureError) and failure.retryable
            return "retry" if again else "error", failure
    assert isinstance(reply.value, Verdict)
    return "ok", reply.value.model_dump()


@pytest.mark.parametrize("wire", WIRES[1:], ids=lambda wire: wire.provider)
@pytest.mark.parametrize("case", CASES)
def test_the_same_content_ends_likewise(case: dict[str, Any], wire: Wire) -> None:
    """Outcome and value of a recorded reply are those of the case, where the format has the like of it."""
    expected = case["expected"]
    end, value = outcome(case, wire)
    per_minute_by_details_alone = "details" in str(case["input"]) and expected["outcome"] == "retry"
    accepted = {*expected["outcome"].split("_or_"), *(["stop_calls"] if per_minute_by_details_alone else [])}
    assert end in accepted, (end, value)
    if end == "ok" and "value" in expected:
        assert value == expected["value"]
