"""Background tasks end, and how they end is said."""

from typing import Any

import pytest

from swe_assets.errors import SonarReplyError, SonarTaskError
from swe_assets.sonarqube.tasks import DoneTask, done_task, task_in, wait_for
from swe_assets_tests.sonarqube.stub import FakeTime

TASK = {"id": "T1", "type": "REPORT", "componentKey": "p", "submittedAt": "2025-01-01T00:00:00+0000"}
DONE = {**TASK, "status": "SUCCESS", "analysisId": "A1", "executedAt": "2025-01-01T00:00:09+0000"}


def reply(status: str, **more: Any) -> dict[str, Any]:
    """Return a reply of api/ce/task."""
    return {"task": {**TASK, "status": status, **more}}


def waited(*replies: dict[str, Any], timeout: float = 600) -> tuple[DoneTask, FakeTime]:
    """Return how a task ended that gives these replies in turn, and the time it took."""
    time, left = FakeTime(), list(replies)
    ask = lambda: left.pop(0) if len(left) > 1 else left[0]  # noqa: E731 - one line for the list's end
    return wait_for(ask, "T1", timeout=timeout, clock=lambda: time.now, sleep=time.sleep), time


def test_a_task_that_ends_well() -> None:
    """Its analysis, dates, duration and warnings are given."""
    done, time = waited(reply("PENDING"), reply("IN_PROGRESS"), {"task": {**DONE, "executionTimeMs": 12}})
    assert done == DoneTask("T1", "A1", "p", TASK["submittedAt"], DONE["executedAt"], 12)
    assert len(time.slept) == 2


def test_the_pause_grows_and_is_bounded() -> None:
    """A long task is asked for ever more seldom, from a quarter of a second to ten."""
    _, time = waited(*[reply("PENDING")] * 60, {"task": DONE}, timeout=10**6)
    assert time.slept[0] == 0.25
    assert time.slept == sorted(time.slept)
    assert time.slept[-1] == 10


@pytest.mark.parametrize("status", ["PENDING", "IN_PROGRESS"])
def test_a_task_that_never_ends(status: str) -> None:
    """After the time allowed, and not much later, the task, its state and the time are named."""
    with pytest.raises(SonarTaskError, match=f"T1 of 'p' is still {status} after 90 s .submitted 2025-01-01"):
        waited(reply(status), timeout=90)


def test_a_failed_task_says_the_server_s_words() -> None:
    """Error type, message and warnings of the server stand in the exception."""
    failed = reply("FAILED", errorType="X", errorMessage="disk full", warnings=["w1", {"message": "w2"}])
    with pytest.raises(SonarTaskError, match=r"T1 of 'p' failed .FAILED.: X: disk full .warnings: w1; w2"):
        waited(failed)


def test_a_failed_task_without_words() -> None:
    """Where the server gives no reason its log is named."""
    with pytest.raises(SonarTaskError, match=r"no reason; see its ce\.log"):
        done_task(reply("FAILED"))


def test_a_cancelled_task_failed() -> None:
    """A cancelled task has no measures to read."""
    with pytest.raises(SonarTaskError, match="cancelled"):
        done_task(reply("CANCELED"))


def test_a_task_without_an_analysis_failed() -> None:
    """Success without an analysis is none."""
    with pytest.raises(SonarTaskError, match="made no analysis"):
        done_task(reply("SUCCESS"))


def test_an_unknown_status_is_named() -> None:
    """A status that a newer server invents is neither waited for nor taken for success."""
    with pytest.raises(SonarReplyError, match="unknown status 'PARKED'"):
        waited(reply("PARKED"))


@pytest.mark.parametrize("found", [{}, {"task": None}, {"task": {}}, {"task": {"status": 1}}])
def test_a_reply_without_a_task_is_refused(found: dict[str, Any]) -> None:
    """A task has a status."""
    with pytest.raises(SonarReplyError):
        task_in(found)
