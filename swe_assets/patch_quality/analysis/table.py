"""Reading of CSV tables as text, so that no id or number is changed on the way."""

import codecs
import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING

from swe_assets.errors import MatrixError
from swe_assets.storage.regular_files import read_regular

if TYPE_CHECKING:
    import pandas as pd

_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def read_table(path: Path) -> "pd.DataFrame":
    """Return a comma-separated UTF-8 file as a frame of text; ids of digits keep their zeros, NA stays text.

    A byte order mark and blank lines are passed over.
    Raises MatrixError where the file is missing, empty, not UTF-8, separated by other than commas, has a
    column twice, a row of another length (named by line) or an open quote.
    """
    import pandas as pd

    rows = list(_rows(path))
    if not rows:
        raise MatrixError(f"{str(path)!r} is empty; expected a CSV file with a header")
    header = [name.strip() for name in rows[0][1]]
    _check_header(path, header)
    for line, row in rows[1:]:
        if len(row) != len(header):
            raise MatrixError(f"{str(path)!r}, line {line}: {len(row)} fields, the header has {len(header)}")
    return pd.DataFrame([row for _, row in rows[1:]], columns=header, dtype=object)


def _rows(path: Path) -> list[tuple[int, list[str]]]:
    """Return the rows with the number of the line each ends on."""
    reader = csv.reader(io.StringIO(_text(path), newline=""), strict=True)
    try:
        return [(reader.line_num, row) for row in reader if any(field.strip() for field in row)]
    except csv.Error as wrong:
        raise MatrixError(f"{str(path)!r}, line {reader.line_num}: not a CSV file ({wrong})") from wrong


def _text(path: Path) -> str:
    try:
        content = read_regular(path)
    except OSError as wrong:
        raise MatrixError(f"cannot read {str(path)!r}: {wrong.strerror}") from wrong
    if content.startswith(_WIDE):
        raise MatrixError(f"{str(path)!r} is UTF-16; save it as UTF-8")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        raise MatrixError(f"{str(path)!r}, byte {wrong.start}: not UTF-8; save it as UTF-8") from wrong
    if "\0" in text:
        raise MatrixError(f"{str(path)!r} holds NUL at character {text.index(chr(0))}; not a text file")
    return text


def _check_header(path: Path, header: list[str]) -> None:
    for separator, word in ((";", "semicolons"), ("\t", "tabs")):
        if len(header) == 1 and separator in header[0]:
            raise MatrixError(f"{str(path)!r} is separated by {word}; save it with commas and decimal points")
    twice = sorted({name for name in header if header.count(name) > 1})
    if twice:
        raise MatrixError(f"{str(path)!r} has column(s) twice: {', '.join(map(repr, twice))}; keep one")
