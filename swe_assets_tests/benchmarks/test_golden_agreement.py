"""Tests of what counts as agreement between the two analysers, and of a measurement that is made anew."""

from pathlib import Path

import pytest

from benchmarks.golden_agreement import Agreed, measure_anew
from swe_assets.analysers.protocol import STRUCTURE_KEYS, FileMeasures
from swe_assets.services.folders import cache_dir

Numbers = dict[str, int | float]
WHOLE: Numbers = dict.fromkeys(STRUCTURE_KEYS, 3)


def agreed(server: Numbers, embedded: Numbers, *, parsed: bool = True) -> Agreed:
    """Return one file with what both say of it."""
    sides = (FileMeasures("a.py", parsed=parsed, measures=one, reason=None) for one in (server, embedded))
    return Agreed("o/r", "a.py", *sides)


def test_equal_on_all_keys() -> None:
    """Eight equal numbers are agreement, one that differs is named."""
    assert agreed(WHOLE, WHOLE).differing == []
    assert agreed(WHOLE, {**WHOLE, "ncloc": 4}).differing == ["ncloc"]


def test_no_number_is_no_agreement() -> None:
    """A file that neither could read has nothing in which the two agree."""
    assert agreed({"lines": 3}, {"lines": 3}, parsed=False).differing == [
        key for key in STRUCTURE_KEYS if key != "lines"
    ]


def test_nothing_that_was_kept_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cache is the run's own, where nothing is kept; server and scanner stay those that were named."""
    (tmp_path / "lib").mkdir()
    (tmp_path / "bin").mkdir()
    (tmp_path / "lib" / "sonar-scanner-cli-7.3.0.5189.jar").touch()
    (tmp_path / "bin" / "sonar-scanner").touch(mode=0o755)
    named = {"SONAR_HOST_URL": "http://127.0.0.1:9", "SONAR_TOKEN": "squ_planted0f1e2d3c"}
    for name, value in {**named, "SONAR_SCANNER_HOME": str(tmp_path), "SWE_ASSETS_CACHE": "/old"}.items():
        monkeypatch.setenv(name, value)
    measure_anew(tmp_path / "fresh")
    assert cache_dir() == tmp_path / "fresh"
