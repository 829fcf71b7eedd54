"""Which addresses a mirror may come from."""

from pathlib import Path

import pytest

from swe_assets.errors import MirrorError
from swe_assets.repositories.sources import checked_repository, source_of

REMOTE = [
    "https://github.com/django/django",
    "https://user:token@example.org:8443/x.git",
    "ssh://git@example.org/x.git",
    "git@github.com:django/django.git",
    "example.org:x.git",
]
REFUSED = [
    "", "-oProxyCommand=x", "--upload-pack=x", "ext::sh -c x", "fd::17", "http://example.org/x", "git://example.org/x",
    "ftp://example.org/x", "HTTP://example.org/x", "file://host/x", "file:///x?y", "ssh://-oProxyCommand=x/y",
    "https://", "https:///x", "https://exa mple.org/x", "a@b:-x", "host::x", "x\ny", "https://[b/x", "a b:c",
]  # fmt: skip


@pytest.mark.parametrize("text", REMOTE)
def test_https_and_ssh_are_taken(text: str) -> None:
    """An address by https, ssh or user@host:path is cloned as it stands."""
    assert (source_of(text).url, source_of(text).path) == (text, None)


@pytest.mark.parametrize(
    ("text", "path"), [("/srv/x.git", "/srv/x.git"), ("file:///srv/x", "/srv/x"), ("/a/../b", "/b")]
)
def test_local_paths_are_paths(text: str, path: str) -> None:
    """An absolute path, plain or as file:///, is a local mirror."""
    assert source_of(text).path == Path(path)


def test_home_is_expanded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tilde stands for the user's home."""
    monkeypatch.setenv("HOME", "/home/someone")
    assert source_of("~/x.git").path == Path("/home/someone/x.git")


@pytest.mark.parametrize("text", REFUSED)
def test_every_other_transport_is_refused(text: str) -> None:
    """Helpers, plain http, options and broken addresses are refused before git sees them."""
    with pytest.raises(MirrorError, match="cannot be the source"):
        source_of(text)


def test_a_refusal_hides_the_token() -> None:
    """The message quotes the address without user name and token."""
    with pytest.raises(MirrorError) as caught:
        source_of("http://me:s3cr3t@example.org/x")
    assert "s3cr3t" not in str(caught.value)
    assert "example.org/x" in str(caught.value)


@pytest.mark.parametrize("name", ["django/django", "a-b/c.d_e", "0/1"])
def test_names_of_repositories_pass(name: str) -> None:
    """owner/name comes back as it is."""
    assert checked_repository(name) == name


@pytest.mark.parametrize(
    "name", ["django", "a/b/c", "../x", "a/..", "a/.", "/a/b", "a/b\n", "-a/b", "", "a b/c", "a/b" * 99]
)
def test_other_names_are_refused(name: str) -> None:
    """What could leave the folder of mirrors, or is no owner/name, is an error."""
    with pytest.raises(MirrorError, match="owner/name"):
        checked_repository(name)
