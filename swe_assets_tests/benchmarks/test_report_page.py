"""The benchmark of the report page: it measures a page of a size of its own, and holds it to the targets."""

import shutil
from pathlib import Path

import pytest

from benchmarks.report_page import Measured, main, measure, rows_of


@pytest.mark.skipif(shutil.which("chromium") is None, reason="no chromium on PATH")
def test_a_small_page_is_measured(tmp_path: Path) -> None:
    """A page of sixty instances has a size, becomes interactive, sorts and searches."""
    found = measure(60, tmp_path)
    assert found.instances == 60 and 50_000 < found.size == (tmp_path / "report.html").stat().st_size
    assert min(found.make, found.interactive, found.sort, found.search) > 0


def test_targets_are_held_against_the_figures() -> None:
    """A page too large, too late or too slow misses its target; of 5,000 only sort and search count."""
    slow = [Measured(500, 6_000_000, 1, 1001, 301, 301), Measured(5_000, 90_000_000, 1, 9_000, 299, 299)]
    verdicts = [row[3] for row in rows_of(slow)]
    assert verdicts == ["MISSED"] * 4 + [""] + ["", "", "met", "met", ""]


def test_without_a_browser(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a browser the benchmark says so and exits 2."""
    monkeypatch.setenv("PATH", "")
    assert main([]) == 2 and "no chromium" in capsys.readouterr().err
