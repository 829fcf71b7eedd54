"""A jury and its repeats as settings of a study: pinned, read back, shown, changed and refused."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from swe_assets.cli.study_display import judges_text, jury_notes, study_record
from swe_assets.errors import ConfigurationError, StudyError
from swe_assets.llm.model_settings import ModelSettings
from swe_assets.llm.registry import model_named
from swe_assets.patch_quality.consistency_settings import Consistency
from swe_assets.patch_quality.jury_settings import MOST_JUDGES, shared_houses
from swe_assets.patch_quality.study import Study, load_study
from swe_assets.patch_quality.study_settings import StudyInputs, StudySettings, check_settings
from swe_assets.patch_quality.study_update import Change, planned_update, settings_of
from swe_assets_tests.patch_quality.study_inputs import add_demo

JURY = ("rehearsal:strict", "gemini", "rehearsal:lenient")


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Study:
    """Pin a study of the small inputs in a home of its own."""
    monkeypatch.setenv("SWE_ASSETS_HOME", str(tmp_path / "home"))
    return add_demo(tmp_path / "given")


def change(study: Study, **settings: object) -> tuple[Change, Study]:
    """Change settings of a study; return what changed, and the study read back."""
    changed = replace(settings_of(study), **settings)  # type: ignore[arg-type] # names of settings
    with planned_update(study.name, StudyInputs(), changed) as plan:
        return plan.change, plan.write()


def pinned(study: Study) -> dict[str, object]:
    """Return study.toml."""
    return tomllib.loads((study.path / "study.toml").read_text("utf-8"))


def test_one_judge_is_written_as_before(study: Study) -> None:
    """A study of one judge has `judge` in study.toml, and neither `judges` nor `consistency`."""
    written = pinned(study)
    assert written["judge"] == "rehearsal"
    assert not {"judges", "consistency"} & set(written)


def test_a_jury_is_pinned_in_its_order(study: Study) -> None:
    """A jury is written as a list and read back in the order in which it was said."""
    _, after = change(study, judges=JURY)
    written = pinned(after)
    assert (written["judges"], "judge" in written) == (list(JURY), False)
    assert (after.judges, load_study("demo").judges) == (JURY, JURY)


def test_the_way_back_to_one_judge_is_a_change(study: Study) -> None:
    """Both ways are told with what was before, and repeats that are taken out are a change too."""
    there, after = change(study, judges=JURY, consistency=Consistency(n=3))
    back, _ = change(after, judges=("rehearsal",), consistency=Consistency())
    assert (there.settings or {})["judges"] == (None, list(JURY))
    assert (there.settings or {})["judge"] == ("rehearsal", None)
    assert (back.settings or {})["judge"] == (None, "rehearsal")
    assert (back.settings or {})["consistency"][1] is None


def test_repeats_are_pinned(study: Study) -> None:
    """The table [consistency] holds all four settings and is read back equal."""
    asked = Consistency(n=5, sample=7, order=True)
    _, after = change(study, consistency=asked)
    assert pinned(after)["consistency"] == {"n": 5, "sample": 7, "order": True, "wording": False}
    assert load_study("demo").consistency == asked


@pytest.mark.parametrize("table", ["n = 1", "n = true", "sample = 0", 'order = "yes"', "often = 3"])
def test_a_strange_table_is_refused(study: Study, table: str) -> None:
    """A study.toml whose repeats make no sense is not loaded."""
    path = study.path / "study.toml"
    text = path.read_text("utf-8").replace("\n[instances]", f"\n[consistency]\n{table}\n\n[instances]")
    path.write_text(text, "utf-8")
    with pytest.raises((StudyError, ConfigurationError), match=r"consistency|often"):
        load_study("demo")


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (Consistency(), False),
        (Consistency(sample=5), False),
        (Consistency(n=2), True),
        (Consistency(order=True), True),
        (Consistency(wording=True), True),
    ],
)
def test_what_counts_as_asked(asked: Consistency, expected: bool) -> None:
    """A sample alone asks for nothing; repeats or another form do."""
    assert asked.asked is expected


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        (StudySettings(judges=()), "0 judges are named"),
        (StudySettings(judges=("rehearsal", "rehearsal")), "'rehearsal' is named twice"),
        (StudySettings(judges=tuple(f"gemini:{n}" for n in range(MOST_JUDGES + 1))), "16 judges are named"),
        (StudySettings(judges=("rehearsal", "oracle")), "unknown judge 'oracle'"),
        (StudySettings(judges=("rehearsal", " ")), "no name of a judge"),
        (StudySettings(consistency=Consistency(n=1)), "consistency.n is 1"),
        (StudySettings(consistency=Consistency(n=101)), "consistency.n is 101"),
        (StudySettings(consistency=Consistency(sample=0)), "consistency.sample is 0"),
    ],
)
def test_bad_juries_are_refused(settings: StudySettings, says: str) -> None:
    """A jury that cannot sit, or repeats that say nothing, are refused at once with the value."""
    with pytest.raises(ConfigurationError, match=says):
        check_settings(settings)


def test_judges_of_one_service_are_found() -> None:
    """Judges are grouped by provider and address; one of another service is no one's neighbour."""
    models = {name: model_named(name, ModelSettings(check=False)) for name in JURY}
    assert shared_houses(models) == {"rehearsal": ["rehearsal:strict", "rehearsal:lenient"]}
    away = model_named("gemini", ModelSettings(check=False, base_url="https://example.org/"))
    assert shared_houses({"here": models["gemini"], "away": away}) == {}


def test_a_jury_is_shown(study: Study) -> None:
    """`study show` tells the judges, the repeats, and which of them one service answers for."""
    _, after = change(study, judges=JURY, consistency=Consistency(n=3, wording=True))
    assert judges_text(after) == (
        f"jury of 3: {', '.join(JURY)}; consistency of 20 instances (3 times, wording)"
    )
    (note,) = jury_notes(after)
    assert note.startswith("rehearsal:strict, rehearsal:lenient are of one service, rehearsal")
    record = study_record(after)
    assert (record["judges"], record["consistency"]["n"]) == (JURY, 3)
