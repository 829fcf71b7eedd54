"""The blind benchmark's statistics cases, each against the function that answers it."""

from typing import Any

import pytest

from swe_assets_tests.shared_data import blind_cases
from swe_assets_tests.statistics.blind_stats_case import check_blind_stats_case

CASES = {case["id"]: case for case in blind_cases("stats") if "what" in case["input"]}


@pytest.mark.parametrize("name", list(CASES) or ["no-file"])
def test_blind_stats(name: str) -> None:
    """A statistic has the value of its reference, and says so where there is none."""
    if name not in CASES:
        pytest.skip("real data not here: cases.jsonl")
    check_blind_stats_case(CASES[name], CASES)


def test_a_wrong_value_fails() -> None:
    """A wrong expected value fails its check: the checks look at what they are given."""
    wrong: dict[str, Any] = {
        "input": {"what": "mcnemar_exact", "both_right": 50, "only_a": 12, "only_b": 3, "both_wrong": 35},
        "expected": {"p": 0.04, "atol": 1e-12},
    }
    with pytest.raises(AssertionError):
        check_blind_stats_case(wrong, {})
