"""Local inputs: hashed as they are, bounded as they are and decompressed, refused for what they are not."""

import gzip
import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from swe_assets.errors import ConfigurationError, InputError
from swe_assets.patch_quality.inputs.limits import VARIABLE, Limits, limits_from
from swe_assets.patch_quality.inputs.sources import Source, Sources

Opened = Callable[..., Source]


def test_plain_file(opened: Opened) -> None:
    """A file gives its bytes, their sha256, and its absolute place."""
    source = opened(b"abc")
    assert source.sha256 == hashlib.sha256(b"abc").hexdigest()
    assert Path(source.location).is_absolute()


def test_gzip_by_content(opened: Opened) -> None:
    """Gzip is told by its bytes, whatever the name."""
    source = opened(gzip.compress(b"abc"), "plain.json")
    with source.open() as file:
        assert (source.gzipped, file.read()) == (True, b"abc")


@pytest.mark.parametrize("cut", [10, 30])
def test_torn_gzip(opened: Opened, cut: int) -> None:
    """A gzip file cut off anywhere is an error, never a shorter text."""
    source = opened(gzip.compress(os.urandom(100))[:cut])
    with source.open() as file, pytest.raises(InputError, match="cut off or corrupt"):
        file.read()


def test_gzip_bomb(opened: Opened) -> None:
    """Decompression stops at the limit."""
    source = opened(gzip.compress(bytes(10_000_000)))
    with source.open() as file, pytest.raises(InputError, match="decompressed, is larger than the limit"):
        file.read()


def test_sparse_two_gigabytes(tmp_path: Path) -> None:
    """A file over the default limit of 2 GiB is refused unread, with the way to raise it."""
    with (tmp_path / "huge.jsonl").open("wb") as file:
        file.truncate(2 * 1024**3 + 1)
    with pytest.raises(
        InputError, match=r"2,147,483,649 bytes; at most 2,147,483,648 .*SWE_ASSETS_MAX_INPUT_BYTES"
    ):
        Sources(tmp_path, Limits()).open(str(tmp_path / "huge.jsonl"))


def test_limit_from_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit is the option, else the variable, else 2 GiB; a variable that is no number is an error."""
    monkeypatch.setenv(VARIABLE, "123")
    assert (limits_from().input_bytes, limits_from(5).input_bytes) == (123, 5)
    monkeypatch.setenv(VARIABLE, "2GB")
    with pytest.raises(ConfigurationError, match="'2GB'"):
        limits_from()
    monkeypatch.delenv(VARIABLE)
    assert limits_from().input_bytes == 2 * 1024**3


@pytest.mark.parametrize(
    ("given", "says"), [("none", "no such file"), (".", "a folder"), ("a\0b", "cannot be read")]
)
def test_not_a_file(sources: Sources, given: str, says: str) -> None:
    """What is absent, a folder, or no path at all is refused with what it is."""
    with pytest.raises(InputError, match=says):
        sources.open(given)


def test_pipe(tmp_path: Path, sources: Sources) -> None:
    """A named pipe is refused instead of waited for."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="not a regular file"):
        sources.open(str(tmp_path / "pipe"))


def test_changed_meanwhile(opened: Opened, sources: Sources) -> None:
    """A file that grows after it was hashed is refused at the end."""
    source = sources.open(opened(b"abc").location)
    sources.check_unchanged()
    source.path.write_bytes(b"abcd")
    with pytest.raises(InputError, match="changed while it was read"):
        sources.check_unchanged()


@pytest.mark.parametrize(
    ("head", "says"),
    [
        (b"PK\x03\x04rest", "a zip archive"),
        (gzip.compress(gzip.compress(b"x", mtime=0), mtime=0), "gzipped twice"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "Git LFS pointer"),
        (b"\xef\xbb\xbf\n<!DOCTYPE html><html>", "a web page"),
    ],
)
def test_foreign_kinds(opened: Opened, head: bytes, says: str) -> None:
    """Archives, pointers and web pages are named for what they are."""
    with pytest.raises(InputError, match=says):
        opened(head).head()
