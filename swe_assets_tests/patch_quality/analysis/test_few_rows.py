"""Matrices of a few rows, and of a row without a base: every study ends with its report."""

import warnings
from pathlib import Path

import pandas as pd
import pytest

from swe_assets.patch_quality.analysis.evidence import Settings
from swe_assets.patch_quality.analysis.models import models
from swe_assets.patch_quality.analysis.whole import analyse_matrix
from swe_assets_tests.patch_quality.analysis.studies import sided, study

FEW = Settings(draws=200, permutations=200, folds=5)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6, 8])
@pytest.mark.parametrize("resolved", [None, 0, 1])
def test_report_of_a_few_rows(n: int, resolved: int | None, tmp_path: Path) -> None:
    """One to eight rows, of both outcomes or one, give a page, tables and no warning of a numeric library."""
    table = sided(n)
    if resolved is not None:
        table["pass@1"] = resolved
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        written = analyse_matrix(table, tmp_path, settings=FEW)
    assert (tmp_path / "report.html").is_file()
    assert written.analysis.tables["spearman"].records()[0]["n"] == n


@pytest.mark.parametrize("n", [1, 40])
def test_no_row_has_a_base(n: int, tmp_path: Path) -> None:
    """Where no row has a base the model of whole files stands alone, and the report is written."""
    table = sided(n)
    sides = [name for name in table.columns if str(name).startswith(("base_", "delta_"))]
    table[sides] = float("nan")
    assert [model.name for model in models(study(table))] == ["total"]
    written = analyse_matrix(pd.DataFrame(table), tmp_path, settings=FEW)
    assert {row["model"] for row in written.analysis.tables["logit"].records()} == {"total"}
    assert (tmp_path / "report.html").is_file()
