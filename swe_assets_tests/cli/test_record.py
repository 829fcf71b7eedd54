"""What a study's judge answered is recorded and, without the service, makes the very same records."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from swe_assets.patch_quality.sample import Sample
from swe_assets.storage.folder_objects import FolderObjects
from swe_assets.storage.records import InstanceStore
from swe_assets_tests.http_stub import Asked, Served, serving
from swe_assets_tests.patch_quality.paid_study import MAX_TOKENS, PricedJudge, paid_study
from swe_assets_tests.patch_quality.small_study import SmallStudy, small_study

KEY = "plantedKey-neverToBeSeen-0123456789"
JUDGED = ("evaluation_results", "metricas_estruturais_extraidas")
MORE = f'key = "STUB_KEY"\nlonger_max_tokens = {2 * MAX_TOKENS}\n'
REPEATS = ("--consistency-n=2", "--consistency-sample=2", "--yes")


@dataclass
class CuttingJudge(PricedJudge):
    """A judge with a key, whose very first reply is cut by its token limit."""

    def answer(self, asked: Asked) -> Served:
        """Answer as the judge does, once cut."""
        assert asked.headers["authorization"] == f"Bearer {KEY}"
        reply = super().answer(asked)
        if len(self.asked) == 1:
            assert isinstance(reply.body, dict)
            reply.body["choices"][0].update(finish_reason="length")
        return reply


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory, sample: Sample) -> SmallStudy:
    """Give a study that the service has judged, once repeated, and that is gone since."""
    judge = CuttingJudge()
    with serving(judge.answer) as (judge.url, _):
        pinned = paid_study(tmp_path_factory.mktemp("recorded home"), sample, judge, 5, MORE)
        pinned.environment["STUB_KEY"] = KEY
        pinned.call("study", "update", pinned.name, *REPEATS)
        pinned.run()
    del pinned.environment["STUB_KEY"]
    return pinned


@pytest.fixture(scope="module")
def recording(study: SmallStudy) -> Path:
    """Give the study's recording."""
    out = study.home / "out" / "priced.jsonl"
    study.call("record", study.name, "--out", str(out))
    return out


def versions(study: SmallStudy) -> dict[tuple[str, str], str]:
    """Return the data versions of what was judged, which hold status, reason and payload."""
    store = InstanceStore(FolderObjects(study.path / "store"))
    found = {name: store.headers(name, study.instances) for name in JUDGED}
    return {(name, i): head.data_version for name, heads in found.items() for i, head in heads.items()}


def test_a_replay_makes_the_same_records(study: SmallStudy, recording: Path, sample: Sample) -> None:
    """Elsewhere, with the recording under the judge's name, every record and file of judges is the same."""
    home = study.home / "elsewhere"
    home.mkdir()
    named = f'[models.priced]\nprovider = "replay"\nmodel = "{recording}"\n'
    (home / "models.toml").write_text(named, encoding="utf-8")
    again = small_study(home, sample, 5)
    again.call("study", "update", again.name, "--judge=priced", *REPEATS)
    again.run()
    assert versions(again) == versions(study) != {}
    ours, theirs = study.files(), again.files()
    for name in (*(f"{asset}.jsonl" for asset in JUDGED), "consistencia_juiz_respostas.csv"):
        assert theirs[name] == ours[name]
    assert not list((home / "calls").rglob("*.call"))


def test_what_is_printed_counts_the_answers(study: SmallStudy, recording: Path) -> None:
    """JSON on stdout counts both passes and the repeats; a cut reply stands under what was asked first."""
    told = json.loads(study.call("record", study.name, "--out", str(recording), "--force").stdout)
    rows = [json.loads(line) for line in recording.read_text("utf-8").splitlines()]
    count = len(study.instances)
    assert told["verdicts"] == told["extractions"] >= count - 2
    assert (told["model"], told["repeats"], told["missing"]) == ("priced", 2, [])
    assert told["answers"] == len(rows) == 2 * told["verdicts"] + 2
    assert sorted(row["attempts"] for row in rows)[-2:] == [1, 2]


def test_a_recording_holds_no_key_and_no_prompt(recording: Path) -> None:
    """Neither the planted key nor a line of any prompt is in it."""
    text = recording.read_text("utf-8")
    assert KEY not in text
    assert "diff --git" not in text and "FIM ISSUE" not in text


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--model", "rehearsal"), "asks no service"),
        (("--model", "openai:other"), "no answer of 'openai:other'"),
        (("--model", "nobody"), "unknown judge 'nobody'"),
    ],
)
def test_a_judge_of_whom_nothing_is_kept(
    study: SmallStudy, tmp_path: Path, more: tuple[str, ...], said: str
) -> None:
    """A judge that asks no service, was not asked or is not known is refused, and nothing is written."""
    told = study.call("record", study.name, *more, "--out", str(tmp_path / "r"), expected=2)
    assert said in told.stderr and told.stdout == ""
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_there_stays(study: SmallStudy, recording: Path) -> None:
    """Without --force a file is left as it is, and a folder always."""
    before = recording.read_bytes()
    assert "--force" in study.call("record", study.name, "--out", str(recording), expected=2).stderr
    folder = study.call("record", study.name, "--force", "--out", str(study.home), expected=2)
    assert "is a folder" in folder.stderr
    assert recording.read_bytes() == before


def test_a_study_that_is_not_there(study: SmallStudy, tmp_path: Path) -> None:
    """A name that no study has is refused with those that there are."""
    told = study.call("record", "none", "--out", str(tmp_path / "r"), expected=2).stderr
    assert "no study 'none'" in told and study.name in told


def test_a_judge_of_a_jury_is_to_be_named(study: SmallStudy, tmp_path: Path) -> None:
    """A study with two judges asks which is meant, and records the one that is named."""
    study.call("study", "update", study.name, "--judge=priced", "--judge=rehearsal", "--yes")
    try:
        out = str(tmp_path / "r")
        assert "name it by --model" in study.call("record", study.name, "--out", out, expected=2).stderr
        study.call("record", study.name, "--model=priced", "--out", out)
    finally:
        study.call("study", "update", study.name, "--judge=priced", "--yes")


def test_an_instance_that_lacks_an_answer_is_named(study: SmallStudy, tmp_path: Path) -> None:
    """Where one extraction is no longer kept, the rest is recorded and its instance named as missing."""
    calls = (study.home / "calls").rglob("*.call")
    taken = next(path for path in calls if '"purpose":"extraction"' in path.read_text("utf-8"))
    aside = taken.rename(tmp_path / "aside")
    try:
        done = study.call("record", study.name, "--out", str(tmp_path / "r"))
    finally:
        aside.rename(taken)
    told = json.loads(done.stdout)
    assert (len(told["missing"]), told["verdicts"] - told["extractions"]) == (1, 1)
    assert "1 instances lack an answer" in done.stderr
