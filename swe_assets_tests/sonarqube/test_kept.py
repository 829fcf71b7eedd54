"""Kept measures: found by content and versions, never where they are torn or another's."""

from pathlib import Path

import pytest

from swe_assets.errors import StoreError
from swe_assets.sonarqube.kept import Kept, KeptMeasures

V25 = {"server": "25.11", "profile_updated_at": "2026-11-30T02:15:14+0000", "mode": "batch"}
RECEIPT = {"project": "p", "analysis": "A1"}
MEASURES = {"files": [], "own": {"ncloc": 3, "sqale_debt_ratio": 0.4}, "additive": ["ncloc"]}
CONTENT = "ab" * 32


@pytest.fixture
def kept(tmp_path: Path) -> KeptMeasures:
    """Give a folder with one project's measures."""
    found = KeptMeasures(tmp_path, V25)
    found.put(CONTENT, RECEIPT, MEASURES)
    return found


def only_file(folder: Path) -> Path:
    """Return the one file that is kept."""
    (path,) = (path for path in folder.rglob("*") if path.is_file())
    return path


def test_what_is_kept_is_found_again(kept: KeptMeasures) -> None:
    """The same content under the same versions gives receipt and measures back, floats and all."""
    assert kept.get(CONTENT) == Kept(RECEIPT, MEASURES)


@pytest.mark.parametrize("key", sorted(V25))
def test_another_version_finds_nothing(kept: KeptMeasures, key: str) -> None:
    """Server, profile and mode are part of what is looked for."""
    assert KeptMeasures(kept.folder, {**V25, key: "other"}).get(CONTENT) is None


def test_other_content_finds_nothing(kept: KeptMeasures) -> None:
    """Another project has its own file."""
    assert kept.get("cd" * 32) is None


@pytest.mark.parametrize("cut", [0, 1, 64, 65, 100, -1])
def test_a_torn_file_is_not_used(kept: KeptMeasures, cut: int) -> None:
    """Whatever is missing at the end, nothing is taken from what is left."""
    path = only_file(kept.folder)
    path.write_bytes(path.read_bytes()[:cut])
    assert kept.get(CONTENT) is None


def test_a_changed_number_is_noticed(kept: KeptMeasures) -> None:
    """One digit changed by hand and the file is not used."""
    path = only_file(kept.folder)
    path.write_bytes(path.read_bytes().replace(b'"ncloc":3', b'"ncloc":4'))
    assert kept.get(CONTENT) is None


def test_another_project_s_file_is_foreign(kept: KeptMeasures) -> None:
    """A whole file that lies where another's should is not used."""
    other = "cd" * 32
    place = kept.folder / kept.name(other)[:2] / f"{kept.name(other)}.json"
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(only_file(kept.folder).read_bytes())
    assert kept.get(other) is None


def test_a_folder_that_cannot_be_written() -> None:
    """Where nothing can be kept the error says so."""
    with pytest.raises(StoreError, match="cannot write"):
        KeptMeasures(Path("/proc/1/kept"), V25).put(CONTENT, RECEIPT, MEASURES)
