"""Tables in LaTeX: rounded, escaped, marked."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from swe_assets.reporting.latex import escaped, mark_words
from swe_assets.reporting.tables import to_latex
from swe_assets_tests.reporting.sample_tables import table


def test_rounded_and_marked() -> None:
    """A table is rounded for reading, with what it must not be taken for in its caption."""
    text = to_latex(table(), "pt")
    assert r"M\_defesa & 0.300 & 1.0e-09 & 74.6~\% & 500 & sim \\" in text
    assert r"ncloc\_log & -- &  & $\infty$ & 0 & não \\" in text
    assert r"\caption{Modelo\_1 [ENSAIO: juiz de ensaio, não um modelo]}" in text
    assert r"nota \& aviso" in text


def test_a_dash_has_its_reason() -> None:
    """Why a cell has no value stands below the table, under the heading of its column."""
    assert r"\par\footnotesize -- coeficiente: todos os valores são iguais." in to_latex(table(), "pt")
    assert r"\par\footnotesize -- coefficient: all values are equal." in to_latex(table(), "en")


def test_no_command_of_a_cell_is_run() -> None:
    """Whatever a cell holds, no control sign of LaTeX is left unescaped."""
    hostile = r"\input{/etc/passwd} %$#&_^~{}" + "\x1b\n\u202e"
    line = escaped(hostile)
    assert r"\input" not in line and "\n" not in line and "\x1b" not in line and "\u202e" not in line
    assert not re.search(r"(?<!\\)[%$#&_]", line.replace(r"\textasciicircum{}", ""))


def test_a_first_cell_is_no_argument_of_the_row_before() -> None:
    """Each row begins with an empty group, so that a cell like [3in] or * is text."""
    rows = [line for line in to_latex(table(), "pt").splitlines() if line.endswith(r"\\")]
    assert rows and all(line.startswith("{}") for line in rows)


def test_every_mark_is_said_in_both_languages() -> None:
    """Each mark has words in pt and en; an unknown one is shown as it is."""
    for mark in ("rehearsal", "stand_in", "small_model"):
        assert mark_words(mark, "pt") != mark_words(mark, "en") != mark
    assert mark_words("other", "en") == "other"


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no LaTeX here")
def test_latex_takes_it(tmp_path: Path) -> None:
    """LaTeX itself makes a page of a table with every sign."""
    head = r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage{booktabs}\begin{document}"
    (tmp_path / "t.tex").write_text(head + to_latex(table(), "pt") + r"\end{document}", "utf-8")
    subprocess.run(["pdflatex", "-halt-on-error", "t.tex"], cwd=tmp_path, check=True, capture_output=True)
