"""Background tasks: what the server made of an uploaded scan, and how long that is waited for."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from swe_assets.errors import SonarReplyError, SonarTaskError, SonarTimeoutError
from swe_assets.llm.plain_text import excerpt

logger = logging.getLogger(__name__)

UNDER_WAY = ("PENDING", "IN_PROGRESS")
FAILED = ("FAILED", "CANCELED")
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.25, 10.0


@dataclass(frozen=True)
class DoneTask:
    """A task that ended well; dates are ISO 8601 as the server writes them, the duration in milliseconds."""

    task_id: str
    analysis_id: str
    component_key: str
    submitted_at: str
    executed_at: str
    execution_ms: int | None
    warnings: tuple[str, ...] = ()


def task_in(reply: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the task of a reply of api/ce/task; SonarReplyError where there is none."""
    task = reply.get("task")
    if not isinstance(task, Mapping) or not isinstance(task.get("status"), str):
        raise SonarReplyError(f"a reply about a task has no task with a status but {sorted(reply)[:8]}")
    return task


def done_task(reply: Mapping[str, Any]) -> DoneTask | None:
    """Return the task if it ended well, None while it is under way.

    Raises SonarTaskError with the server's own words where it failed, was cancelled or made no analysis, and
    SonarReplyError for a status that nobody knows.
    """
    task = task_in(reply)
    status, name = task["status"], str(task.get("id", "?"))
    if status in UNDER_WAY:
        return None
    if status in FAILED:
        raise SonarTaskError(_failure(task, name))
    if status != "SUCCESS":
        known = ", ".join((*UNDER_WAY, "SUCCESS", *FAILED))
        raise SonarReplyError(
            f"task {name}: unknown status {status!r}; known are {known}: is the server newer?"
        )
    analysis = task.get("analysisId")
    if not isinstance(analysis, str) or not analysis:
        raise SonarTaskError(f"task {name} of {_component(task)} succeeded but made no analysis: scan again")
    took = task.get("executionTimeMs")
    return DoneTask(
        name,
        analysis,
        str(task.get("componentKey", "")),
        str(task.get("submittedAt", "")),
        str(task.get("executedAt", "")),
        took if isinstance(took, int) else None,
        tuple(_warnings(task)),
    )


def wait_for(
    ask: Callable[[], Mapping[str, Any]],
    task_id: str,
    *,
    timeout: float,
    clock: Callable[[], float],
    sleep: Callable[[float], None],
) -> DoneTask:
    """Ask for a task until it ended; SonarTimeoutError after ``timeout`` seconds names it and how long.

    The pause between two questions grows with the time that has gone, from a quarter of a second to ten.
    """
    started = clock()
    while True:
        reply = ask()
        done = done_task(reply)
        if done is not None:
            return done
        gone = clock() - started
        if gone >= timeout:
            raise SonarTimeoutError(_overdue(task_in(reply), task_id, gone))
        sleep(min(max(_FIRST_PAUSE_S, gone / 10), _LONGEST_PAUSE_S, timeout - gone))


def _overdue(task: Mapping[str, Any], task_id: str, gone: float) -> str:
    """Return the message about a task that takes too long."""
    since = task.get("submittedAt", "at an unknown time")
    return (
        f"timeout: task {task_id} of {_component(task)} is still {task['status']} after {gone:.0f} s "
        f"(submitted {since}): other tasks may be before it, or the server "
        "has too little memory; see Administration > Projects > Background Tasks, then run again"
    )


def _failure(task: Mapping[str, Any], name: str) -> str:
    """Return the server's own words about a task that failed or was cancelled."""
    if task["status"] == "CANCELED":
        return f"task {name} of {_component(task)} was cancelled on the server (CANCELED): scan again"
    said = [str(task[key]) for key in ("errorType", "errorMessage") if task.get(key)]
    words = ": ".join(said) or "the server gives no reason; see its ce.log"
    warned = "; ".join(_warnings(task))
    more = f" (warnings: {excerpt(warned, 300)})" if warned else ""
    return f"task {name} of {_component(task)} failed (FAILED): {excerpt(words, 600)}{more}"


def _warnings(task: Mapping[str, Any]) -> list[str]:
    """Return a task's warnings; servers write each as text, some as an object."""
    rows = task.get("warnings")
    found = (
        [row.get("message") if isinstance(row, Mapping) else row for row in rows]
        if isinstance(rows, list)
        else []
    )
    return [text for text in found if isinstance(text, str)]


def _component(task: Mapping[str, Any]) -> str:
    """Return the project that a task is about."""
    return repr(str(task.get("componentKey") or "an unknown project"))
