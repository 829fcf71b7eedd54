"""The check of a sonar_api case is a check: it takes what is right and refuses what is not."""

import copy
from typing import Any

import pytest

from swe_assets_tests.shared_data import cases
from swe_assets_tests.sonarqube.sonar_case import check_sonar_case
from swe_assets_tests.sonarqube.stub import row

FILE = row("a/x.py", ncloc=7, complexity=2)
TASK = {"id": "T1", "status": "FAILED", "componentKey": "p", "errorMessage": "no space left"}
BUSY = {"path": "api/metrics/search", "status": 429, "headers": {"Retry-After": "7"}, "body_text": ""}
LISTED = [{"key": "ncloc", "type": "INT"}, {"key": "alert_status", "type": "LEVEL"}]
PROFILE = {"key": "K", "name": "Sonar way", "language": "py", "isDefault": True, "activeRuleCount": 303}
THERE = {"errors": [{"msg": 'Could not create Project with key: "p". A similar key already exists: "p"'}]}
PERIOD = {"metric": "new_violations", "period": {"index": 1, "value": "3"}}

RIGHT: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "best value": (
        {"path": "t", "reply": {"components": [FILE]}, "asked": ["ncloc", "violations", "coverage"]},
        {"a/x.py": {"ncloc": 7, "violations": 0, "coverage": "not applicable"}},
    ),
    "module": (
        {"path": "t", "reply": {"components": [row("inst1/a/b", "DIR", ncloc=7)]}},
        {"modules": {"inst1": {"ncloc": 7}}},
    ),
    "period": ({"path": "t", "reply": {"component": {**FILE, "measures": [PERIOD]}}}, {"new_violations": 3}),
    "failed": ({"path": "api/ce/task", "reply": {"task": TASK}}, {"state": "failed"}),
    "running": (
        {"path": "api/ce/task", "reply": {"task": {**TASK, "status": "PENDING"}}},
        {"state": "running"},
    ),
    "done": (
        {"path": "api/ce/task", "reply": {"task": {**TASK, "status": "SUCCESS", "analysisId": "A"}}},
        {"state": "success", "analysis_id": "A"},
    ),
    "busy": (BUSY, {"error": "busy", "retry": True, "wait_s": 7}),
    "rights": ({"path": "t", "status": 403, "reply": {"errors": [{"msg": "no"}]}}, {"error": "rights"}),
    "no number": (
        {"path": "t", "reply": {"component": row("a.py", ncloc="many")}},
        {"error": "not a number"},
    ),
    "up": ({"path": "api/system/status", "reply": {"status": "UP"}}, {"state": "up", "ready": True}),
    "metrics": ({"path": "api/metrics/search", "reply": {"metrics": LISTED}}, {"numeric": ["ncloc"]}),
    "exists": ({"path": "api/projects/create", "status": 400, "reply": THERE}, {"ok": True}),
    "profile": (
        {"path": "api/qualityprofiles/search", "reply": {"profiles": [PROFILE]}},
        {"name": "Sonar way", "active_rules": 303},
    ),
    "log": ({"log": "ERROR Unable to parse file: b.py"}, {"file": "b.py", "status": "not parsed"}),
}
WRONG: dict[str, dict[str, Any]] = {
    "best value": {"a/x.py": {"ncloc": 7, "violations": 1}},
    "module": {"modules": {"inst1": {"ncloc": 8}}},
    "period": {"new_violations": 4},
    "failed": {"state": "success"},
    "running": {"state": "failed"},
    "done": {"state": "success", "analysis_id": "B"},
    "busy": {"error": "busy", "retry": True, "wait_s": 8},
    "rights": {"error": "not signed in"},
    "no number": {"error": "not signed in"},
    "up": {"state": "starting"},
    "metrics": {"numeric": ["ncloc", "alert_status"]},
    "exists": {"ok": True, "renamed": True},
    "profile": {"name": "Sonar way", "active_rules": 304},
    "log": {"file": "c.py", "status": "not parsed"},
}


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in cases("sonar_api")])
def test_a_recorded_reply_is_taken_for_what_it_is(case: dict[str, Any]) -> None:
    """What is made of a recorded reply is right."""
    check_sonar_case(case)


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_case_passes(name: str) -> None:
    """What a case of each shape expects is found."""
    given, expected = RIGHT[name]
    check_sonar_case({"id": name, "input": given, "expected": expected})


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_case_is_found(name: str) -> None:
    """A wrong value in a case of each shape is noticed."""
    with pytest.raises(AssertionError):
        check_sonar_case({"id": name, "input": RIGHT[name][0], "expected": WRONG[name]})


def test_a_shape_without_a_rule_fails() -> None:
    """A case that no rule knows does not pass unseen."""
    with pytest.raises(AssertionError, match="no rule"):
        check_sonar_case({"id": "own", "input": {"something": 1}, "expected": {}})


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in cases("sonar_api")])
def test_a_recorded_reply_turned_round_fails(case: dict[str, Any]) -> None:
    """Each recorded case is refused when its first expected value is another one."""
    turned = copy.deepcopy(case)
    first = next(iter(turned["expected"]))
    turned["expected"][first] = _other(turned["expected"][first])
    with pytest.raises((AssertionError, KeyError)):
        check_sonar_case(turned)


def _other(value: Any) -> Any:
    """Return something that is not a value."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, dict):
        key = next(iter(value))
        return {**value, key: _other(value[key])}
    return value + 1 if isinstance(value, int) else "something else"
