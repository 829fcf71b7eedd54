"""An error of Anthropic or an OpenAI-like service is told apart by status, code, words and headers."""

from typing import Any

import pytest

from swe_assets.llm.http_failure import failure_of_status
from swe_assets.llm.outcomes import BlockedError, InfrastructureError, StopCallsError


def said(message: str, kind: str | None = None, code: str | None = None) -> dict[str, Any]:
    """Return an error body in OpenAI's shape."""
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def claude(kind: str, message: str) -> dict[str, Any]:
    """Return an error body in Anthropic's shape."""
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"}


QUOTA = said("You exceeded your current quota, please check your plan.", "insufficient_quota")
RPD = said("Rate limit reached for gpt-x on requests per day (RPD): Limit 200. Please try again in 7m12s.")
CREDIT = claude("invalid_request_error", "Your credit balance is too low to access the Anthropic API.")


@pytest.mark.parametrize(
    ("status", "body", "reason"),
    [
        (401, claude("authentication_error", "invalid x-api-key"), "the key was refused"),
        (401, None, "the key was refused"),
        (402, said("Insufficient Balance", "unknown_error"), "the account cannot pay"),
        (403, claude("permission_error", "no"), "no right to this model"),
        (404, said("The model `x` does not exist", code="model_not_found"), "no such model"),
        (400, CREDIT, "the account cannot pay"),
        (400, {"error": "Incorrect API key provided"}, "the key was refused"),
        (400, {"code": "Arrearage", "message": "Access denied"}, "the account cannot pay"),
        (400, said("no", code="unsupported_value"), "a setting of models.toml is not taken"),
        (400, claude("invalid_request_error", "temperature: Extra inputs are not permitted"), "models.toml"),
        (429, QUOTA, "no credit or quota left"),
        (429, said("x", "exceeded_current_quota_error"), "no credit or quota left"),
        (429, RPD, "quota per day used up"),
    ],
)
def test_what_stops_all_calls(status: int, body: object, reason: str) -> None:
    """A fault of key, account, model, setting or day meets every further call too."""
    failure = failure_of_status(status, {}, body)
    assert isinstance(failure, StopCallsError), failure
    assert reason in failure.reason


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504, 529])
def test_what_a_wait_cures(status: int) -> None:
    """A busy, overloaded or broken service is tried again after the wait it names."""
    failure = failure_of_status(status, {"Retry-After": "9"}, claude("overloaded_error", "Overloaded"))
    assert (type(failure), failure.retryable, failure.wait_s) == (InfrastructureError, True, 9.0)


@pytest.mark.parametrize(
    ("status", "body", "reason"),
    [
        (400, said("x", code="context_length_exceeded"), "too long for the model"),
        (400, claude("invalid_request_error", "prompt is too long: 2 > 1"), "too long for the model"),
        (400, said("x", "exceed_context_size_error"), "too long for the model"),
        (413, claude("request_too_large", "x"), "too long for the model"),
        (
            429,
            said("Request too large for gpt-x on tokens per min (TPM): Limit 9"),
            "too long for the account",
        ),
        (400, said("odd"), "not accepted"),
        (422, {"detail": [{"loc": ["body"], "msg": "bad"}]}, "not accepted: 422: .*bad"),
        (307, "", "not accepted: 307"),
        (403, "<html>Forbidden by WAF</html>", "not accepted: 403"),
        (403, said("Forbidden by WAF"), "not accepted: 403"),
        (422, said("invalid input: 'if the invalid api key is sent'"), "not accepted"),
        (400, said("cannot parse 'your credit balance is too low'"), "not accepted"),
        (400, said("near 'model x does not exist'"), "not accepted"),
        (400, said("in 'x: Extra inputs are not permitted'"), "not accepted"),
    ],
)
def test_what_only_this_request_is_at_fault_for(status: int, body: object, reason: str) -> None:
    """A request that is too long or odd is final for its instance and for no other."""
    failure = failure_of_status(status, {}, body)
    assert (type(failure), failure.retryable) == (InfrastructureError, False)
    with pytest.raises(InfrastructureError, match=reason):
        raise failure


@pytest.mark.parametrize(
    "body",
    [
        said("The response was filtered", code="content_filter"),
        claude("invalid_request_error", "Output blocked by content filtering policy"),
        said("x", code="data_inspection_failed"),
        said("Invalid prompt: your prompt was flagged as potentially violating our usage policy."),
        said("x", code="invalid_prompt"),
    ],
)
def test_a_filter_is_a_block(body: object) -> None:
    """A prompt or reply that a filter stopped is blocked, not a fault of the line."""
    assert isinstance(failure_of_status(400, {}, body), BlockedError)


def test_a_rate_limit_that_speaks_of_billing_is_one() -> None:
    """Where to pay for more is no lack of credit: a limit per minute is waited for."""
    body = said("Rate limit reached on tokens per min (TPM). Try again in 1.5s. See /account/billing.")
    failure = failure_of_status(429, {}, body)
    assert (failure.retryable, failure.wait_s) == (True, 1.5)


def test_google_behind_the_openai_door_is_read_as_google() -> None:
    """A Gemini error in its own words, per minute though it speaks of the plan, is waited for."""
    detail = {"violations": [{"quotaId": "TokensPerMinute"}], "retryDelay": "8s"}
    error = {
        "status": "RESOURCE_EXHAUSTED",
        "message": "You exceeded your current quota",
        "details": [detail],
    }
    failure = failure_of_status(429, {}, [{"error": error}])
    assert (failure.retryable, failure.wait_s) == (True, 8.0)


@pytest.mark.parametrize("body", [7, [], [7], {"error": 3}, {"error": {"message": [1], "type": {}}}, "words"])
def test_odd_bodies_do_no_harm(body: object) -> None:
    """A body of another shape is a failure without a kind, not a crash."""
    assert failure_of_status(503, {}, body).retryable
    assert failure_of_status(429, {}, body).retryable
    assert not failure_of_status(400, {}, body).retryable
