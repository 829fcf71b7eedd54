"""The whole analysis: its files, their bytes, and what happens when they cannot be written."""

import os
import unicodedata
from pathlib import Path

import pytest

from swe_assets.errors import MatrixError, StoreError
from swe_assets.patch_quality.analysis.evidence import Settings
from swe_assets.patch_quality.analysis.files import PUBLISHED as NAMES
from swe_assets.patch_quality.analysis.whole import analyse_matrix
from swe_assets_tests.patch_quality.analysis.matrices import frame, labelled, separated

FEW = Settings(draws=200, permutations=200)


def contents(folder: Path) -> dict[str, bytes]:
    """Return a folder's files by name, those of folders below it too."""
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


@pytest.mark.parametrize("make", [labelled, separated])
def test_same_input_same_bytes(make: object, tmp_path: Path) -> None:
    """Two analyses of one matrix leave the same files, byte for byte, and none that is not told of."""
    for name in ("one", "two"):
        found = analyse_matrix(make(), tmp_path / name, settings=FEW)  # type: ignore[operator] # a maker
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    told = {str(path.relative_to(tmp_path / "two")) for path in found.files}
    assert set(contents(tmp_path / "one")) == told >= set(NAMES)


def test_rows_in_another_order_give_the_same_correlations(tmp_path: Path) -> None:
    """The order of rows does not change a digit of the correlation files."""
    analyse_matrix(frame(60), tmp_path / "one", settings=FEW)
    analyse_matrix(frame(60).sample(frac=1, random_state=3), tmp_path / "two", settings=FEW)
    one, two = contents(tmp_path / "one"), contents(tmp_path / "two")
    for name in NAMES[:2]:
        assert one[name] == two[name]


def test_files_are_named_and_there(tmp_path: Path) -> None:
    """The analysis names the files it wrote, their names composed (NFC)."""
    found = analyse_matrix(frame(60), tmp_path / "new" / "folder", settings=FEW)
    assert [path.name for path in found.files][: len(NAMES)] == list(NAMES)
    assert all(path.is_file() and unicodedata.is_normalized("NFC", path.name) for path in found.files)


def test_record_has_the_headline_numbers(tmp_path: Path) -> None:
    """The record holds sample, labels, strongest pairs and the fit."""
    record = analyse_matrix(labelled(), tmp_path, settings=FEW).record()
    assert (record["n"], len(record["labels"]), len(record["strongest"])) == (160, 2, 5)
    assert record["with_pass@1"][0]["a"] == "pass@1"
    assert record["logit"]["converged"] is True


def test_texts_that_no_encoding_holds(tmp_path: Path) -> None:
    """A title and a stand-in with lone surrogates are escaped in every file."""
    found = analyse_matrix(frame(60), tmp_path, title="a\udcff", stand_in="b\ud800", settings=FEW)
    texts = [path.read_text("utf-8") for path in found.files if path.suffix in {".html", ".txt"}]
    assert len(texts) == 2 and all("\\ud" in text or "⟨U+DCFF⟩" in text for text in texts)
    assert "b\\ud800" in (tmp_path / "normality.csv").read_text("utf-8")


def test_unusable_matrix_writes_nothing(tmp_path: Path) -> None:
    """A matrix that is refused leaves no file behind."""
    with pytest.raises(MatrixError):
        analyse_matrix(frame().drop(columns="ncloc"), tmp_path / "out", settings=FEW)
    assert not (tmp_path / "out").exists()


def test_existing_link_is_replaced_not_followed(tmp_path: Path) -> None:
    """A link in a file's place is replaced; what it points at is untouched."""
    outside = tmp_path / "outside.txt"
    outside.write_text("mine")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "fit.json").symlink_to(outside)
    analyse_matrix(frame(60), tmp_path / "out", settings=FEW)
    assert outside.read_text() == "mine" and not (tmp_path / "out" / "fit.json").is_symlink()


def test_folder_that_cannot_be_made(tmp_path: Path) -> None:
    """A file in the folder's place is an error that names it."""
    (tmp_path / "out").write_text("x")
    with pytest.raises(StoreError, match="cannot write"):
        analyse_matrix(frame(60), tmp_path / "out", settings=FEW)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_unwritable_folder(tmp_path: Path) -> None:
    """A folder without write permission is an error that names the file."""
    tmp_path.chmod(0o500)
    with pytest.raises(StoreError, match="cannot write"):
        analyse_matrix(frame(60), tmp_path, settings=FEW)
