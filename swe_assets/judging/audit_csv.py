"""CSV that passes through a spreadsheet: no cell becomes a formula, and what comes back is still read."""

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from swe_assets.errors import AuditError

LONGEST_CELL = 20_000
"""Characters of a text in a cell: with the marks of ``protected`` it stays below a spreadsheet's 32,767."""

_SIGNS = "=+\\-@\uff1d\uff0b\uff0d\uff20"
_AT_START = r"(?<![^\n\r\t;])"
_SIGN = rf"(?=[ \u00a0]*[\"'{_SIGNS}])"
RISKY = _AT_START + _SIGN
"""Where ``protected`` puts an apostrophe, as a pattern that Python and JavaScript read alike."""

_RISKY, _MARKED = re.compile(RISKY), re.compile(f"{_AT_START}'{_SIGN}")
_DELIMITERS = (",", ";", "\t")


def protected(text: str) -> str:
    r"""Return a cell's text with an apostrophe before whatever a spreadsheet could take for a formula.

    That is ``=``, ``+``, ``-``, ``@`` (full width too), a quotation mark or an apostrophe, after any blanks,
    where a cell begins, and also after a line end, a tab or a semicolon: a spreadsheet that expects
    semicolons cuts our cells there. ``unprotected`` takes out exactly what was put in.
    (OWASP, CSV Injection, owasp.org/www-community/attacks/CSV_Injection.)

    >>> protected("=1+1"), protected("a\n-b"), protected("2-1")
    ("'=1+1", "a\n'-b", '2-1')
    """
    return _RISKY.sub("'", text)


def unprotected(text: str) -> str:
    """Return a cell's text as it was before ``protected``."""
    return _MARKED.sub("", text)


def sheet_bytes(header: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """Return a sheet: UTF-8 with a byte-order mark, commas, CRLF, every cell quoted and protected.

    The mark tells a spreadsheet that it is UTF-8. Lone surrogates are spelled out.
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n", quoting=csv.QUOTE_ALL)
    writer.writerow([protected(cell) for cell in header])
    writer.writerows([protected(cell) for cell in row] for row in rows)
    return b"\xef\xbb\xbf" + stream.getvalue().encode("utf-8", "backslashreplace")


@dataclass(frozen=True)
class SheetText:
    """A sheet as read: rows by column name, with their line numbers, and what was unusual about the file."""

    columns: tuple[str, ...]
    rows: tuple[tuple[int, Mapping[str, str]], ...]
    notes: tuple[str, ...]


def read_sheet(content: bytes, needed: Sequence[str]) -> SheetText:
    """Return the rows of a sheet that a person saved, whatever their spreadsheet made of its form.

    Commas, semicolons or tabs; any line ends; UTF-8 with or without a mark, UTF-16 with one, else
    Windows-1252. Cells lose the apostrophes of ``protected``; rows without any text are left out.

    Raises AuditError where the bytes are no text, a needed column is missing or there twice, or a row has
    more cells than there are columns.
    """
    text, notes = _decoded(content)
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    if re.match(r"\Asep=.\n", lines, re.IGNORECASE):
        lines = lines.partition("\n")[2]
    delimiter = _delimiter(lines, needed)
    table = _table(lines, delimiter)
    columns = tuple(unprotected(name).strip() for name in table[0][1])
    twice = sorted({name for name in columns if name and columns.count(name) > 1})
    if twice:
        raise AuditError(f"the sheet has the column {twice[0]!r} twice: delete one of them")
    rows = tuple((n, _row(n, columns, cells)) for n, cells in table[1:] if any(c.strip() for c in cells))
    other = () if delimiter == "," else (f"separated by {'tabs' if delimiter == chr(9) else 'semicolons'}",)
    return SheetText(columns, rows, (*notes, *other))


def _decoded(content: bytes) -> tuple[str, tuple[str, ...]]:
    """Return a file's text and what is to be said of its encoding."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        encodings = [("utf-16", "encoded as UTF-16")]
    else:
        encodings = [("utf-8-sig", ""), ("cp1252", "encoded as Windows-1252: other letters may be lost")]
    for name, note in encodings:
        try:
            text = content.decode(name)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text, (note,) if note else ()
    raise AuditError("the file is no CSV: its bytes are no text (save the sheet as CSV, UTF-8)")


def _delimiter(lines: str, needed: Sequence[str]) -> str:
    """Return the separator by which the first line holds every needed column."""
    lacking: dict[str, list[str]] = {}
    for delimiter in _DELIMITERS:
        header = next(csv.reader(io.StringIO(lines), delimiter=delimiter), [])
        names = {unprotected(cell).strip() for cell in header}
        lacking[delimiter] = [name for name in needed if name not in names]
        if not lacking[delimiter]:
            return delimiter
    closest = min(lacking.values(), key=len)
    raise AuditError(
        f"the sheet lacks the column{'s' if len(closest) > 1 else ''} {', '.join(map(repr, closest))}: its "
        "first line must be that of the sheet that was drawn; columns may be moved but not renamed"
    )


def _table(lines: str, delimiter: str) -> list[tuple[int, list[str]]]:
    """Return each row with the number of the line that it begins on."""
    reader = csv.reader(io.StringIO(lines), delimiter=delimiter)
    found, at = [], 1
    try:
        for cells in reader:
            found.append((at, cells))
            at = reader.line_num + 1
    except csv.Error as wrong:
        longest = f"a cell may hold {csv.field_size_limit():,} characters"
        raise AuditError(f"line {at} of the sheet cannot be read: {wrong} ({longest})") from None
    return found


def _row(number: int, columns: Sequence[str], cells: Sequence[str]) -> dict[str, str]:
    """Return a row by column name, cells that are not there as empty."""
    if any(cell.strip() for cell in cells[len(columns) :]):
        raise AuditError(
            f"line {number} has {len(cells)} cells for {len(columns)} columns: a separator is unquoted in it"
        )
    padded = [*cells, *[""] * (len(columns) - len(cells))]
    return {name: unprotected(cell) for name, cell in zip(columns, padded, strict=False) if name}
