"""Headings and names on a page in Portuguese: each column that a report shows has words."""

import pytest

from swe_assets.patch_quality.analysis.column_words import columns
from swe_assets.patch_quality.analysis.comparison import submission_of
from swe_assets.patch_quality.analysis.comparison_files import comparison_analysis
from swe_assets.patch_quality.analysis.instance_table import VALUES
from swe_assets.patch_quality.analysis.study_tables import study_analysis
from swe_assets.reporting.tables import Analysis
from swe_assets_tests.patch_quality.analysis.studies import sided, study

ALIKE = {
    "a", "b", "n", "p", "p_holm", "p_bh", "rho", "z", "d", "W", "pass@1", "AIC", "BIC", "EPV", "LR",
    "auc", "vif", "zeros", "brier", "ece", "f1", "fn", "fp", "tn", "tp", "icc", "mcc", "total", "base",
}  # fmt: skip
"""Columns that are called the same in both languages."""


@pytest.fixture(scope="module")
def analyses() -> list[Analysis]:
    """Return a study's analysis and a comparison's."""
    whole = study(sided(60))
    return [study_analysis(whole, {}), comparison_analysis([submission_of(name, whole) for name in "ab"])]


def test_every_heading_is_in_portuguese(analyses: list[Analysis]) -> None:
    """No column's heading is its English one or its bare name, but for measures and what is called alike."""
    shown = [column for one in analyses for table in one.tables.values() for column in table.columns]
    bare = {
        column.name
        for column in shown
        if column.label["pt"] in (column.label["en"], column.name) and column.name not in (*ALIKE, *VALUES)
    }
    assert len(shown) > 150 and bare == set()


def test_odds_and_probabilities_have_words_of_their_own(analyses: list[Analysis]) -> None:
    """In Portuguese chances are odds alone: of headings, titles and notes only those of a ratio name them."""
    tables = [table for one in analyses for table in one.tables.values()]
    texts = [table.title["pt"] for table in tables]
    texts += [note["pt"] for table in tables for note in table.notes]
    texts += [column.label["pt"] for table in tables for column in table.columns]
    assert [text for text in texts if "chance" in text.replace("azão de chances", "").lower()] == []


def test_a_column_without_words_keeps_its_name() -> None:
    """A name that is not listed is its own heading, and a kind that is asked for is taken."""
    (column,) = columns("no_such_name:share")
    assert column.label == {"pt": "no_such_name", "en": "no_such_name"} and column.kind == "share"
