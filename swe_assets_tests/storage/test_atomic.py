"""Tests of files that are whole or not there."""

import json
import os
from pathlib import Path

import pytest

from swe_assets.errors import StoreError
from swe_assets.storage.atomic import to_json, write_bytes, write_json_lines, write_text


def test_write_replaces_the_whole_file(tmp_path: Path) -> None:
    """A second write leaves the second content and no temporary file."""
    path = tmp_path / "deep" / "a.txt"
    write_bytes(path, b"first and longer")
    write_bytes(path, b"second", durable=True)
    assert path.read_bytes() == b"second"
    assert [entry.name for entry in path.parent.iterdir()] == ["a.txt"]


def test_unwritable_place_is_named(tmp_path: Path) -> None:
    """A path below a file is a StoreError that names it, and the file stays as it was."""
    (tmp_path / "file").write_text("kept")
    with pytest.raises(StoreError, match=r"file/a\.txt"):
        write_text(tmp_path / "file" / "a.txt", "x")
    assert (tmp_path / "file").read_text() == "kept"


def test_full_disk_leaves_the_old_content() -> None:
    """A write that meets a full device is a StoreError which says so."""
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    with pytest.raises(StoreError, match="cannot write '/dev/full/a'"):
        write_text(Path("/dev/full/a"), "x")


def test_json_is_the_same_for_equal_values() -> None:
    """Keys in another order give the same text, and a lone surrogate does not stop it."""
    assert to_json({"b": 1, "a": "é"}) == to_json({"a": "é", "b": 1}) == '{"a":"é","b":1}'
    assert json.loads(to_json({"x": "\ud800"})) == {"x": "\ud800"}


def test_nan_is_never_written() -> None:
    """NaN is refused: an undefined value must be said in words."""
    with pytest.raises(ValueError, match="JSON"):
        to_json({"x": float("nan")})


def test_lines_hold_one_object_each(tmp_path: Path) -> None:
    """A text with line separators of Unicode stays within its line."""
    write_json_lines(tmp_path / "a.jsonl", [{"t": "a\u2028b\n"}, {"t": "\udfff"}])
    lines = (tmp_path / "a.jsonl").read_bytes().split(b"\n")
    assert [json.loads(line) for line in lines if line] == [{"t": "a\u2028b\n"}, {"t": "\udfff"}]


def test_written_files_can_be_read_by_others(tmp_path: Path) -> None:
    """A file has the usual mode 0644, not the private one of a temporary file."""
    write_text(tmp_path / "a", "x")
    assert os.stat(tmp_path / "a").st_mode & 0o777 == 0o644  # noqa: PTH116 - mode bits are what is tested
