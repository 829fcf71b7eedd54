"""Verification: a report made again from its own inputs, and what differs named."""

import hashlib
import json
import shutil
from pathlib import Path

import pytest

from swe_assets.errors import ReportError
from swe_assets.patch_quality.analysis.comparison import submission_of
from swe_assets.patch_quality.analysis.comparison_files import write_comparison
from swe_assets.patch_quality.analysis.evidence import Evidence
from swe_assets.patch_quality.analysis.evidence_tables import matrix_csv
from swe_assets.patch_quality.analysis.verify import Verification, verify_folder
from swe_assets.patch_quality.analysis.whole import write_study
from swe_assets.reporting.folder import read_analysis
from swe_assets_tests.patch_quality.analysis.studies import sided, study


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a whole study's report, which no test changes."""
    folder, evidence = tmp_path_factory.mktemp("written"), study(sided(60))
    write_study(folder, evidence, matrix_csv(evidence.matrix))
    return folder


@pytest.fixture
def report(written: Path, tmp_path: Path) -> Path:
    """Return a folder of a whole study's report for one test to change."""
    shutil.copytree(written, tmp_path, dirs_exist_ok=True)
    return tmp_path


def test_what_was_not_touched_is_the_same(report: Path) -> None:
    """A report is the same as what its inputs give, every file of it."""
    found = verify_folder(report)
    assert found.same and not found.versions and found.verdict == "the same to the last byte"
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


def edited(report: Path, name: str, value: str, cell: float = 0.0) -> Verification:
    """Return what verify says once the analysis names another version, and a cell is so much larger."""
    path = report / "analysis.json"
    record = json.loads(path.read_text("utf-8"))
    record["manifest"]["versions"][name] = value
    record["tables"]["spearman"]["rows"][0][2] += cell
    path.write_text(json.dumps(record), "utf-8")
    return verify_folder(report)


def test_other_versions_alone_are_no_difference(report: Path) -> None:
    """A report of another scipy with the same numbers is the same, and the version is named."""
    found = edited(report, "scipy", "0.1")
    (line,) = found.versions
    assert found.same and line.startswith("scipy: made with 0.1, here ") and line in found.verdict
    assert found.verdict.startswith("all tables are the same; ")
    assert all(line.startswith("file 'report.html'") for line in found.put_otherwise)


def test_other_numbers_under_other_versions_differ(report: Path) -> None:
    """A cell that differs is a difference also where the version does, and both are told."""
    found = edited(report, "scipy", "0.1", cell=1e-15)
    assert not found.same and len(found.differences) == 1 and "1 difference(s)" in found.verdict
    assert "scipy: made with 0.1" in found.verdict


def test_pictures_under_other_versions_are_told_apart(report: Path) -> None:
    """Another matplotlib may draw otherwise, but change no table's file; a picture that is gone differs."""
    (report / "heatmap.png").write_bytes(b"x")
    (report / "tables" / "fit.csv").write_text("x")
    found = edited(report, "matplotlib", "2.0")
    assert [line[:18] for line in found.differences] == ["file 'tables/fit.c"]
    assert any(line.startswith("file 'heatmap.png'") for line in found.put_otherwise)
    (report / "heatmap.png").unlink()
    assert "file 'heatmap.png' is not there" in verify_folder(report).differences


def test_words_of_another_version_of_ours(report: Path) -> None:
    """A heading of another swe_assets is put otherwise, not different; of this one it differs."""
    path = report / "analysis.json"
    path.write_text(path.read_text("utf-8").replace("95 % CI low", "lower bound"), "utf-8")
    assert not verify_folder(report).same
    found = edited(report, "swe_assets", "0.0.1")
    assert found.same and any("'spearman', columns" in line for line in found.put_otherwise)


def test_files_of_another_report_are_named(report: Path) -> None:
    """A file that the report did not write, in its own folders or under a name of its own, is named."""
    strange = ["estudo_3.csv", "figures/rates.svg", "figures/x/y.png", "tables/comparison.csv"]
    for name in (*strange, "notes.txt"):
        (report / name).parent.mkdir(exist_ok=True)
        (report / name).write_text("x")
    named = tuple(f"file {name!r} is not of this report; remove it" for name in strange)
    assert verify_folder(report).differences == named


def test_entries_are_checked(report: Path) -> None:
    """Entries with a key that the report did not write differ, though no number hangs on it."""
    path = report / "relatorio_entradas.json"
    path.write_text(path.read_text("utf-8").replace('"stages"', '"more": 1, "stages"', 1), "utf-8")
    found = verify_folder(report)
    assert any(line.startswith("file 'relatorio_entradas.json', line ") for line in found.differences)


def test_entries_are_in_the_manifest(report: Path) -> None:
    """The manifest has the sha256 of the entries beside those of the inputs they name."""
    content = (report / "relatorio_entradas.json").read_bytes()
    inputs = read_analysis(report).manifest["inputs"]
    assert inputs["relatorio_entradas.json"] == hashlib.sha256(content).hexdigest()
    assert inputs.keys() > json.loads(content)["files"].keys()


def test_a_report_over_another_leaves_nothing_of_it(report: Path) -> None:
    """A smaller report, and a comparison, written over one are the same as their inputs give."""
    (report / "notes.txt").write_text("the user's own")
    evidence = study(sided(60))
    lone = Evidence("m", evidence.matrix, settings=evidence.settings)
    write_study(report, lone, matrix_csv(lone.matrix))
    assert verify_folder(report).same and not (report / "tables" / "flow.csv").exists()
    write_comparison(report, [submission_of(name, study(sided(30))) for name in ("a", "b")])
    assert verify_folder(report).same and (report / "notes.txt").is_file()


def test_comparison(tmp_path: Path) -> None:
    """A comparison's folder is verified too."""
    write_comparison(tmp_path, [submission_of(name, study(sided(30))) for name in ("a", "b")])
    assert verify_folder(tmp_path).same


def test_no_report(tmp_path: Path) -> None:
    """A folder without a report is an error."""
    with pytest.raises(ReportError):
        verify_folder(tmp_path)
