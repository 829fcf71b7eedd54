"""Every line of the statistics cases."""

from typing import Any

import pytest

from swe_assets_tests.shared_data import cases
from swe_assets_tests.statistics.stats_case import check_stats_case


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in cases("stats")])
def test_case(case: dict[str, Any]) -> None:
    """The statistic gives the case's numbers, or says that there are none."""
    check_stats_case(case)
