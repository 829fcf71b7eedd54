"""What a failed reply of the Gemini API means: try again and when, give the instance up, or stop calling."""

import json
import re
from collections.abc import Mapping
from typing import Any

from swe_assets.llm.error_body import BAD_KEY, PER_DAY, error_of
from swe_assets.llm.outcomes import CallError, InfrastructureError, StopCallsError
from swe_assets.llm.plain_text import excerpt
from swe_assets.llm.stopping_status import stopping
from swe_assets.llm.waits import duration_in_words_s, duration_s, retry_after_s

_PER_MINUTE = re.compile(r"per[\s_-]*minute", re.IGNORECASE)
_NO_QUOTA = re.compile(r"\blimit: 0(?![.\d])", re.IGNORECASE)


def failure_of_status(status: int, headers: Mapping[str, str], body: object) -> CallError:
    """Return the typed failure of an HTTP status other than 200, by status, headers and error body.

    Source: Gemini API troubleshooting (ai.google.dev/gemini-api/docs/troubleshooting) and
    google/rpc/error_details.proto. A wrong key comes as 400 with API_KEY_INVALID, a used-up day as 429.
    """
    error = error_of(body)
    said = f"{status} {_text(error, 'status')}".strip() + f": {excerpt(_text(error, 'message'))}"
    if status == 429:
        return _quota_failure(error, headers, said)
    stop = stopping(status, _codes(error)) or (_stopping_400(error) if status == 400 else None)
    if stop:
        return StopCallsError(f"{stop}: {said}", status=status)
    if status == 408 or status >= 500:
        return InfrastructureError(said, retryable=True, wait_s=_hint_s(error, headers), status=status)
    return InfrastructureError(f"request not accepted: {said}", status=status)


def _quota_failure(error: Mapping[str, Any], headers: Mapping[str, str], said: str) -> CallError:
    """Tell a day's quota, or none, from one that a wait cures; violations count before the message."""
    listed = [item for detail in _details(error) for item in _list(detail.get("violations"))]
    violations = [item for item in listed if isinstance(item, dict)]
    named = json.dumps(violations) if violations else _text(error, "message")
    if PER_DAY.search(named):
        return StopCallsError(f"quota per day used up: {said}", status=429)
    if _NO_QUOTA.search(_text(error, "message")) or any(
        str(item.get("quotaValue")) == "0" for item in violations
    ):
        return StopCallsError(f"this key has no quota for the model: {said}", status=429)
    kind = "quota per minute used up" if _PER_MINUTE.search(named) else "too many requests"
    return InfrastructureError(f"{kind}: {said}", retryable=True, wait_s=_hint_s(error, headers), status=429)


def _stopping_400(error: Mapping[str, Any]) -> str | None:
    """Return why a 400 would meet every further call too, or None where only this request is at fault."""
    if "API_KEY_" in _codes(error) or BAD_KEY.match(_text(error, "message")):
        return "key not valid"
    return "not open to this account" if _text(error, "status") == "FAILED_PRECONDITION" else None


def _codes(error: Mapping[str, Any]) -> str:
    """Return an error's status and the reasons of its details, which no request's words can be in."""
    reasons = [reason for detail in _details(error) if isinstance(reason := detail.get("reason"), str)]
    return " ".join([_text(error, "status"), *reasons])


def _hint_s(error: Mapping[str, Any], headers: Mapping[str, str]) -> float | None:
    """Return the longest wait that RetryInfo, the message or Retry-After ask for, or None."""
    hints = [duration_s(text) for d in _details(error) if isinstance(text := d.get("retryDelay"), str)]
    hints += [duration_in_words_s(_text(error, "message")), retry_after_s(headers)]
    return max((hint for hint in hints if hint), default=None)


def _details(error: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the error's detail objects."""
    return [detail for detail in _list(error.get("details")) if isinstance(detail, dict)]


def _list(value: object) -> list[Any]:
    """Return a list as it is and anything else as an empty one."""
    return value if isinstance(value, list) else []


def _text(error: Mapping[str, Any], key: str) -> str:
    """Return a text field, or an empty text."""
    value = error.get(key)
    return value if isinstance(value, str) else ""
