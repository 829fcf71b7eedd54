"""Tables about judges as files: JSON with everything, a CSV a table, and a page in Markdown for people."""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from swe_assets.patch_quality.analysis import files
from swe_assets.patch_quality.analysis.manifest import marked
from swe_assets.patch_quality.analysis.wording import markdown_table
from swe_assets.reporting.readable import readable
from swe_assets.reporting.reasons import in_words
from swe_assets.reporting.tables import Analysis, Table, to_csv, to_json
from swe_assets.reporting.words import mark_word, named
from swe_assets.statistics.undefined import Undefined

REHEARSAL = "rehearsal"
_MARKED = {
    REHEARSAL: "ENSAIO / rehearsal: os vereditos vêm de um juiz de ensaio, não de um modelo",
    "small_model": "MODELO PEQUENO / small model: os vereditos provam o percurso, não são resultado",
}


def write_tables(
    out: Path,
    name: str,
    title: str,
    tables: Sequence[Table],
    manifest: Mapping[str, Any],
    shown: Sequence[Table] | None = None,
) -> dict[str, Any]:
    """Write ``name``.json, ``name``.md and a CSV a table into a folder; the page holds ``shown``, else all.

    Returns {"tables_md", "sha256", "rehearsal", "labels"}: the Markdown, the digest of the JSON, whether the
    tables are marked as a rehearsal, and every mark in words. The JSON's manifest says which names bear
    which marks. Same tables, same bytes. Raises StoreError where the folder cannot be written.
    """
    marks = _marks(tables)
    told = {**manifest, "marked": marked(marks, manifest.get("judges", ()))}
    analysis = Analysis(title, {table.name: table for table in tables}, told)
    content = to_json(analysis).encode("utf-8", "backslashreplace")
    markdown = markdown_of(title, tables if shown is None else shown)
    files.write(out, f"{name}.json", content)
    files.write(out, f"{name}.md", f"# {markdown}\n".encode("utf-8", "backslashreplace"))
    for table in tables:
        files.write(out, f"{table.name}.csv", to_csv(table))
    sha256, labels = hashlib.sha256(content).hexdigest(), " / ".join(_labels(marks))
    return {"tables_md": markdown, "sha256": sha256, "rehearsal": REHEARSAL in marks, "labels": labels}


def markdown_of(title: str, tables: Sequence[Table]) -> str:
    """Return tables in Markdown, first the title and what they must not be taken for."""
    return "\n\n".join([title, *_labels(_marks(tables)), *map(table_markdown, tables)])


def table_markdown(table: Table) -> str:
    """Return one table in Markdown: heading with its marks, rows, why cells are undefined, notes."""
    header = [column.label["pt"] for column in table.columns]
    kinds = [column.kind for column in table.columns]
    rows = [[_readable(v, k) for v, k in zip(row, kinds, strict=True)] for row in table.rows]
    notes = [note["pt"] for note in table.notes]
    undefined_cells = (v for row in table.rows for v in row if isinstance(v, Undefined))
    reasons = dict.fromkeys(in_words(cell.reason, "pt") for cell in undefined_cells)
    shown = markdown_table(header, rows) if rows else "Nada a relatar."
    undefined = [f"– (indefinido): {'; '.join(reasons)}"] if reasons else []
    heading = "".join([f"## {table.title['pt']}", *(f" [{mark_word(m, 'pt')}]" for m in sorted(table.marks))])
    return "\n\n".join([heading, shown, *undefined, *notes])


def _readable(value: object, kind: str) -> str:
    if isinstance(value, str):
        return named(value, "pt") if kind == "id" else in_words(value, "pt")
    return readable(value, kind, "pt")


def _marks(tables: Sequence[Table]) -> frozenset[str]:
    return frozenset().union(*(table.marks for table in tables))


def _labels(marks: frozenset[str]) -> list[str]:
    """Return each mark as the sentence that stands above the tables."""
    return [_MARKED.get(mark, mark) for mark in sorted(marks)]
