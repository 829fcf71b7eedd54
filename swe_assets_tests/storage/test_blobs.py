"""Tests of contents stored by git blob id."""

import subprocess
from pathlib import Path

import pytest

from swe_assets.errors import RecordError
from swe_assets.storage.blobs import BlobStore, blob_id


@pytest.mark.parametrize("content", [b"", b"x = 1\n", b"\0\xff" * 5000])
def test_id_is_gits(content: bytes) -> None:
    """The id equals what git hash-object gives for the same bytes."""
    done = subprocess.run(["git", "hash-object", "--stdin"], input=content, capture_output=True, check=True)
    assert blob_id(content) == done.stdout.decode().strip()


def test_content_comes_back(tmp_path: Path) -> None:
    """What is put is got, byte for byte."""
    store = BlobStore(tmp_path)
    assert store.get(store.put(b"abc\r\n")) == b"abc\r\n"


def test_damaged_content_is_noticed(tmp_path: Path) -> None:
    """A blob whose file was changed is an error, and the next put stores it anew."""
    store = BlobStore(tmp_path)
    first, second = store.put(b"one"), store.put(b"two")
    (tmp_path / first[:2] / first[2:]).write_bytes((tmp_path / second[:2] / second[2:]).read_bytes())
    with pytest.raises(RecordError, match="does not match its id"):
        store.get(first)
    assert store.get(store.put(b"one")) == b"one"


def test_missing_content_is_noticed(tmp_path: Path) -> None:
    """A blob that is not there is an error, not an empty file."""
    with pytest.raises(RecordError, match="missing or damaged"):
        BlobStore(tmp_path).get("0" * 40)
