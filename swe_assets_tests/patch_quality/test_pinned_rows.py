"""Rows read by an index are those of the whole file, and an edited file is found out."""

from pathlib import Path

import pytest

from swe_assets.errors import StudyError
from swe_assets.patch_quality.pinned_rows import dataset_rows, prediction_rows
from swe_assets.patch_quality.study import Study, load_study
from swe_assets.patch_quality.study_update import planned_update
from swe_assets_tests.patch_quality.study_inputs import add_demo, write_inputs


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Study:
    """Pin a study of four small instances."""
    monkeypatch.setenv("SWE_ASSETS_HOME", str(tmp_path))
    return add_demo(tmp_path / "inputs")


def test_same_rows(study: Study) -> None:
    """Every row, their order and their number are those of the whole file, nulls and odd ends included."""
    patches, rows = prediction_rows(study, 0), dataset_rows(study, 0)
    assert dict(patches) == study.predictions() and list(patches) == list(study.predictions())
    assert dict(rows) == study.dataset() and len(rows) == len(study.dataset())
    assert "o__r-1" in patches and "nobody" not in patches
    with pytest.raises(KeyError):
        patches["nobody"]


def test_small_files_need_no_index(study: Study) -> None:
    """A file below the limit is read whole, and nothing is written beside it."""
    assert isinstance(prediction_rows(study), dict)
    assert not list((study.path / "inputs").glob(".*index*"))


def test_edited_before(study: Study) -> None:
    """A file that was edited before it was indexed is refused, and no index is left."""
    path = study.path / "inputs" / "predictions.jsonl"
    path.write_bytes(path.read_bytes().replace(b"three", b"thrEe"))
    with pytest.raises(StudyError, match="not what was pinned"):
        prediction_rows(study, 0)["o__r-3"]
    assert not list((study.path / "inputs").glob("*.index"))


def test_edited_after(study: Study) -> None:
    """A file that is edited once it was indexed is refused at the line that changed."""
    rows = prediction_rows(study, 0)
    assert rows["o__r-3"] == "three"
    path = study.path / "inputs" / "predictions.jsonl"
    path.write_bytes(path.read_bytes().replace(b"three", b"thrEe"))
    with pytest.raises(StudyError, match="not what was pinned"):
        prediction_rows(study, 0)["o__r-3"]
    assert prediction_rows(study, 0)["o__r-2"] is None


def test_update_makes_a_new_index(study: Study, tmp_path: Path) -> None:
    """After an update the rows are the new ones, and the old index is gone."""
    assert prediction_rows(study, 0)["o__r-3"] == "three"
    inputs = write_inputs(tmp_path / "new", patches={"o__r-3": "four", "o__r-1": "x", "o__r-2": None})
    with planned_update(study.name, inputs) as plan:
        plan.write()
    assert prediction_rows(load_study(study.name), 0)["o__r-3"] == "four"
    assert len(list((study.path / "inputs").glob(".predictions-*.index"))) == 1
