"""Where mirrors are kept: in the home, or in a cache of the worker's own."""

from pathlib import Path

import pytest

from swe_assets.errors import ConfigurationError
from swe_assets.home import mirrors_dir


def test_mirrors_of_the_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the variable mirrors lie in the home."""
    monkeypatch.setenv("SWE_ASSETS_HOME", str(tmp_path))
    monkeypatch.delenv("SWE_ASSETS_MIRRORS_CACHE", raising=False)
    assert mirrors_dir() == tmp_path / "cache_repos_mirror"


def test_mirrors_of_the_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the variable they lie there, wherever the home is; a relative path is refused."""
    monkeypatch.setenv("SWE_ASSETS_MIRRORS_CACHE", str(tmp_path / "own"))
    assert mirrors_dir() == tmp_path / "own"
    monkeypatch.setenv("SWE_ASSETS_MIRRORS_CACHE", "own")
    with pytest.raises(ConfigurationError, match="'own'"):
        mirrors_dir()
