"""A pinned study as it is loaded: from its own copies, and only while they are what was pinned."""

import subprocess
import sys
from pathlib import Path

import pytest

from swe_assets.errors import StudyError
from swe_assets.patch_quality.study import Study, instances_file, load_study, studies
from swe_assets_tests.patch_quality.study_inputs import add_demo


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Study:
    """Give a study pinned from small inputs, which are gone afterwards."""
    monkeypatch.setenv("SWE_ASSETS_HOME", str(tmp_path / "home"))
    made = add_demo(tmp_path / "given")
    for path in (tmp_path / "given").iterdir():
        path.unlink()
    return made


def test_instances_in_the_order_of_the_dataset(study: Study) -> None:
    """The partitions are the instances with a prediction and a row, in the dataset's order."""
    assert study.instances == ("o__r-1", "o__r-2", "o__r-3")
    assert instances_file("demo").read_text() == "o__r-1\no__r-2\no__r-3\n"


def test_own_copies(study: Study) -> None:
    """Patches, rows and outcomes come from the study's own copies, byte for byte."""
    assert study.predictions() == {"o__r-1": "one\r\n", "o__r-2": None, "o__r-3": "three"}
    assert study.dataset()["o__r-2"].problem_statement == "a\r\nb\u2028"
    assert study.resolved() == {"o__r-1"}
    assert study.notes["without_prediction"] == ["o__r-4"]


def test_defaults(study: Study) -> None:
    """Without a word the analyser is embedded, the judge rehearsal, and fuzz none."""
    assert (study.analyser, study.judge, study.judge_excluded, study.fuzz) == (
        "embedded",
        "rehearsal",
        True,
        0,
    )
    assert (study.mirrors_folder, dict(study.mirror_map), study.removed) == (None, {}, frozenset())


def test_reloading_is_equal(study: Study) -> None:
    """Loading twice gives equal studies, and the list of studies names it."""
    assert load_study("demo") == study
    assert studies() == ["demo"]


def test_no_such_study(study: Study) -> None:
    """A name without a study is an error that says which there are."""
    with pytest.raises(StudyError, match=r"no study 'other' .*'demo'.*swe-assets study add other"):
        load_study("other")


@pytest.mark.parametrize("text", ["o__r-2\no__r-1\no__r-3\n", "o__r-1\no__r-2\n", ""])
def test_edited_instances(study: Study, text: str) -> None:
    """A list of instances that was edited or reordered is refused with the way out."""
    instances_file("demo").write_text(text)
    with pytest.raises(StudyError, match="partitions go by its order"):
        load_study("demo")


@pytest.mark.parametrize("name", ["predictions.jsonl", "dataset.jsonl", "results.json", "notes.json"])
def test_edited_copies(study: Study, name: str) -> None:
    """A pinned copy that was edited is refused when it is read."""
    (study.path / "inputs" / name).write_text("{}\n")
    with pytest.raises(StudyError, match=rf"{name} is not what was pinned"):
        _ = (study.predictions(), study.dataset(), study.resolved(), study.notes)


@pytest.mark.parametrize("text", ["", "not toml", 'kind = "other"', "format = 1\n"])
def test_garbled_pin(study: Study, text: str) -> None:
    """A study.toml that is not of this kind is refused without a traceback."""
    (study.path / "study.toml").write_text(text)
    with pytest.raises(StudyError, match=r"study\.toml|cannot be read"):
        load_study("demo")


@pytest.mark.parametrize(("old", "new"), [('"patch_quality"', '"java"'), ("format = 1", "format = 2")])
def test_other_kind_or_format(study: Study, old: str, new: str) -> None:
    """A study of another kind or format is refused with what it is."""
    pin = study.path / "study.toml"
    pin.write_text(pin.read_text().replace(old, new))
    with pytest.raises(StudyError, match="is of kind"):
        load_study("demo")


def test_loading_is_light(study: Study) -> None:
    """Loading a study imports neither pandas, datasets nor httpx, since it happens with the definitions."""
    code = (
        "import sys; from swe_assets.patch_quality.study import load_study; load_study('demo'); "
        "print([name for name in ('pandas', 'datasets', 'httpx', 'yaml', 'dagster') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
