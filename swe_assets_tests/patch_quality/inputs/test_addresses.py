"""URLs: which are accepted, shown without secrets, and turned into raw files."""

import pytest

from swe_assets.errors import InputError
from swe_assets.patch_quality.inputs import addresses

RAW = [
    (
        "https://github.com/SWE-bench/experiments/tree/main/evaluation/verified/20240402_rag_gpt4",
        "https://raw.githubusercontent.com/SWE-bench/experiments/main/evaluation/verified/20240402_rag_gpt4",
    ),
    (
        "https://github.com/o/r/blob/v1.0/a/b.jsonl?raw=1",
        "https://raw.githubusercontent.com/o/r/v1.0/a/b.jsonl",
    ),
    ("https://gitlab.com/g/sub/r/-/blob/main/a.json", "https://gitlab.com/g/sub/r/-/raw/main/a.json"),
    (
        "https://huggingface.co/datasets/o/d/blob/main/t.parquet",
        "https://huggingface.co/datasets/o/d/resolve/main/t.parquet",
    ),
    (
        "https://github.com/o/r/releases/download/v1/p.jsonl",
        "https://github.com/o/r/releases/download/v1/p.jsonl",
    ),
    ("https://example.org/tree/main/p.jsonl", "https://example.org/tree/main/p.jsonl"),
]


@pytest.mark.parametrize(("page", "raw"), RAW)
def test_raw_url(page: str, raw: str) -> None:
    """The page of a file or folder on a known host becomes its raw address; others stay."""
    assert addresses.raw_url(page) == raw


def test_own_rule() -> None:
    """A rule for another host is data, not code."""
    import re

    rule = addresses.RawRule(re.compile(r"http://git\.lan/view/(.+)"), r"http://git.lan/raw/\1")
    assert addresses.raw_url("http://git.lan/view/a/b", (rule,)) == "http://git.lan/raw/a/b"


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://me:hunter2@example.org/p.jsonl", "https://example.org/p.jsonl"),
        ("https://example.org/p?token=hunter2&raw=1#x", "https://example.org/p?token=REDACTED&raw=1"),
        ("https://s3.example/p?X-Amz-Signature=abc&v=2", "https://s3.example/p?X-Amz-Signature=REDACTED&v=2"),
        (f"https://example.org/p?a={'0f' * 20}", "https://example.org/p?a=REDACTED"),
        (f"https://example.org/p?{'0f' * 20}", "https://example.org/p?REDACTED"),
        ("https://[::1/p?token=hunter2", "'https://…'"),
    ],
)
def test_shown_url(url: str, shown: str) -> None:
    """A URL is shown without user, password, fragment and the secrets of its query."""
    assert addresses.shown_url(url) == shown


@pytest.mark.parametrize(
    "url", ["ftp://h/p", "file:///etc/passwd", "http://", "https://h:pass@/x", "http://h:99999999/x"]
)
def test_check_url_refuses(url: str) -> None:
    """Only http and https with a host and a possible port are fetched."""
    with pytest.raises(InputError, match=r"only http and https|not a usable URL"):
        addresses.check_url(url)


def test_below_keeps_query() -> None:
    """A file below a base URL keeps the base's query and has its name quoted."""
    assert addresses.below("https://h/a/?v=1", "results/r s.json") == "https://h/a/results/r%20s.json?v=1"


@pytest.mark.parametrize(
    ("url", "has"),
    [
        ("https://t0ken@h/r", True),
        ("ssh://git@h/r", False),
        ("ssh://git:pw@h/r", True),
        ("https://h/r", False),
    ],
)
def test_has_credentials(url: str, has: bool) -> None:
    """A user is a credential with https; with ssh only a password is."""
    assert addresses.has_credentials(url) is has


def test_scrubbed_text() -> None:
    """Every URL inside a library's message loses its secrets."""
    assert "hunter2" not in addresses.scrubbed("GET https://u:hunter2@h/p?key=hunter2 failed")
