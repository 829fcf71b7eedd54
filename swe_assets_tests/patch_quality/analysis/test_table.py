"""CSV files as they come: kept as text, or refused with the place that is wrong."""

from pathlib import Path

import pytest

from swe_assets.errors import MatrixError
from swe_assets.patch_quality.analysis.table import read_table


def read(content: bytes, tmp_path: Path) -> list[dict[str, object]]:
    """Return the rows of a file with this content."""
    path = tmp_path / "m.csv"
    path.write_bytes(content)
    return read_table(path).to_dict("records")  # type: ignore[return-value] # keys are the header's text


def test_values_stay_text(tmp_path: Path) -> None:
    """Ids of digits keep their zeros, NA is an id, 88.0 is not rounded on the way."""
    rows = read(b"instance_id,ncloc\n007,5\nNA,88.0\n", tmp_path)
    assert rows == [{"instance_id": "007", "ncloc": "5"}, {"instance_id": "NA", "ncloc": "88.0"}]


@pytest.mark.parametrize(
    "content", [b"\xef\xbb\xbfid,x\n1,2\n", b"id,x\r\n1,2\r\n", b"\nid,x\n\n1,2\n\n", b" id,x \n1,2"]
)
def test_harmless_differences(content: bytes, tmp_path: Path) -> None:
    """A byte order mark, Windows line ends, blank lines and a missing last newline change nothing."""
    assert read(content, tmp_path) == [{"id": "1", "x": "2"}]


def test_quoted_line_break(tmp_path: Path) -> None:
    """A quoted field may hold a comma, a quote and a line break."""
    assert read(b'id,x\n"a,""b""\nc",2\n', tmp_path) == [{"id": 'a,"b"\nc', "x": "2"}]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b"\n \n", "is empty"),
        (b"id;x\n1;2\n", "separated by semicolons"),
        (b"id\tx\n1\t2\n", "separated by tabs"),
        (b"id,x,x\n1,2,3\n", "has column\\(s\\) twice: 'x'"),
        (b"id,x\n1,2\n3\n", "line 3: 1 fields, the header has 2"),
        (b"id,x\n1,2,3\n", "line 2: 3 fields, the header has 2"),
        (b'id,x\n1,"2\n', "line 2: not a CSV file"),
        (b"id,x\n\xe7,2\n", "byte 5: not UTF-8"),
        ("id,x\n1,2\n".encode("utf-16"), "is UTF-16"),
        (b"id,x\n1,\x00\n", "holds NUL"),
        (b"id,x\n1," + b"9" * 200_000 + b"\n", "line 2: not a CSV file"),
    ],
)
def test_refused(content: bytes, said: str, tmp_path: Path) -> None:
    """What is no such table is refused with what was found and where."""
    with pytest.raises(MatrixError, match=said):
        read(content, tmp_path)


def test_missing_file_and_folder(tmp_path: Path) -> None:
    """A file that is not there, or a folder in its place, is named."""
    for path in (tmp_path / "none.csv", tmp_path):
        with pytest.raises(MatrixError, match="cannot read"):
            read_table(path)
