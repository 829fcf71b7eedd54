"""Updating a study: the change is known first, the order of instances stays, nothing is half-written."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from swe_assets.errors import InputError, StudyError
from swe_assets.patch_quality.study import Study, load_study
from swe_assets.patch_quality.study_add import add_study
from swe_assets.patch_quality.study_folder import built_beside, no_run
from swe_assets.patch_quality.study_settings import StudyInputs
from swe_assets.patch_quality.study_update import Change, planned_update, settings_of
from swe_assets_tests.patch_quality.study_inputs import PATCHES, add_demo, write_inputs


@pytest.fixture(autouse=True)
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Study:
    """Give a study pinned from small inputs in the folder `given`."""
    monkeypatch.setenv("SWE_ASSETS_HOME", str(tmp_path / "home"))
    return add_demo(tmp_path / "given")


def update(inputs: StudyInputs | None = None) -> tuple[Change, Study]:
    """Plan an update and write it; return the change and the study."""
    with planned_update("demo", inputs or StudyInputs()) as plan:
        return plan.change, plan.write()


def files_of(study: Study) -> dict[str, bytes]:
    """Return every file of a study by its place."""
    paths = [path for path in study.path.rglob("*") if path.is_file() and path.name != ".run.lock"]
    return {str(path.relative_to(study.path)): path.read_bytes() for path in paths}


def test_nothing_changes(study: Study) -> None:
    """Inputs that are as they were change nothing."""
    with planned_update("demo", StudyInputs()) as plan:
        assert plan.change.is_empty
    assert load_study("demo") == study


def test_one_patch_changes(tmp_path: Path, study: Study) -> None:
    """One changed prediction is the only change, and the instances stay where they are."""
    write_inputs(tmp_path / "given", patches={**PATCHES, "o__r-2": ""})
    change, after = update()
    assert (change.patch_changed, change.added, change.outcome_changed) == (("o__r-2",), (), ())
    assert after.instances == study.instances
    assert after.predictions() == {**PATCHES, "o__r-2": ""}


def test_outcome_and_row_change(tmp_path: Path) -> None:
    """A changed outcome and changed dataset rows are told apart from changed patches."""
    write_inputs(tmp_path / "given", resolved=["o__r-3"], statement="other")
    change, after = update()
    assert change.outcome_changed == ("o__r-1", "o__r-3")
    assert change.dataset_changed == after.instances
    assert change.patch_changed == ()
    assert after.resolved() == {"o__r-3"}


def test_added_ids_are_appended(tmp_path: Path) -> None:
    """A new id comes last even where the dataset has it first."""
    write_inputs(
        tmp_path / "given", ids=["o__r-0", "o__r-1", "o__r-2", "o__r-3"], patches={**PATCHES, "o__r-0": "n"}
    )
    change, after = update()
    assert (change.added, after.instances) == (("o__r-0",), ("o__r-1", "o__r-2", "o__r-3", "o__r-0"))
    assert list(after.dataset()) == list(after.instances)


def test_removed_ids_are_remembered_and_come_back_last(tmp_path: Path) -> None:
    """A removed id leaves the list and is remembered; when it comes back it is appended."""
    write_inputs(tmp_path / "given", patches={"o__r-2": None, "o__r-3": "three"})
    change, after = update()
    assert (change.removed, after.instances) == (("o__r-1",), ("o__r-2", "o__r-3"))
    assert after.removed == {"o__r-1"}
    write_inputs(tmp_path / "given")
    change, after = update()
    assert (change.added, change.returned) == (("o__r-1",), ("o__r-1",))
    assert (after.instances, after.removed) == (("o__r-2", "o__r-3", "o__r-1"), frozenset())


def test_records_stay(tmp_path: Path, study: Study) -> None:
    """What else lies in the study's folder is not touched."""
    (study.path / "store").mkdir()
    (study.path / "store" / "o__r-1.json").write_text("{}")
    write_inputs(tmp_path / "given", patches={"o__r-2": "x"})
    update()
    assert (study.path / "store" / "o__r-1.json").read_text() == "{}"
    assert not list(study.path.glob(".update*"))


def test_planning_writes_nothing(tmp_path: Path, study: Study) -> None:
    """Looking at a change leaves every file as it was."""
    before = files_of(study)
    write_inputs(tmp_path / "given", patches={"o__r-2": "x"})
    with planned_update("demo", StudyInputs()) as plan:
        assert plan.change.removed == ("o__r-1", "o__r-3")
    assert files_of(study) == before


def test_new_source_alone(tmp_path: Path) -> None:
    """A new source for one input leaves the others where they were, and is recorded."""
    other = write_inputs(tmp_path / "other", patches={**PATCHES, "o__r-1": "changed"})
    change, after = update(StudyInputs(predictions=other.predictions))
    assert (change.patch_changed, list(change.sources or {})) == (("o__r-1",), ["predictions"])
    assert after.sources["predictions"]["location"] == other.predictions
    assert after.sources["dataset"]["location"] == str(tmp_path / "given" / "dataset.json")


def test_settings_alone(tmp_path: Path, study: Study) -> None:
    """An update of settings alone reads no input, so that they may be gone."""
    for path in (tmp_path / "given").iterdir():
        path.unlink()
    with planned_update("demo", StudyInputs(), replace(settings_of(study), judges=("gemini",))) as plan:
        assert dict(plan.change.settings or {}) == {"judge": ("rehearsal", "gemini")}
        after = plan.write()
    assert (after.judge, after.predictions()) == ("gemini", study.predictions())
    with pytest.raises(InputError, match="no such file"):
        update()


def test_submission_again(tmp_path: Path) -> None:
    """A study pinned from a submission is read again from it, with its block of results."""
    folder = tmp_path / "sub"
    inputs = write_inputs(folder)
    (folder / "preds.jsonl").rename(folder / "all_preds.jsonl")
    (folder / "results.json").write_text(json.dumps({"x": {"resolved": ["o__r-1"]}, "y": {"resolved": []}}))
    add_study("sub", StudyInputs(submission=str(folder), dataset=inputs.dataset, results_key="x"))
    (folder / "results.json").write_text(json.dumps({"x": {"resolved": ["o__r-2"]}, "y": {"resolved": []}}))
    with planned_update("sub", StudyInputs()) as plan:
        assert plan.change.outcome_changed == ("o__r-1", "o__r-2")


def test_during_a_run(tmp_path: Path, study: Study) -> None:
    """While a run holds the study an update is refused and changes nothing."""
    write_inputs(tmp_path / "given", patches={"o__r-2": "x"})
    with no_run(study.path), pytest.raises(StudyError, match="being run or updated"):
        update()
    assert load_study("demo") == study


def test_after_another_update(tmp_path: Path) -> None:
    """An update planned before another one was written is refused."""
    write_inputs(tmp_path / "given", patches={"o__r-2": "x"})
    with planned_update("demo", StudyInputs()) as late:
        update()
        with pytest.raises(StudyError, match="changed meanwhile"):
            late.write()


def test_stale_study_is_told(tmp_path: Path, study: Study) -> None:
    """A study loaded before an update does not mix with the inputs after it."""
    write_inputs(tmp_path / "given", patches={"o__r-2": "x"})
    update()
    with pytest.raises(StudyError, match="if the study was updated meanwhile, start again"):
        study.predictions()


KILLED = """
import os, pathlib, sys
from swe_assets.patch_quality import study_folder
from swe_assets.patch_quality.study_settings import StudyInputs
from swe_assets.patch_quality.study_update import planned_update
left = int(sys.argv[1])
def counted(real):
    def step(*given, **named):
        global left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), 9)
        return real(*given, **named)
    return step
pathlib.Path.replace, pathlib.Path.rename = counted(pathlib.Path.replace), counted(pathlib.Path.rename)
study_folder.shutil.rmtree = counted(study_folder.shutil.rmtree)
with planned_update("demo", StudyInputs()) as plan:
    plan.write()
"""


@pytest.mark.parametrize("steps", range(9))
def test_kill_at_any_step(tmp_path: Path, study: Study, steps: int) -> None:
    """A process killed between any two moves leaves the study as it was, or as it was to become."""
    before = study.predictions()
    write_inputs(tmp_path / "given", patches={"o__r-2": "x", "o__r-4": "new"}, resolved=["o__r-4"])
    done = subprocess.run([sys.executable, "-c", KILLED, str(steps)], check=False)
    assert done.returncode == -9
    found = load_study("demo")
    after = {"o__r-2": "x", "o__r-4": "new"}
    assert found.predictions() == (after if steps > 1 else before)
    assert set(found.dataset()) == set(found.instances) == set(found.predictions())
    assert found.resolved() <= set(found.instances)
    assert not (study.path / ".update").exists()
    with built_beside(study.path, "update"):
        assert len(list(study.path.glob(".update*"))) == 1
