"""Every recorded reply of a judge's service ends as it should, through the real SDK."""

from typing import Any

import pytest

from swe_assets_tests.judging.judge_case import check_judge_case
from swe_assets_tests.shared_data import cases


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in cases("judge_call")])
def test_a_recorded_reply_ends_as_it_should(case: dict[str, Any]) -> None:
    """The outcome, value, reason, waits and attempts of a recorded reply are right."""
    check_judge_case(case)
