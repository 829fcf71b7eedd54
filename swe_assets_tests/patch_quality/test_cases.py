"""Every case of the shared file, by kind, through the product's own code."""

from pathlib import Path
from typing import Any

import pytest

from swe_assets_tests.analysers.metrics_case import check_metrics_case
from swe_assets_tests.judging.judge_case import check_judge_case
from swe_assets_tests.patch_quality.dagster_case import check_dagster_case
from swe_assets_tests.patch_quality.inputs.input_cases import check_predictions_case, check_results_case
from swe_assets_tests.repositories.patch_case import check_patch_case
from swe_assets_tests.shared_data import cases
from swe_assets_tests.sonarqube.sonar_case import check_sonar_case
from swe_assets_tests.statistics.stats_case import check_stats_case


def each(kind: str) -> pytest.MarkDecorator:
    """Parametrise a test over the cases of a kind; without the file there is one skipped test."""
    found = cases(kind) or [{"id": "no-file", "absent": True}]
    return pytest.mark.parametrize("case", found, ids=[case["id"] for case in found])


@pytest.fixture(autouse=True)
def _skip_without_file(request: pytest.FixtureRequest) -> None:
    if request.getfixturevalue("case").get("absent"):
        pytest.skip("no case file here; name one in SWE_CASES")


@each("patch")
def test_patch(case: dict[str, Any], tmp_path: Path) -> None:
    """A patch comes to the outcome, the files and the flags that real git gave."""
    check_patch_case(case, tmp_path)


@each("metrics")
def test_metrics(case: dict[str, Any]) -> None:
    """A source measures as on the real SonarQube."""
    check_metrics_case(case)


@each("predictions")
def test_predictions(case: dict[str, Any], tmp_path: Path) -> None:
    """A predictions file is read, or refused with what is wrong."""
    check_predictions_case(case, tmp_path)


@each("results")
def test_results(case: dict[str, Any], tmp_path: Path) -> None:
    """A results file gives pass@1, or is refused with what is wrong."""
    check_results_case(case, tmp_path)


@each("stats")
def test_stats(case: dict[str, Any]) -> None:
    """A statistic has the reference value, or is undefined where the reference is."""
    check_stats_case(case)


@each("judge_call")
def test_judge_call(case: dict[str, Any]) -> None:
    """A provider's reply comes to the right outcome through the real SDK."""
    check_judge_case(case)


@each("sonar_api")
def test_sonar_api(case: dict[str, Any]) -> None:
    """A reply of SonarQube or a scanner's log is taken for what it is."""
    check_sonar_case(case)


@each("dagster")
def test_dagster(case: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dagster behaves as we rely on, and we guard where it does not."""
    monkeypatch.setenv("SWE_ASSETS_HOME", str(tmp_path))
    check_dagster_case(case, tmp_path)
