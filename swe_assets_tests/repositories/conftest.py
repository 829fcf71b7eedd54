"""Fixtures of the repository tests: one small base commit, and a temporary folder that can be looked into."""

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from swe_assets.repositories import OpenRepository, Reconstruction, reconstruct
from swe_assets_tests.repositories.real_git import Content, commit_files

MODULE = (
    "import os\n\n\ndef first(a):\n    return a\n\n\ndef second(b):\n    total = 0\n    return total + b\n"
)
BASE: dict[str, Content] = {
    "pkg/mod.py": MODULE,
    "pkg/empty.py": "",
    "pkg/sub/deep.py": "x = 1\n",
    "tests/test_mod.py": "def test_it():\n    assert True\n",
    "README.md": "# Title\n",
    "run.sh": {"mode": "100755", "content": "echo\n"},
    "link": {"mode": "120000", "content": "pkg"},
    "vendored": {"mode": "160000", "content": "1" * 40},
    "data": "a file, not a folder\n",
}

Apply = Callable[..., Reconstruction]


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Build the bare repository of BASE once; return it and its commit."""
    folder = tmp_path_factory.mktemp("bare") / "base.git"
    return folder, commit_files(folder, BASE)


@pytest.fixture
def apply(base: tuple[Path, str]) -> Iterator[Apply]:
    """Return a function that reconstructs a patch at BASE."""
    folder, commit = base
    with OpenRepository(folder) as repository:
        yield lambda patch, **options: reconstruct(repository, commit, patch, **options)


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make the temporary folder one that only this test uses."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder
