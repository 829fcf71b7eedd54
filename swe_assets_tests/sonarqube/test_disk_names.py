"""Names on disk: any path a patch may hold becomes one that Sonar's patterns and any disk can hold."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swe_assets.sonarqube.disk_names import LONGEST_PATH, disk_paths

ODD = [
    "a,b.py",
    "with space/x.py",
    "glob*?[x].py",
    "ação/é.py",
    ".hidden/x.py",
    "sonar-project.properties/x.py",
    "a\\b.py",
    "x" * 240 + ".py",
    "\udcff.py",
    "new\nline.py",
    "$(touch x).py",
    "-rf.py",
    "..py",
]


def test_plain_paths_keep_their_names() -> None:
    """A path of an ordinary repository is the same on disk."""
    paths = ["django/db/models/query.py", "setup.py", "lib/mpl_toolkits/axes_grid1/inset-locator.py"]
    assert disk_paths(paths) == {path: path for path in paths}


@pytest.mark.parametrize("path", ODD)
def test_an_odd_path_is_renamed(path: str) -> None:
    """What a pattern, a disk or Sonar would read otherwise is no part of the name; depth and suffix stay."""
    found = disk_paths([path])[path]
    assert re.fullmatch(r"[A-Za-z0-9_+.-]+(/[A-Za-z0-9_+.-]+)*\.py", found)
    assert found.count("/") == path.count("/")
    assert not any(part.startswith((".", "-")) or len(part) > 100 for part in found.split("/"))


def test_names_that_differ_in_case_alone() -> None:
    """Two files, or two folders, that a disk without case takes for one get different names."""
    found = disk_paths(["Pkg/a.py", "pkg/a.py", "pkg/A.py"])
    assert len({name.lower() for name in found.values()}) == 3


def test_an_init_file_keeps_its_name() -> None:
    """Whatever else is there, `__init__.py` is what makes a package."""
    found = disk_paths(["pkg/__INIT__.py", "pkg/__init__.py"])
    assert found["pkg/__init__.py"] == "pkg/__init__.py"
    assert found["pkg/__INIT__.py"] != "pkg/__INIT__.py"


def test_a_path_of_a_thousand_folders() -> None:
    """A path that no server would keep becomes a short one at the top."""
    path = "/".join(["deep"] * 1000) + "/x.py"
    found = disk_paths([path, "x.py"])
    assert len(found[path]) < LONGEST_PATH
    assert "/" not in found[path]


def test_no_file_takes_the_name_of_a_deep_one() -> None:
    """A file called as a deep one is called on disk is renamed, so that neither is written over the other."""
    deep = "/".join(["deep"] * 1000) + "/x.py"
    taken = disk_paths([deep])[deep]
    found = disk_paths([deep, taken, taken.upper()])
    assert found[deep] == taken
    assert len({name.lower() for name in found.values()}) == 3


def test_a_renamed_path_never_takes_a_real_one() -> None:
    """A file that is already called as another would be renamed keeps that name alone."""
    taken = disk_paths(["a,b.py"])["a,b.py"]
    found = disk_paths(["a,b.py", taken])
    assert len(set(found.values())) == 2


NAMES = st.text(st.characters(exclude_characters="/\0"), min_size=1, max_size=30).filter(
    lambda name: name not in (".", "..")
)


@given(st.lists(st.lists(NAMES, min_size=1, max_size=3).map("/".join), max_size=8, unique=True))
def test_no_two_paths_share_a_name_and_none_leaves_its_folder(paths: list[str]) -> None:
    """For any paths: names are different without case, relative, and free of what patterns read."""
    found = disk_paths(paths)
    assert set(found) == set(paths)
    assert len({name.lower() for name in found.values()}) == len(paths)
    assert all(re.fullmatch(r"[\w+.-]+(/[\w+.-]+)*", name, re.ASCII) for name in found.values())
    assert not any(part in ("", ".", "..") for name in found.values() for part in name.split("/"))
