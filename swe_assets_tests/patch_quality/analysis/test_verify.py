"""Verification: a report made again from its own inputs, and what differs named."""

import json
from pathlib import Path

import pytest

from swe_assets.errors import ReportError
from swe_assets.patch_quality.analysis.comparison import submission_of
from swe_assets.patch_quality.analysis.comparison_files import write_comparison
from swe_assets.patch_quality.analysis.evidence_tables import matrix_csv
from swe_assets.patch_quality.analysis.verify import verify_folder
from swe_assets.patch_quality.analysis.whole import write_study
from swe_assets_tests.patch_quality.analysis.studies import sided, study


@pytest.fixture
def report(tmp_path: Path) -> Path:
    """Return the folder of a whole study's report."""
    evidence = study(sided(60))
    write_study(tmp_path, evidence, matrix_csv(evidence.matrix))
    return tmp_path


def test_what_was_not_touched_is_the_same(report: Path) -> None:
    """A report is the same as what its inputs give, every file of it."""
    found = verify_folder(report)
    assert found.same and not found.versions
    made = {str(path.relative_to(report)) for path in report.rglob("*") if path.is_file()}
    assert set(found.checked) == made


def test_every_change_is_named(report: Path) -> None:
    """A changed digit in a table, a changed page and a file that is gone are each named."""
    path = report / "analysis.json"
    record = json.loads(path.read_text("utf-8"))
    record["tables"]["spearman"]["rows"][0][2] += 1e-15
    path.write_text(json.dumps(record), "utf-8")
    (report / "heatmap.png").write_bytes(b"x")
    (report / "tables" / "fit.csv").unlink()
    cell, *files = verify_folder(report).differences
    assert cell.startswith("table 'spearman', row 1 (pass@1), column 'rho': stored 0.")
    assert (
        files[0].startswith("file 'heatmap.png': 1 bytes stored")
        and files[1] == "file 'tables/fit.csv' is not there"
    )


def test_another_matrix_is_named_with_what_hangs_on_it(report: Path) -> None:
    """A changed input is named, and the cells that it changes."""
    path = report / "matriz_analisada.csv"
    lines = path.read_text().split("\n")
    cells = lines[1].split(",")
    cells[6] = str(int(cells[6]) + 1)
    path.write_text("\n".join([lines[0], ",".join(cells), *lines[2:]]))
    first, *rest = verify_folder(report).differences
    assert first.startswith("input 'matriz_analisada.csv'")
    assert any(line.startswith("table 'instances', row 1") and "'complexity'" in line for line in rest)


def test_other_versions_are_told(report: Path) -> None:
    """A report of another scipy says so, since last digits may then differ."""
    path = report / "analysis.json"
    record = json.loads(path.read_text("utf-8"))
    here = record["manifest"]["versions"]["scipy"]
    record["manifest"]["versions"]["scipy"] = "0.1"
    path.write_text(json.dumps(record), "utf-8")
    found = verify_folder(report)
    assert found.versions == (f"scipy: made with 0.1, here {here}",) and not found.same


def test_comparison(tmp_path: Path) -> None:
    """A comparison's folder is verified too."""
    write_comparison(tmp_path, [submission_of(name, study(sided(30))) for name in ("a", "b")])
    assert verify_folder(tmp_path).same


def test_no_report(tmp_path: Path) -> None:
    """A folder without a report is an error."""
    with pytest.raises(ReportError):
        verify_folder(tmp_path)
