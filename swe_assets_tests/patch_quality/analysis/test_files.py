"""Cells, records, and files that are whole or not there."""

import math
from pathlib import Path

import pytest

from swe_assets.errors import StoreError
from swe_assets.patch_quality.analysis import files
from swe_assets.statistics import Undefined


def test_cells_lose_nothing() -> None:
    """A float is written so that it reads back as itself; what has no value is an empty cell."""
    for value in (0.1 + 0.2, 5e-324, 1 / 3, -1e300):
        assert float(files.cell(value)) == value
    assert [files.cell(value) for value in (None, Undefined("why"), 7, "x")] == ["", "", "7", "x"]


def test_csv_is_utf8_with_unix_line_ends() -> None:
    """Accents, commas and quotes are kept; there is no byte order mark."""
    assert files.csv_bytes(("é", "b"), [('a,"', 1.0)]) == 'é,b\n"a,""",1.0\n'.encode()


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_json_refuses_what_json_has_not(value: float) -> None:
    """NaN and infinity never reach a JSON file."""
    with pytest.raises(ValueError, match="JSON compliant"):
        files.json_bytes({"x": value})


def test_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    """What cannot be written whole is an error, and the file that was there stays as it was."""
    files.write(tmp_path, "fit.json", b"old")
    with pytest.raises(StoreError, match="cannot write"):
        files.write(tmp_path, "x" * 300, b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["fit.json"]
    assert (tmp_path / "fit.json").read_bytes() == b"old"
