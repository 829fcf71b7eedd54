"""What the UI shows of a summary."""

import dagster as dg
import pytest

from swe_assets.patch_quality.analysis.correlation import correlate
from swe_assets.patch_quality.analysis.matrix import matrix_of
from swe_assets.patch_quality.report_assets import shown
from swe_assets_tests.patch_quality.analysis.matrices import labelled


def test_texts_are_markdown_and_values_stay() -> None:
    """A payload's Markdown loses its suffix, short values stay, a list is not shown."""
    found = shown({"n": 3, "tables_md": "| a |", "wrong": {"a": 1}, "findings": ["x"]})
    assert list(found) == ["n", "tables", "wrong"] and found["tables"] == dg.MetadataValue.md("| a |")


def test_the_heatmap_is_in_the_page_itself() -> None:
    """The picture is one Markdown value that needs no file."""
    found = shown({"heatmap_md": correlate(matrix_of(labelled()), title="demo").heatmap_markdown})
    assert found["heatmap"].value.startswith("![Spearman, n = 160: ")


def test_two_values_under_one_key_are_refused() -> None:
    """A picture and a text that would overwrite each other are an error that names the key."""
    with pytest.raises(ValueError, match="'heatmap' twice"):
        shown({"heatmap": "x.png", "heatmap_md": "![]()"})
