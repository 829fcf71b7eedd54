"""One case of kind sonar_api: a reply of a server or a scanner's log, and what must be made of it."""

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

import pytest

from swe_assets.errors import (
    AnalyserError,
    ComponentMissingError,
    MetricMissingError,
    SonarReplyError,
    SonarRightsError,
    SonarServerError,
    SonarTaskError,
)
from swe_assets.sonarqube.measures import FILES, Measured, Measures, NotMeasured, State, found_in, measures_of
from swe_assets.sonarqube.metrics import PARSE_WITNESSES, Metric, best_value_of, metrics_in, numeric_only
from swe_assets.sonarqube.pages import page_in
from swe_assets.sonarqube.scanner_log import unparsed_in_log
from swe_assets.sonarqube.tasks import done_task
from swe_assets.sonarqube.tree import child_name
from swe_assets.sonarqube.versions import plugin_version, python_profile
from swe_assets_tests.http_stub import Served
from swe_assets_tests.sonarqube.stub import PLANTED_TOKEN, STATUS, sonar, status

Case = dict[str, Any]
FOR_A_READER = {"note", "needed", "reason", "says", "right", "json_parse", "why"}
"""Words of an expected value that a reader reads; what they demand is asserted where it can be."""

_TYPES = (
    (r"rating", "RATING"),
    (r"density|coverage|ratio|_reviewed$", "PERCENT"),
    (r"remediation_effort|sqale_index|technical_debt|effort_to_reach", "WORK_DUR"),
    (r"alert_status", "LEVEL"),
    (r"_data$|distribution|details", "DATA"),
    (r"_time$|_date$", "MILLISEC"),
)
KINDS: dict[type[Exception], tuple[str, ...]] = {
    MetricMissingError: ("metric", "unknown metric"),
    ComponentMissingError: ("not found",),
    SonarServerError: ("retry", "busy", "server", "unavailable", "later"),
    SonarTaskError: ("task", "failed"),
    SonarReplyError: ("request", "bad request", "refused"),
}
RIGHTS = {
    "(401)": ("not signed in", "token", "bad token", "wrong token", "unauthorized"),
    "(403": (
        "rights",
        "insufficient rights",
        "forbidden",
        "not allowed",
        "permission",
        "insufficient privileges",
    ),
}
STATES = {
    "running": {"running", "pending", "in_progress", "wait", "waiting", "starting", "not ready"},
    "done": {"done", "success", "ok", "finished", "up", "ready"},
}


def check_sonar_case(case: Case) -> None:
    """Assert all that a case expects; a shape without a rule fails, it is never passed over."""
    given, expected = case["input"], case["expected"]
    rule = next((rule for holds, rule in RULES if holds(given, expected)), None)
    assert rule is not None, f"no rule for the shape {sorted(given)} of {given.get('path')}"
    rule(given, expected)


def served(given: Case) -> Served:
    """Return the case's reply as the server gave it."""
    body = given["body_text"] if "body_text" in given else given.get("reply")
    return Served(int(given.get("status", 200)), body, dict(given.get("headers") or {}))


def log_case(given: Case, expected: Case) -> None:
    """Check which files a log says did not parse, and where."""
    found = unparsed_in_log(given["log"])
    if "files" in expected:
        assert [one.path for one in found] == list(expected["files"])
    elif "file" in expected:
        (one,) = found
        assert expected.get("status", "not parsed") == "not parsed"
        assert (one.path, one.line) == (expected["file"], expected.get("line", one.line))
    else:
        assert not found, "a log that marks no file is expected"


def error_case(given: Case, expected: Case) -> None:
    """Check how a request ends that the server does not answer well, through the real client."""
    raised, waits, asked = _ask(given, served(given))
    words = str(expected.get("error", "retry")).lower().split("_or_")
    assert any(_is_kind(raised, word) for word in words), f"{raised!r} is not {words}"
    assert PLANTED_TOKEN not in repr(raised)
    if "names" in expected:
        assert isinstance(raised, MetricMissingError)
        assert list(raised.names) == expected["names"]
    if "json_parse" in expected:
        garbled, _, _ = _ask(given, Served(served(given).status, "{", dict(given.get("headers") or {})))
        assert str(garbled) == str(raised), "a body that is not to be read is read"
    again = expected.get("retry", expected.get("retryable"))
    if again is not None:
        assert (asked > 1) == bool(again)
    if "wait_s" in expected:
        assert waits[0] == pytest.approx(expected["wait_s"])
    handled = {"error", "names", "retry", "retryable", "wait_s", "whole_request_failed", *FOR_A_READER}
    for key in set(expected) - handled:
        value = expected[key]
        assert not isinstance(value, bool), f"no rule for {key!r} of a failed request"
        assert str(value) in str(raised), f"{key} {value!r} is not said: {raised}"


def _is_kind(raised: AnalyserError, word: str) -> bool:
    """Say whether an exception is what a case calls by a word, by its type or else by its own words."""
    if isinstance(raised, SonarRightsError):
        return any(mark in str(raised) and word in known for mark, known in RIGHTS.items())
    return word in KINDS.get(type(raised), ()) or word.replace("_", " ") in str(raised).lower()


def _ask(given: Case, reply: Served) -> tuple[AnalyserError, list[float], int]:
    """Ask for the case's path; return what is raised, the waits, and how often it was asked."""
    method = "POST" if re.search(r"/(create|delete|generate|change_password)$", given["path"]) else "GET"
    routes = {given["path"]: reply}
    if "system_status" in given:
        routes[STATUS] = status(given["system_status"])
    with sonar(routes) as stub:
        with pytest.raises(AnalyserError) as caught:
            _read(stub.transport().ask(method, given["path"], dict(given.get("query") or {})), given)
        return caught.value, stub.time.slept, stub.paths().count(given["path"])


def _read(reply: Case, given: Case) -> None:
    """Take an answer of status 200 for what its path gives, which may be the failure that is expected."""
    rows = reply.get("components", [reply["component"]] if "component" in reply else [])
    for row in rows:
        measures_of(found_in(row), _asked({**given, "reply": reply}, row))
    if "metrics" in reply:
        metrics_in(reply)
    if "task" in reply:
        done_task(reply)


def signed_in_case(given: Case, expected: Case) -> None:
    """Check whether a token counts as signed in."""
    with sonar({given["path"]: served(given)}) as stub:
        assert stub.client().signed_in() is expected["signed_in"]


def server_case(given: Case, expected: Case) -> None:
    """Check the word for a server's state, and that it counts as up only when it says UP."""
    with sonar({given["path"]: served(given)}) as stub:
        word = stub.client().system_status()
    state = str(expected.get("state", expected.get("status", ""))).lower()
    ready = expected.get("ready", expected.get("up"))
    assert state in ("", word.lower(), *STATES["done" if word == "UP" else "running"])
    assert ready is None or ready is (word == "UP")


def task_case(given: Case, expected: Case) -> None:
    """Check how a background task ends, and that a failed one is never followed by measures."""
    wanted, reply = str(expected["state"]).lower(), given.get("reply")
    assert isinstance(reply, dict)
    with sonar({given["path"]: served(given)}) as stub:
        try:
            done = stub.client().wait_for_task(reply["task"]["id"], timeout=_limit_s(given))
            assert wanted in STATES["done"]
            assert done.analysis_id == expected.get(
                "analysis_id", expected.get("analysisId", done.analysis_id)
            )
        except SonarTaskError as failed:
            _check_failed_task(wanted, str(failed), reply, stub.time.slept)
        except SonarReplyError as unknown:
            assert wanted in ("unknown", "error", "failed")
            assert repr(reply["task"]["status"]) in str(unknown)
        assert not [path for path in stub.paths() if path.startswith("api/measures")]


def _check_failed_task(wanted: str, said: str, reply: Case, slept: list[float]) -> None:
    """Check the words about a task that failed or is still under way when patience ends."""
    task = reply["task"]
    assert task["id"] in said
    if task["status"] in ("PENDING", "IN_PROGRESS"):
        assert done_task(reply) is None
        assert wanted in {"timeout", *STATES["running"]}
        assert f"{sum(slept):.0f} s" in said
    else:
        assert wanted in ("failed", task["status"].lower())
        assert task.get("errorMessage", "")[:200] in said


def _limit_s(given: Case) -> float:
    """Return a limit that the case's own times exceed, one minute where it has none."""
    if "now" not in given:
        return 60.0
    now, since = (datetime.strptime(text, "%Y-%m-%dT%H:%M:%S%z") for text in _times(given))
    return (now - since).total_seconds() / 2


def _times(given: Case) -> tuple[str, str]:
    """Return now, and since when the task waits."""
    return given["now"], given["reply"]["task"]["submittedAt"]


def pages_case(given: Case, expected: Case) -> None:
    """Check whether a page ends the list."""
    page = page_in(given["reply"], "components" if "components" in given["reply"] else "metrics")
    assert page.is_end is expected["end_of_pages"]


def metrics_case(given: Case, expected: Case) -> None:
    """Check which metrics count as numeric."""
    found = [metric.key for metric in numeric_only(metrics_in(given["reply"]))]
    wanted = expected.get("numeric", expected.get("keys", expected.get("metrics")))
    assert wanted is not None
    assert found == list(wanted)


def project_case(given: Case, expected: Case) -> None:
    """Check that a project that is there counts as made."""
    there = re.search(r'exists: "([^"]+)"', str(given.get("reply")))
    key = (given.get("query") or {}).get("project") or (there[1] if there else "p")
    with sonar({given["path"]: served(given)}) as stub:
        stub.client().ensure_project(key, "a name")
        assert stub.paths() == [given["path"]]
    assert set(expected) - FOR_A_READER <= {"ok", "exists", "made", "project"}


def plugin_case(given: Case, expected: Case) -> None:
    """Check the version of the Python analyser."""
    (wanted,) = [value for key, value in expected.items() if key not in FOR_A_READER]
    assert plugin_version(given["reply"]) == wanted


def profile_case(given: Case, expected: Case) -> None:
    """Check the default quality profile of Python."""
    found = python_profile(given["reply"], default=True)
    names = {"key": found.key, "name": found.name, "rulesUpdatedAt": found.updated_at}
    known = {**names, "updated_at": found.updated_at, "activeRuleCount": found.active_rules}
    known["active_rules"] = found.active_rules
    for key in set(expected) - FOR_A_READER:
        assert known[key] == expected[key]


def measures_case(given: Case, expected: Case) -> None:
    """Check the measures of every component, files and folders apart."""
    reply = given["reply"]
    rows = reply["components"] if "components" in reply else [reply["component"]]
    found = [measures_of(found_in(row), _asked(given, row)) for row in rows]
    files = {one.path: one for one in found if one.qualifier in FILES}
    named = {child_name(one.path): one for one in found} | {one.key: one for one in found}
    wanted = {key: value for key, value in expected.items() if key not in FOR_A_READER | {"files"}}
    assert set(expected.get("files", files)) == set(files)
    for name, value in {**wanted, **expected.get("files", {}), **expected.get("modules", {})}.items():
        if name == "modules":
            continue
        if name.startswith("sum_"):
            key = name.removeprefix("sum_")
            assert sum(one.numbers()[key] for one in files.values()) == value
        elif name in files or name in named:
            _check_component(files.get(name) or named[name], value)
        else:
            (only,) = found
            _check_component(only, {name: value})


def _asked(given: Case, row: Mapping[str, Any]) -> list[Metric]:
    """Return the metrics that a case asked for: as it says, else those that came; types by their names."""
    known = (
        {metric.key: metric for metric in metrics_in(given["reply"])} if "metrics" in given["reply"] else {}
    )
    keys = given.get("asked") or [one["metric"] for one in row["measures"]]
    return [known.get(key) or Metric(key, _type_of(key), best_value=best_value_of(key)) for key in keys]


def _type_of(key: str) -> str:
    """Return the type that a server gives to a metric of that name."""
    return next((kind for pattern, kind in _TYPES if re.search(pattern, key)), "INT")


def _check_component(measures: Measures, value: object) -> None:
    """Check one component's measures against what is expected of it."""
    if value == "not parsed":
        assert measures.parsed is False
        assert not set(measures.numbers()) & {*PARSE_WITNESSES, "violations", "cognitive_complexity"}
        return
    assert isinstance(value, dict), f"no rule for {value!r}"
    for key, wanted in value.items():
        assert _plain(measures[key]) == wanted, f"{key}: {measures[key]}"


def _plain(state: State) -> object:
    """Return a measure as a case writes it."""
    if isinstance(state, Measured):
        return state.value
    return "not measured" if isinstance(state, NotMeasured) else "not applicable"


Rule = Callable[[Case, Case], None]
RULES: list[tuple[Callable[[Case, Case], bool], Rule]] = [
    (lambda given, _: "log" in given, log_case),
    (lambda _, expected: "error" in expected or "retry" in expected or "retryable" in expected, error_case),
    (lambda _, expected: "signed_in" in expected, signed_in_case),
    (lambda given, _: given.get("path") == "api/system/status", server_case),
    (lambda given, _: given.get("path") == "api/ce/task", task_case),
    (lambda given, expected: "end_of_pages" in expected and "reply" in given, pages_case),
    (lambda given, _: given.get("path") == "api/metrics/search", metrics_case),
    (lambda given, _: given.get("path") == "api/projects/create", project_case),
    (lambda given, _: given.get("path") == "api/plugins/installed", plugin_case),
    (lambda given, _: given.get("path") == "api/qualityprofiles/search", profile_case),
    (
        lambda given, _: "component" in (reply := given.get("reply") or {}) or "components" in reply,
        measures_case,
    ),
]
