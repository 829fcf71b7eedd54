"""Downloads from a real server on this machine: whole, bounded, and without secrets in any message."""

import gzip
import hashlib
from pathlib import Path

import pytest

from swe_assets.errors import DownloadError
from swe_assets.patch_quality.inputs.download import download
from swe_assets.patch_quality.inputs.limits import Limits
from swe_assets.patch_quality.inputs.sources import Sources
from swe_assets_tests.patch_quality.inputs.web import Page, Web

SMALL = Limits(input_bytes=1000, timeout_seconds=1.0)


def refusal(web: Web, path: str, tmp_path: Path, limits: Limits = SMALL) -> str:
    """Return the message of a download that must fail."""
    with pytest.raises(DownloadError) as raised:
        download(web(path), tmp_path / "got", limits)
    return str(raised.value)


def test_bytes_as_they_came(web: Web, sources: Sources) -> None:
    """What is hashed and kept is what the server sent, and a gzipped body is read decompressed."""
    body = gzip.compress(b'{"a": 1}\n')
    web.pages["/p.jsonl.gz"] = Page(body)
    source = sources.open(web("/p.jsonl.gz"))
    assert (source.sha256, source.size, source.gzipped) == (hashlib.sha256(body).hexdigest(), len(body), True)
    with source.open() as file:
        assert file.read() == b'{"a": 1}\n'


def test_content_encoding(web: Web, sources: Sources) -> None:
    """A server that compresses though asked not to is still read."""
    web.pages["/p"] = Page(gzip.compress(b"{}"), headers={"Content-Encoding": "gzip"})
    with sources.open(web("/p")).open() as file:
        assert file.read() == b"{}"
    assert web.requests[0][1]["Accept-Encoding"] == "identity"


def test_chunked(web: Web, tmp_path: Path) -> None:
    """A body without an announced length is streamed whole."""
    web.pages["/p"] = Page(b"x" * 900, chunked=True)
    assert download(web("/p"), tmp_path / "got", SMALL)
    assert (tmp_path / "got").read_bytes() == b"x" * 900


def test_redirect(web: Web, sources: Sources) -> None:
    """A redirect is followed, and the source is recorded under the address that was given."""
    web.pages["/a"] = Page(status=302, headers={"Location": "/b"})
    web.pages["/b"] = Page(b"[]")
    assert sources.open(web("/a")).location == web("/a")


def test_redirect_loop(web: Web, tmp_path: Path) -> None:
    """Redirects without end are given up after five."""
    web.pages["/a"] = Page(status=302, headers={"Location": "/a"})
    assert "redirects" in refusal(web, "/a", tmp_path)
    assert len(web.requests) == 6


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://127.0.0.1/x"])
def test_redirect_elsewhere(web: Web, tmp_path: Path, target: str) -> None:
    """A redirect to anything but http and https is refused."""
    web.pages["/a"] = Page(status=302, headers={"Location": target})
    assert "protocol" in refusal(web, "/a", tmp_path) or "refused" in refusal(web, "/a", tmp_path)
    assert not (tmp_path / "got").exists()


@pytest.mark.parametrize("status", [401, 403, 404, 500, 204])
def test_status(web: Web, tmp_path: Path, status: int) -> None:
    """Any status but 200 is an error that says it."""
    web.pages["/p"] = Page(status=status)
    assert str(status) in refusal(web, "/p", tmp_path)


def test_missing_ok(web: Web, tmp_path: Path) -> None:
    """Where absence is allowed a 404 is an answer, and writes nothing."""
    assert download(web("/none"), tmp_path / "got", SMALL, missing_ok=True) is False
    assert not (tmp_path / "got").exists()


def test_cut_stream(web: Web, tmp_path: Path) -> None:
    """A body shorter than announced is an error, not a short file that passes for whole."""
    web.pages["/p"] = Page(b"x" * 10, announced=100)
    assert "received 10 bytes, expected 100" in refusal(web, "/p", tmp_path)


def test_announced_too_large(web: Web, tmp_path: Path) -> None:
    """A body announced over the limit is refused before it is read."""
    web.pages["/p"] = Page(b"", announced=10**12)
    assert "--max-input-bytes" in refusal(web, "/p", tmp_path)


def test_streamed_too_large(web: Web, tmp_path: Path) -> None:
    """A body without a length is refused once it passes the limit."""
    web.pages["/p"] = Page(b"x" * 5000, chunked=True)
    assert "larger than the limit" in refusal(web, "/p", tmp_path)
    assert (tmp_path / "got").stat().st_size <= SMALL.input_bytes


def test_silent_server(web: Web, tmp_path: Path) -> None:
    """A server that says nothing is given up after the limit."""
    web.pages["/p"] = Page(b"x", seconds_before=2)
    assert "within 0.2 s" in refusal(web, "/p", tmp_path, Limits(timeout_seconds=0.2))


def test_no_server(tmp_path: Path) -> None:
    """An address where nobody listens is an error without a traceback's worth of URL."""
    with pytest.raises(DownloadError, match="could not be fetched"):
        download("http://127.0.0.1:1/p?token=hunter2", tmp_path / "got", SMALL)


@pytest.mark.parametrize("status", [403, 302])
def test_secrets_stay_secret(web: Web, tmp_path: Path, status: int) -> None:
    """Neither user, password nor a token of the query reaches the message or its causes."""
    web.pages["/p"] = Page(status=status, headers={"Location": "http://u:hunter2@x y/?sig=hunter2"})
    secret = web.url.replace("//", "//me:hunter2@") + "/p?token=hunter2"
    with pytest.raises(DownloadError) as raised:
        download(secret, tmp_path / "got", SMALL)
    assert "hunter2" not in str(raised.value)
    assert raised.value.__suppress_context__ or raised.value.__context__ is None
