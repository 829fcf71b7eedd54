"""A table in LaTeX for a paper: booktabs, rounded for reading, every special sign escaped."""

import unicodedata
from collections.abc import Iterable, Mapping

from swe_assets.reporting.readable import DASH, readable
from swe_assets.reporting.reasons import in_words
from swe_assets.reporting.table_shape import Column, Table
from swe_assets.statistics.undefined import Undefined

_SIGNS = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "\u00a0": "~",
    "–": "--",
    "—": "---",
    "…": r"\ldots{}",
    "−": r"$-$",
    "×": r"$\times$",
    "≤": r"$\le$",
    "≥": r"$\ge$",
    "∞": r"$\infty$",
    "ρ": r"$\rho$",
    "α": r"$\alpha$",
    "Δ": r"$\Delta$",
    "²": r"$^2$",
    **{sign: f"\\{sign}" for sign in "#$%&_{}"},
}
_LEFT = {"id", "text"}
_MARKS: Mapping[str, Mapping[str, str]] = {
    "rehearsal": {
        "pt": "ENSAIO: juiz de ensaio, não um modelo",
        "en": "REHEARSAL: the rehearsal judge, not a model",
    },
    "stand_in": {
        "pt": "SUBSTITUTO: não são medidas do SonarQube",
        "en": "STAND-IN: not SonarQube's measures",
    },
    "small_model": {
        "pt": "MODELO PEQUENO: prova do percurso, não resultado",
        "en": "SMALL MODEL: proves the path, is no result",
    },
}


def mark_words(mark: str, lang: str) -> str:
    """Return what a mark says to a reader, or the mark itself where it has no words."""
    return _MARKS.get(mark, {}).get(lang, mark)


def to_latex(table: Table, lang: str) -> str:
    """Return a table as a LaTeX ``table`` with ``tabular`` (packages booktabs, fontenc T1), UTF-8.

    Its marks stand in the caption; its notes, and why a cell has no value, below the rows. Whatever
    a cell holds, no command of it reaches LaTeX.
    """
    marks = "".join(f" [{mark_words(mark, lang)}]" for mark in sorted(table.marks))
    notes = (*(note[lang] for note in table.notes), *_reasons(table, lang))
    lines = [
        r"\begin{table}",
        rf"\caption{{{escaped(table.title[lang] + marks)}}}",
        rf"\label{{tab:{''.join(c if c.isalnum() and c.isascii() else '-' for c in table.name)}}}",
        rf"\begin{{tabular}}{{{''.join('l' if c.kind in _LEFT else 'r' for c in table.columns)}}}",
        r"\toprule",
        _line(column.label[lang] for column in table.columns),
        r"\midrule",
        *(
            _line(_shown(value, c, lang) for value, c in zip(row, table.columns, strict=True))
            for row in table.rows
        ),
        r"\bottomrule",
        r"\end{tabular}",
        *(rf"\par\footnotesize {escaped(note)}" for note in notes),
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _reasons(table: Table, lang: str) -> list[str]:
    """Return why cells that show a dash have no value, each reason once, after the headings it concerns."""
    found: dict[str, list[str]] = {}
    for row in table.rows:
        for value, column in zip(row, table.columns, strict=True):
            if isinstance(value, Undefined) and not value.infinite:
                headings = found.setdefault(value.reason, [])
                headings += [] if column.label[lang] in headings else [column.label[lang]]
    return [f"{DASH} {', '.join(names)}: {in_words(reason, lang)}." for reason, names in found.items()]


def _shown(value: object, column: Column, lang: str) -> str:
    """Return a cell; a text that is no sentence of another language is put into the table's own."""
    if isinstance(value, str) and column.kind == "text" and not column.name.endswith("en"):
        return in_words(value, lang)
    return readable(value, column.kind, lang)


def escaped(text: str) -> str:
    """Return a text as LaTeX shows it, without control characters and on one line."""
    line = " ".join(text.replace("\u00a0", "\0").split()).replace("\0", "\u00a0")
    return "".join(_SIGNS.get(sign, sign) for sign in line if unicodedata.category(sign)[0] != "C")


def _line(cells: Iterable[str]) -> str:
    """Return a row; the empty group keeps its first cell from being read as what the row before may take."""
    return "{}" + " & ".join(map(escaped, cells)) + r" \\"
