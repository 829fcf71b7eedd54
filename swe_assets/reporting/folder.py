"""An analysis as files: analysis.json, and each table as CSV and, where it is short, as LaTeX."""

from collections.abc import Iterator
from pathlib import Path

from swe_assets.errors import ReportError
from swe_assets.reporting.tables import Analysis, from_json, to_csv, to_json, to_latex
from swe_assets.storage.atomic import write_bytes
from swe_assets.storage.regular_files import read_regular

ANALYSIS = "analysis.json"
TABLES = "tables"
LANGUAGES = ("pt", "en")
MOST_ROWS = 80  # of a table in LaTeX: longer ones are no table of a paper


def table_files(name: str) -> tuple[str, ...]:
    """Return the names below the folder of the files that a table can have.

    >>> table_files("fit")
    ('tables/fit.csv', 'tables/fit.pt.tex', 'tables/fit.en.tex')
    """
    return (f"{TABLES}/{name}.csv", *(f"{TABLES}/{name}.{lang}.tex" for lang in LANGUAGES))


def analysis_files(analysis: Analysis) -> Iterator[tuple[str, bytes]]:
    """Yield the name below the folder and the bytes of each file that an analysis is written as."""
    yield ANALYSIS, to_json(analysis).encode("utf-8", "backslashreplace")
    for name, table in analysis.tables.items():
        data, *papers = table_files(name)
        yield data, to_csv(table)
        if len(table.rows) <= MOST_ROWS:
            for lang, paper in zip(LANGUAGES, papers, strict=True):
                yield paper, to_latex(table, lang).encode("utf-8", "backslashreplace")


def write_analysis(out: Path, analysis: Analysis) -> list[Path]:
    """Write an analysis into a folder (made if absent), each file whole or not at all; return the paths.

    Raises StoreError where the folder cannot be written.
    """
    written = []
    for name, content in analysis_files(analysis):
        write_bytes(out / name, content)
        written.append(out / name)
    return written


def read_analysis(folder: Path) -> Analysis:
    """Return the analysis of a folder; raises ReportError where analysis.json is not there or is none."""
    path = folder / ANALYSIS
    try:
        text = read_regular(path).decode("utf-8")
    except (OSError, UnicodeDecodeError) as wrong:
        raise ReportError(f"cannot read {str(path)!r}: {wrong}; name a folder that holds a report") from wrong
    return from_json(text)
