"""Pinning a study: what goes in, what is refused, and that nothing half-made stays."""

import json
import os
import resource
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from swe_assets.errors import ConfigurationError, InputError, MirrorError, StudyError
from swe_assets.patch_quality import study_folder
from swe_assets.patch_quality.study import load_study, studies
from swe_assets.patch_quality.study_add import add_study
from swe_assets.patch_quality.study_settings import StudyInputs, StudySettings, check_settings, mirror_entry
from swe_assets_tests.patch_quality.study_inputs import IDS, add_demo, write_inputs
from swe_assets_tests.shared_data import shared


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a home for studies of its own."""
    monkeypatch.setenv("SWE_ASSETS_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_what_is_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """study.toml says of each input where it came from, as given and absolute, its sha256 and its count."""
    write_inputs(tmp_path / "given")
    monkeypatch.chdir(tmp_path / "given")
    study = add_study(
        "demo", StudyInputs(predictions="preds.jsonl", results="results.json", dataset="dataset.json")
    )
    pin = tomllib.loads((study.path / "study.toml").read_text())
    record = pin["sources"]["predictions"]
    assert (record["given"], record["location"]) == ("preds.jsonl", str(tmp_path / "given" / "preds.jsonl"))
    assert (record["form"], record["count"], len(record["sha256"])) == ("JSON lines", 3, 64)
    assert pin["sources"]["dataset"]["count"] == 4


def test_everything_left_out_is_listed(tmp_path: Path) -> None:
    """Ids that one input has and another has not are listed, with a hint where one is near."""
    patches = {"o__r-1": "x", "O_R_2": "y", "z/../z": "w"}
    inputs = write_inputs(tmp_path, patches=patches, resolved=["o__r-1", "o__r-4"])
    notes = add_study("demo", inputs).notes
    assert notes["not_in_dataset"] == ["O_R_2", "z/../z"]
    assert notes["hints"] == {"O_R_2": "o__r-2"}
    assert notes["without_prediction"] == ["o__r-2", "o__r-3", "o__r-4"]
    assert notes["results_not_in_predictions"] == ["o__r-4"]


def test_surrogates_survive_pinning(tmp_path: Path) -> None:
    """A patch with a lone surrogate comes back from the study's copy as it was."""
    assert add_study("demo", write_inputs(tmp_path, patches={"o__r-1": "\ud800"})).predictions() == {
        "o__r-1": "\ud800"
    }


def test_name_taken(tmp_path: Path) -> None:
    """A name that is taken is refused with the way out, and the study stays as it is."""
    before = add_demo(tmp_path)
    with pytest.raises(StudyError, match=r"there already: .*study update demo"):
        add_demo(tmp_path)
    assert load_study("demo") == before


@pytest.mark.parametrize("bad_id", ["a/b", "../x", "a\0b", "x" * 300, "a...b"])
def test_hostile_ids(tmp_path: Path, home: Path, bad_id: str) -> None:
    """An instance whose id would leave its folder is refused by name, and nothing is written anywhere."""
    inputs = write_inputs(tmp_path / "given", ids=[*IDS, bad_id], patches={bad_id: "x", "o__r-1": "y"})
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(StudyError, match="can be no partitions"):
        add_study("demo", inputs)
    assert list((home / "studies").iterdir()) == []
    assert [
        path for path in sorted(tmp_path.rglob("*")) if home not in path.parents and path != home
    ] == before


def test_nothing_to_pin(tmp_path: Path) -> None:
    """Predictions for none of the dataset's instances are an error that shows both."""
    with pytest.raises(StudyError, match=r"predictions are for 'other__x-1', the dataset has 'o__r-1'"):
        add_study("demo", write_inputs(tmp_path, patches={"other__x-1": "x"}))


@pytest.mark.parametrize("name", ["predictions", "results", "dataset"])
def test_missing_option(tmp_path: Path, name: str) -> None:
    """An input that nothing gives is an error that names its option."""
    with pytest.raises(StudyError, match=f"no {name} given: add --{name}"):
        add_study("demo", replace(write_inputs(tmp_path), **{name: None}))


def test_failing_input_leaves_nothing(tmp_path: Path, home: Path) -> None:
    """An input that fails late leaves no folder behind."""
    inputs = write_inputs(tmp_path / "given")
    (tmp_path / "given" / "results.json").write_text('{"resolved": ["a",]}')
    with pytest.raises(InputError, match="line 1 column"):
        add_study("demo", inputs)
    assert list((home / "studies").iterdir()) == []


STEPS = ("pin_inputs", "write_pin", "write_study", "publish")
KILLED = """
import os, sys
from swe_assets.patch_quality import study_add
from swe_assets.patch_quality.study_settings import StudyInputs
real = getattr(study_add, sys.argv[1])
def last(*given, **named):
    if sys.argv[2] == "after":
        real(*given, **named)
    os.kill(os.getpid(), 9)
setattr(study_add, sys.argv[1], last)
study_add.add_study("demo", StudyInputs(predictions=sys.argv[3], results=sys.argv[4], dataset=sys.argv[5]))
"""


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("when", ["before", "after"])
def test_kill_leaves_no_half_study(tmp_path: Path, home: Path, step: str, when: str) -> None:
    """A process killed at any step leaves either no study or a whole one, and the next add clears up."""
    inputs = write_inputs(tmp_path / "given")
    given = [str(inputs.predictions), str(inputs.results), str(inputs.dataset)]
    done = subprocess.run([sys.executable, "-c", KILLED, step, when, *given], check=False)
    assert done.returncode == -9
    whole = (step, when) == ("publish", "after")
    assert studies() == (["demo"] if whole else [])
    if not whole:
        add_study("demo", inputs)
    assert len(load_study("demo").predictions()) == 3
    assert [path.name for path in (home / "studies").iterdir()] == ["demo"]


def test_living_builder_is_left_alone(tmp_path: Path) -> None:
    """Another process that is building a study of the same name keeps its folder."""
    with (
        study_folder.built_beside(tmp_path, "demo") as first,
        study_folder.built_beside(tmp_path, "demo") as second,
    ):
        assert first.is_dir()
        assert first != second
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_unwritable_home(tmp_path: Path, home: Path) -> None:
    """As a user who may not write there the error says where, why and what to do; nothing is written."""
    inputs = write_inputs(tmp_path / "given")
    (home / "studies").mkdir(parents=True)
    _let_all_read(tmp_path)
    message = _in_child(_become_nobody, lambda: add_study("demo", inputs))
    assert message.startswith(f"StudyError: cannot write in {str(home / 'studies')!r}: Permission denied")
    assert "SWE_ASSETS_HOME" in message
    assert list((home / "studies").iterdir()) == []


def test_full_disk(tmp_path: Path, home: Path) -> None:
    """Where a file cannot grow the error says so, and no folder stays behind."""
    inputs = write_inputs(tmp_path / "given", statement="x" * 10_000)
    message = _in_child(
        lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000)), lambda: add_study("demo", inputs)
    )
    assert message.startswith(f"StudyError: cannot write in {str(home / 'studies')!r}: File too large")
    assert list((home / "studies").iterdir()) == []


def _let_all_read(folder: Path) -> None:
    """Open a folder of ours and those above it to everybody's eyes."""
    for path in [folder, *folder.parents]:
        if path.stat().st_uid == 0 and path != Path("/"):
            path.chmod(path.stat().st_mode | 0o055)


def _become_nobody() -> None:
    """Give up root for good."""
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)


def _in_child(prepare: Callable[[], object], act: Callable[[], object]) -> str:
    """Run both functions in a child process; return "ErrorKind: message" of what the second raised."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        prepare()
        try:
            act()
        except Exception as wrong:
            os.write(writing, f"{type(wrong).__name__}: {wrong}".encode())
        os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    with os.fdopen(reading) as said:
        return said.read()


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        (StudySettings(judges=("oracle",)), "unknown judge 'oracle'"),
        (StudySettings(analyser="a\nb"), "no name of an analyser"),
        (StudySettings(fuzz=9), "fuzz is 9"),
        (StudySettings(max_patch_bytes=0), "max_patch_bytes is 0"),
        (StudySettings(mirrors_folder=Path("/\udcff")), "not UTF-8"),
    ],
)
def test_bad_settings(settings: StudySettings, says: str) -> None:
    """A setting that no run could use is refused at once."""
    with pytest.raises(ConfigurationError, match=says):
        check_settings(settings)


def test_mirror_entries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mirror's path is stored absolute, its URL as it is."""
    monkeypatch.chdir(tmp_path)
    assert mirror_entry("pallets/flask=flask.git") == ("pallets/flask", str(tmp_path / "flask.git"))
    assert mirror_entry("o/r=https://h/o/r.git") == ("o/r", "https://h/o/r.git")
    assert mirror_entry("o/r=git@h:o/r.git") == ("o/r", "git@h:o/r.git")


@pytest.mark.parametrize(
    "given", ["flask", "o/r=https://token@h/r", "o/r=ext::sh -c x", "o/r=http://h/r", "../x=/y"]
)
def test_bad_mirrors(given: str) -> None:
    """A mirror with credentials, of another scheme, or for no repository is refused, its secret unsaid."""
    with pytest.raises((ConfigurationError, MirrorError)) as raised:
        mirror_entry(given)
    assert "token@" not in str(raised.value)


def test_submission_folder(tmp_path: Path) -> None:
    """A submission's folder gives predictions, results and metadata; the dataset is said beside it."""
    inputs = write_inputs(tmp_path / "given")
    folder = tmp_path / "mine" / "20990101_demo"
    (folder / "results").mkdir(parents=True)
    (tmp_path / "given" / "preds.jsonl").rename(folder / "all_preds.jsonl")
    (tmp_path / "given" / "results.json").rename(folder / "results" / "results.json")
    (folder / "metadata.yaml").write_text("name: Demo\nsite: 'x\"\\ny'\n")
    study = add_study("demo", StudyInputs(submission=str(folder), dataset=inputs.dataset))
    assert study.metadata == {"name": "Demo", "site": 'x"\\ny'}
    assert study.submission["name"] == "20990101_demo"
    with pytest.raises(StudyError, match="does not say its dataset"):
        add_study("other", StudyInputs(submission=str(folder)))


@pytest.mark.parametrize(
    ("name", "key", "pinned", "resolved"),
    [("polydev_hybrid_haiku45", "hybrid", 500, 373), ("vexp_claude_opus45_100", None, 100, 73)],
)
def test_real_submissions(name: str, key: str | None, pinned: int, resolved: int) -> None:
    """A real submission is pinned with the numbers that its publisher says."""
    folder = str(shared("data", "swebench", "submissions", name))
    dataset = str(shared("data", "swebench", "verified_500.jsonl.gz"))
    study = add_study("real", StudyInputs(submission=folder, dataset=dataset, results_key=key))
    assert (len(study.instances), len(study.resolved())) == (pinned, resolved)
    assert study.notes["results_not_in_predictions"] == []


def test_real_submission_without_results(tmp_path: Path) -> None:
    """A real submission without results takes them from elsewhere, and what does not match is listed."""
    folder = str(shared("data", "swebench", "submissions", "kat_coder_16gb_50"))
    dataset = str(shared("data", "swebench", "verified_500.jsonl.gz"))
    (tmp_path / "r.json").write_text(json.dumps(["django__django-14672", "nobody__here-1"]))
    study = add_study(
        "kat", StudyInputs(submission=folder, dataset=dataset, results=str(tmp_path / "r.json"))
    )
    assert study.resolved() == {"django__django-14672"}
    assert study.notes["results_not_in_predictions"] == ["nobody__here-1"]


def test_pinning_is_linear(tmp_path: Path) -> None:
    """Ten times the instances take no more than some twenty times as long."""
    seconds = []
    for number in (1_000, 10_000):
        ids = [f"o__r-{index}" for index in range(number)]
        inputs = write_inputs(tmp_path / str(number), ids=ids, patches=dict.fromkeys(ids, "x"), resolved=ids)
        begun = time.process_time()
        assert len(add_study(f"s{number}", inputs).instances) == number
        seconds.append(time.process_time() - begun)
    assert seconds[1] < 20 * max(seconds[0], 0.02)
