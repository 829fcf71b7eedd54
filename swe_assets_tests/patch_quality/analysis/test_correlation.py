"""The correlation report's files beside other libraries' numbers."""

import unicodedata
from itertools import permutations
from pathlib import Path

import pytest
import scipy.stats

from swe_assets.patch_quality.analysis import files
from swe_assets.patch_quality.analysis.correlation import correlate, correlation_report
from swe_assets.patch_quality.analysis.matrix import METRICS, matrix_of
from swe_assets_tests.patch_quality.analysis.matrices import frame, labelled, read_rows, read_square


def test_matrices_hold_scipys_numbers(tmp_path: Path) -> None:
    """Each ordered pair of the nine has SciPy's rho and p in full; the diagonal has rho 1 and no p."""
    table = frame()
    correlation_report(table, tmp_path)
    rho, p = read_square(tmp_path / files.RHO), read_square(tmp_path / files.P_VALUES)
    for a, b in permutations(METRICS, 2):
        reference = scipy.stats.spearmanr(table[a], table[b])
        assert float(rho[a, b]) == pytest.approx(reference.statistic, abs=1e-12)
        assert float(p[a, b]) == pytest.approx(reference.pvalue, rel=1e-10)
    assert {rho[a, a] for a in METRICS} == {"1.0"}
    assert {p[a, a] for a in METRICS} == {""}


def test_normality_holds_scipys_numbers(tmp_path: Path) -> None:
    """Each of the nine has n, W, p and a verdict that follows p."""
    table = frame()
    correlation_report(table, tmp_path)
    rows = read_rows(tmp_path / files.NORMALITY)
    assert [row["metric"] for row in rows] == list(METRICS)
    for row in rows:
        reference = scipy.stats.shapiro(table[row["metric"]])
        assert float(row["W"]) == pytest.approx(reference.statistic, rel=1e-9)
        assert float(row["p"]) == pytest.approx(reference.pvalue, rel=1e-6)
        assert row["verdict"] == (
            "rejeita normalidade" if float(row["p"]) < 0.05 else "não rejeita normalidade"
        )


def test_file_name_is_composed() -> None:
    """The name with its accents is in the composed form (NFC)."""
    assert unicodedata.normalize("NFC", "matriz_correlação_spearman.csv") == files.RHO
    assert len(files.RHO) == len("matriz_correlacao_spearman.csv")


def test_constant_metric_is_empty_and_said(tmp_path: Path) -> None:
    """A constant metric leaves its own cells empty and is named; the others keep their numbers."""
    found = correlation_report(frame(violations=3), tmp_path)
    rho = read_square(tmp_path / files.RHO)
    empty = {pair for pair, cell in rho.items() if not cell}
    assert empty == {pair for pair in rho if "violations" in pair}
    assert found.undefined == ["column 'violations' is constant"]
    assert read_rows(tmp_path / files.NORMALITY)[-1]["note"] == "all values are equal"


def test_labels_are_in_every_table(tmp_path: Path) -> None:
    """Both matrices' first cell and the normality notes carry the labels, and tables for the UI too."""
    found = correlation_report(labelled(), tmp_path)
    for name in (files.RHO, files.P_VALUES):
        first = (tmp_path / name).read_text(encoding="utf-8").splitlines()[0]
        assert "ENSAIO" in first and "Ruff, não do SonarQube" in first
    notes = {row["metric"]: row["note"] for row in read_rows(tmp_path / files.NORMALITY)}
    assert "Ruff" in notes["violations"] and "ENSAIO" in notes["M_defesa"] and not notes["ncloc"]
    assert "Ruff" in found.markdown and "ENSAIO" in found.normality_markdown


def test_options_add_labels(tmp_path: Path) -> None:
    """A label may be asked for where the matrix itself has none."""
    assert correlation_report(frame(), tmp_path).labels.texts() == []
    assert len(correlation_report(frame(), tmp_path, rehearsal=True, stand_in="Ruff").labels.texts()) == 2


def test_strongest_pairs_come_first() -> None:
    """Five pairs are shown, by strength whatever the sign, none with itself."""
    found = correlate(matrix_of(frame()))
    strengths = [abs(pair.rho) for pair in found.pairs]
    assert strengths == sorted(strengths, reverse=True)
    assert len(found.pairs) == 36 and len(found.strongest) == 5
    assert [pair.a for pair in found.with_outcome] == ["pass@1"] * 8


def test_imbalance_note() -> None:
    """The note counts resolved and total, and the rarer class."""
    table = frame(10).assign(**{"pass@1": [1] * 2 + [0] * 8})
    note = correlate(matrix_of(table)).note
    assert note.startswith("[Nota de limitação] 2 de 10 instâncias resolvidas (20.0\u00a0%)")


@pytest.mark.parametrize("n", [1, 2])
def test_tiny_matrices_have_files_without_numbers(n: int, tmp_path: Path) -> None:
    """One or two instances give files whose p cells are all empty."""
    correlation_report(frame(n), tmp_path)
    assert set(read_square(tmp_path / files.P_VALUES).values()) == {""}
