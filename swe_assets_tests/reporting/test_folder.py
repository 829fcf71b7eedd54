"""An analysis as files, and where two of them differ."""

from pathlib import Path

import pytest

from swe_assets.errors import ReportError
from swe_assets.reporting.folder import MOST_ROWS, analysis_files, read_analysis, write_analysis
from swe_assets.reporting.verification import differences
from swe_assets_tests.reporting.sample_tables import ROWS, analysis


def test_written_and_read(tmp_path: Path) -> None:
    """An analysis read from its folder is the one that was written, a lone surrogate in a patch too."""
    names = [str(path.relative_to(tmp_path)) for path in write_analysis(tmp_path, analysis())]
    assert names == ["analysis.json", "tables/logit.csv", "tables/logit.pt.tex", "tables/logit.en.tex"]
    assert read_analysis(tmp_path) == analysis()


def test_long_table_is_no_table_of_a_paper() -> None:
    """A table of more than 80 rows is CSV alone."""
    names = [name for name, _content in analysis_files(analysis(ROWS[:1] * (MOST_ROWS + 1)))]
    assert names == ["analysis.json", "tables/logit.csv"]


@pytest.mark.parametrize("content", [None, b"\xff\xfe", b"{}"])
def test_folder_without_a_report(content: bytes | None, tmp_path: Path) -> None:
    """A folder without analysis.json, or with one that is none, is an error."""
    if content is not None:
        (tmp_path / "analysis.json").write_bytes(content)
    with pytest.raises(ReportError):
        read_analysis(tmp_path)


def test_the_same_differs_nowhere() -> None:
    """Equal analyses differ nowhere."""
    assert differences(analysis(), analysis()) == []


@pytest.mark.parametrize("other", [0.3, 1, True, None])
def test_one_cell_is_named(other: object) -> None:
    """A cell that differs, also by the last digit or only by its type, is named by table, row and column."""
    rows = (("M_defesa", other, *ROWS[0][2:]), ROWS[1])
    (line,) = differences(analysis(), analysis(rows))
    where = "table 'logit', row 1 (M_defesa), column 'coef': stored 0.30000000000000004, computed "
    assert line == f"{where}{other!r}"


def test_rows_and_tables_that_are_not_there() -> None:
    """A row too few and a table that is missing are said."""
    (line,) = differences(analysis(), analysis(ROWS[:1]))
    assert line == "table 'logit', number of rows: stored 2, computed 1"
    bare = type(analysis())("estudo", {}, analysis().manifest, analysis().texts)
    assert differences(bare, analysis()) == ["table 'logit' is not stored"]
    assert differences(analysis(), bare) == ["table 'logit' is stored, but not computed"]


def test_manifest_and_texts_are_compared() -> None:
    """An input's sha256 and a text that differ are named by their keys."""
    texts = {"a__b-1": {"patch": "other"}}
    changed = type(analysis())("estudo", analysis().tables, {"inputs": {"m.csv": "cd"}, "seed": 0}, texts)
    first, second = differences(analysis(), changed)
    assert first == "manifest, inputs, m.csv: stored 'ab', computed 'cd'"
    assert second.startswith("texts, a__b-1, patch: stored 'diff --git")
