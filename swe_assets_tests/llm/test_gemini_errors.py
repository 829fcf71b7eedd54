"""An error of the Gemini API is told apart by status, details and message, in this order."""

from typing import Any

import pytest

from swe_assets.llm.gemini_errors import failure_of_status
from swe_assets.llm.outcomes import InfrastructureError, StopCallsError


def quota(quota_id: str, value: str = "20", **more: Any) -> dict[str, Any]:
    """Return a 429 body with one violation."""
    violation = {"quotaId": quota_id, "quotaValue": value}
    details = [{"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [violation]}]
    return {
        "error": {"status": "RESOURCE_EXHAUSTED", "message": "Quota exceeded", "details": details, **more}
    }


@pytest.mark.parametrize(
    ("status", "body", "reason"),
    [
        (429, quota("GenerateRequestsPerDayPerProjectPerModel-FreeTier"), "quota per day used up"),
        (429, quota("GenerateRequestsPerMinute", "0"), "no quota for the model"),
        (429, {"error": {"message": "Quota exceeded, limit: 0, model: x"}}, "no quota for the model"),
        (400, {"error": {"message": "API key expired. Renew it."}}, "key not valid"),
        (
            400,
            {"error": {"status": "FAILED_PRECONDITION", "message": "User location"}},
            "not open to this account",
        ),
        (401, {}, "the key was refused"),
        (402, None, "the account cannot pay"),
        (
            403,
            [{"error": {"status": "PERMISSION_DENIED", "message": "no"}}],
            "no right to this model: 403 PERMISSION_DENIED: no",
        ),
        (404, "not found", "no such model"),
    ],
)
def test_what_stops_all_calls(status: int, body: object, reason: str) -> None:
    """A fault of key, account, model or day meets every further call too."""
    failure = failure_of_status(status, {}, body)
    assert isinstance(failure, StopCallsError)
    assert reason in failure.reason


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504, 529])
def test_what_a_wait_cures(status: int) -> None:
    """A busy or broken service is tried again."""
    failure = failure_of_status(status, {"retry-after": "9"}, {"error": {"message": "limit: 0.5"}})
    assert (type(failure), failure.retryable, failure.wait_s) == (InfrastructureError, True, 9.0)


@pytest.mark.parametrize("status", [307, 400, 403, 405, 413, 422])
def test_what_only_this_request_is_at_fault_for(status: int) -> None:
    """Another refusal of a request is final for its instance and for no other."""
    failure = failure_of_status(status, {}, {"error": {"message": "too long for an api key holder"}})
    assert (type(failure), failure.retryable) == (InfrastructureError, False)


def test_details_count_before_the_message() -> None:
    """A violation per minute is waited for, though the message speaks of a daily plan."""
    failure = failure_of_status(429, {}, quota("PerMinute", message="check your daily plan"))
    assert failure.retryable
    assert "per minute" in failure.reason


def test_the_longest_hint_counts() -> None:
    """Where header, detail and message name different waits, the longest is kept."""
    body = quota("PerMinute", message="Please retry in 20s.")
    body["error"]["details"].append({"retryDelay": "31.5s"})
    assert failure_of_status(429, {"Retry-After": "7"}, body).wait_s == 31.5


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"details": "x", "message": 5, "status": []}},
        {"error": {"details": [None, {"violations": 3}]}},
        [],
        7,
    ],
)
def test_odd_bodies_do_no_harm(body: object) -> None:
    """A body of another shape is a failure without words, not a crash."""
    assert failure_of_status(503, {}, body).retryable
    assert failure_of_status(429, {}, body).retryable
