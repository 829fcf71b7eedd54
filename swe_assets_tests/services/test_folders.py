"""The cache lies where the user says, and where a server's account gets to."""

import os
from pathlib import Path

import pytest

from swe_assets.errors import ConfigurationError
from swe_assets.services.accounts import Account, planned_account, service_account
from swe_assets.services.folders import cache_dir, make_folder, require_entry
from swe_assets_tests.postgres_case import open_folder

only_root = pytest.mark.skipif(os.geteuid() != 0, reason="root alone runs servers as another account")
NOBODY = Account("nobody-known", 54321, 54321, Path("/"))


def test_cache_is_where_the_variable_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """SWE_ASSETS_CACHE names the cache, and must be absolute."""
    monkeypatch.setenv("SWE_ASSETS_CACHE", str(tmp_path))
    assert cache_dir() == tmp_path
    monkeypatch.setenv("SWE_ASSETS_CACHE", "here")
    with pytest.raises(ConfigurationError, match="'here'"):
        cache_dir()


def test_cache_of_a_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A user's cache is XDG's, and a relative XDG_CACHE_HOME counts as none."""
    monkeypatch.delenv("SWE_ASSETS_CACHE", raising=False)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_dir() == tmp_path / "xdg" / "swe-assets"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert cache_dir() == tmp_path / ".cache" / "swe-assets"


def test_cache_of_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """Root's cache lies outside /root, which no other account can enter."""
    monkeypatch.delenv("SWE_ASSETS_CACHE", raising=False)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert cache_dir() == Path("/var/cache/swe-assets")


def test_folder_has_the_mode(tmp_path: Path) -> None:
    """The folder has the mode asked for, also where it was there with another."""
    for mode in (0o700, 0o711):
        assert make_folder(tmp_path / "a" / "b", mode=mode).stat().st_mode & 0o777 == mode


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    """A file in the way is an error that names the folder and the variable that moves it."""
    (tmp_path / "file").touch()
    with pytest.raises(ConfigurationError, match=r"file/x.*SWE_ASSETS_CACHE"):
        make_folder(tmp_path / "file" / "x", mode=0o700)


def test_a_closed_parent_is_named() -> None:
    """A parent that the account cannot enter is named, before any server fails on it."""
    with open_folder() as folder:
        (folder / "closed").mkdir(0o700)
        with pytest.raises(ConfigurationError, match=rf"'{folder}/closed'"):
            require_entry(folder / "closed" / "data", NOBODY)
        (folder / "closed").chmod(0o711)
        require_entry(folder / "closed" / "data", NOBODY if os.geteuid() == 0 else None)


@only_root
def test_the_account_of_root_is_not_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """As root servers get an account that is not root, the same one each time."""
    monkeypatch.delenv("SWE_ASSETS_SERVICE_USER", raising=False)
    account = service_account()
    assert account is not None and account.uid > 0
    assert service_account() == account == planned_account()


@only_root
@pytest.mark.parametrize(
    ("name", "says"), [("no-such-account", "no such account"), ("root", "which is root")]
)
def test_a_named_account_must_do(monkeypatch: pytest.MonkeyPatch, name: str, says: str) -> None:
    """An account that is named but absent, or is root, is refused."""
    monkeypatch.setenv("SWE_ASSETS_SERVICE_USER", name)
    with pytest.raises(ConfigurationError, match=says):
        service_account()


def test_a_user_runs_servers_as_himself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is not root runs servers under his own account."""
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert service_account() is None
