"""The chain of `__init__.py` above a patch's files, on real commits."""

from pathlib import Path

import pytest

from swe_assets.repositories import OpenRepository, reconstruct
from swe_assets.repositories.packages import package_files
from swe_assets_tests.repositories.real_git import Content, commit_files

TREE: dict[str, Content] = {
    "top/pkg/__init__.py": "outer = 1\n",
    "top/pkg/sub/__init__.py": "",
    "top/pkg/sub/mod.py": "x = 1\n",
    "top/pkg/gap/mod.py": "x = 1\n",
    "top/pkg/gap/in/__init__.py": "g = 1\n",
    "top/pkg/gap/in/mod.py": "x = 1\n",
    "link/__init__.py": {"mode": "120000", "content": "../top/pkg/__init__.py"},
    "link/mod.py": "x = 1\n",
    "new/mod.py": "x = 1\n",
    "setup.py": "x = 1\n",
}


def change(path: str) -> str:
    """Return a patch that changes the one line of a file."""
    return f"--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"


ADD_INIT = "--- /dev/null\n+++ b/new/__init__.py\n@@ -0,0 +1 @@\n+added = 1\n"
NEW_TEST = "--- /dev/null\n+++ b/new/tests/test_a.py\n@@ -0,0 +1 @@\n+added = 1\n"
DROP_INIT = "--- a/top/pkg/__init__.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-outer = 1\n"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Build the repository of TREE once; return it and its commit."""
    folder = tmp_path_factory.mktemp("packages") / "tree.git"
    return folder, commit_files(folder, TREE)


def chains(tree: tuple[Path, str], patch: str) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """Return the chains of both sides of a patch."""
    folder, commit = tree
    with OpenRepository(folder) as repository:
        found = reconstruct(repository, commit, patch)
        assert found.outcome.applied, found.detail
        root = repository.root(commit)
        base, patched = (package_files(repository, root, found.files, side) for side in ("base", "patched"))
        return base, patched


def test_a_chain_goes_up_to_the_first_folder_without_one(tree: tuple[Path, str]) -> None:
    """`top` has none, so the package of the module is pkg.sub; empty files count."""
    base, patched = chains(tree, change("top/pkg/sub/mod.py"))
    assert base == patched == {"top/pkg/sub/__init__.py": b"", "top/pkg/__init__.py": b"outer = 1\n"}


def test_a_gap_ends_a_chain(tree: tuple[Path, str]) -> None:
    """What stands above a folder without `__init__.py` belongs to no package of the file."""
    assert chains(tree, change("top/pkg/gap/mod.py")) == ({}, {})
    assert chains(tree, change("top/pkg/gap/in/mod.py"))[0] == {"top/pkg/gap/in/__init__.py": b"g = 1\n"}


def test_a_file_at_the_top_has_no_package(tree: tuple[Path, str]) -> None:
    """The repository's root is no package, whatever lies in it."""
    assert chains(tree, change("setup.py")) == ({}, {})


def test_a_link_is_no_init_file(tree: tuple[Path, str]) -> None:
    """A link is never followed, so nothing outside the tree is read."""
    assert chains(tree, change("link/mod.py")) == ({}, {})


def test_an_init_file_that_the_patch_adds_is_measured_itself(tree: tuple[Path, str]) -> None:
    """It is one of the patched files, and no context on either side."""
    assert chains(tree, change("new/mod.py") + ADD_INIT) == ({}, {})


def test_an_init_file_that_the_patch_deletes(tree: tuple[Path, str]) -> None:
    """After the patch the package ends below it; before, the file is measured itself."""
    base, patched = chains(tree, change("top/pkg/sub/mod.py") + DROP_INIT)
    assert set(base) == set(patched) == {"top/pkg/sub/__init__.py"}


def test_a_test_needs_no_package(tree: tuple[Path, str]) -> None:
    """Only measured files have a chain."""
    assert chains(tree, change("setup.py") + NEW_TEST) == ({}, {})
