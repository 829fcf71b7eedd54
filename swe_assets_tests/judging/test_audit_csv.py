"""The sheet: harmless in a spreadsheet, and read back whatever a spreadsheet made of its form."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swe_assets.errors import AuditError
from swe_assets.judging.audit_csv import LONGEST_CELL, protected, read_sheet, sheet_bytes, unprotected

RISKY = st.text(st.sampled_from(list("=+-@'\";,\t\n\r a＝＋\u00a0")))
SIGNS = tuple("=+-@＝＋－＠")
ROWS = [["a-1", '=HYPERLINK("x")', "é, ç; 中"], ["a-2", "+1\n-2\n@x", "'quoted'"]]
HEADER = ["id", "text", "comment"]


def rows_of(content: bytes) -> list[list[str]]:
    """Return the rows of a sheet as lists."""
    return [list(row.values()) for _number, row in read_sheet(content, ["id"]).rows]


def as_semicolons(content: bytes) -> list[list[str]]:
    """Return the cells that a spreadsheet sees which expects semicolons and splits our sheet by them."""
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""), delimiter=";"))


@given(RISKY)
def test_protection_is_taken_out_again(text: str) -> None:
    """What protection puts in is exactly what is taken out."""
    assert unprotected(protected(text)) == text


@given(RISKY)
def test_no_cell_is_a_formula(text: str) -> None:
    """No cell begins with a sign of a formula, cut at commas or wrongly at semicolons."""
    content = sheet_bytes(["id"], [[text]])
    cells = list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))[1:]
    for row in (*cells, *as_semicolons(content)[1:]):
        assert not any(cell.lstrip(' \u00a0"').startswith(SIGNS) for cell in row)


def test_protected_cell_fits() -> None:
    """The longest cell stays below a spreadsheet's 32,767 characters even where every line is marked."""
    assert len(protected("=\n" * (LONGEST_CELL // 2))) < 32_767


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_forms_of_spreadsheets(delimiter: str, encoding: str, end: str) -> None:
    """Commas, semicolons or tabs, any Unicode encoding and any line end give the same rows."""
    stream = io.StringIO()
    table = [HEADER, *([protected(cell) for cell in row] for row in ROWS)]
    csv.writer(stream, delimiter=delimiter, lineterminator="\n").writerows(table)
    assert rows_of(stream.getvalue().replace("\n", end).encode(encoding)) == ROWS


def test_own_sheet() -> None:
    """Our own sheet is UTF-8 with a mark, and reads back as it was."""
    content = sheet_bytes(HEADER, ROWS)
    assert content.startswith(b"\xef\xbb\xbf") and rows_of(content) == ROWS
    assert read_sheet(content, HEADER).notes == ()


def test_windows_encoding_is_noted() -> None:
    """A sheet saved in Windows-1252 is read, and said to be."""
    sheet = read_sheet("id;comment\na-1;não é – bom\n".encode("cp1252"), ["id"])
    assert sheet.rows == ((2, {"id": "a-1", "comment": "não é – bom"}),)
    assert "Windows-1252" in sheet.notes[0] and "semicolons" in sheet.notes[1]


def test_odd_rows() -> None:
    """A line that names the separator is skipped, empty rows are left out, short rows end in empty cells."""
    sheet = read_sheet(b"sep=;\r\nid;comment\r\n;\r\na-1\r\n", ["id"])
    assert [dict(row) for _number, row in sheet.rows] == [{"id": "a-1", "comment": ""}]


def test_rows_know_their_lines() -> None:
    """A row is told by the line that it begins on, also after a cell of several lines."""
    sheet = read_sheet(b'id,c\na,"x\ny\nz"\nb,1\n', ["id"])
    assert [number for number, _row in sheet.rows] == [2, 5]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"PK\x03\x04\x00\x00rest", "no text"),
        (b"", "lacks the column 'id'"),
        (b"name,comment\na,b\n", "lacks the column 'id'"),
        (b"id,x,x\na,b,c\n", "'x' twice"),
        (b"id,x\na,b,c\n", "line 2 has 3 cells for 2 columns"),
    ],
)
def test_what_is_no_sheet(content: bytes, words: str) -> None:
    """What cannot be read is refused with the fault."""
    with pytest.raises(AuditError, match=words):
        read_sheet(content, ["id"])
