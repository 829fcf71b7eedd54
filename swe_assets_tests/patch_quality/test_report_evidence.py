"""A study's report: every pinned instance in it, made again by verify, and compared with another study."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from swe_assets.patch_quality import compared
from swe_assets.patch_quality.analysis.evidence_files import read_evidence
from swe_assets.patch_quality.analysis.verify import verify_folder
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.compared import submission_of_study
from swe_assets.patch_quality.report_evidence import evidence_of
from swe_assets.patch_quality.sample import Sample
from swe_assets.reporting.folder import read_analysis
from swe_assets.reporting.tables import Analysis
from swe_assets_tests.patch_quality.small_study import SmallStudy, small_study


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory, sample: Sample) -> SmallStudy:
    """Give a small study that ran to its end."""
    study = small_study(tmp_path_factory.mktemp("report home"), sample, 24)
    study.run(expected=None)
    return study


@pytest.fixture
def analysis(finished: SmallStudy) -> Analysis:
    """Return the analysis that the run left."""
    return read_analysis(finished.path / "results")


def test_every_pinned_instance_is_in_it(finished: SmallStudy, analysis: Analysis) -> None:
    """The flow starts at the pinned instances and each has a row, in the pinned order."""
    flow = analysis.tables["flow"].records()
    assert flow[0]["n"] == len(finished.instances)
    assert list(analysis.tables["instances"].column("instance_id")) == finished.instances


def test_places_are_the_accounts(finished: SmallStudy, analysis: Analysis) -> None:
    """An instance's place and reason are those of contabilidade.csv, and the flow's last row the matrix."""
    lines = (finished.path / "results" / "contabilidade.csv").read_text("utf-8").splitlines()[1:]
    places = [line.split(",")[1] for line in lines]
    assert list(analysis.tables["instances"].column("place")) == places
    assert analysis.tables["flow"].records()[-1]["n"] == places.count("in_matrix")


def test_written_evidence_is_the_studys(finished: SmallStudy, monkeypatch: pytest.MonkeyPatch) -> None:
    """What lies beside the report is the evidence that the records give now."""
    monkeypatch.setenv("SWE_ASSETS_HOME", str(finished.home))
    found, changed = read_evidence(finished.path / "results")
    told = evidence_of(PatchBench.open(finished.name))
    assert not changed and (found.lines, found.judgements) == (told.lines, told.judgements)
    assert found.texts == told.texts and found.provenance == told.provenance


def test_findings_on_the_judges_are_checked_and_marked(finished: SmallStudy, analysis: Analysis) -> None:
    """They come from the assets' tables, in both languages, led by the mark; a changed table is named."""
    rows = analysis.tables["judge_findings"].records()
    assert [row["table"] for row in rows] == ["acordo_juizes_juri", "qualidade_juiz", "consistencia_juiz"]
    assert rows[1]["en"].startswith("[REHEARSAL: ") and rows[1]["pt"].startswith("[ENSAIO: ")
    path = finished.path / "results" / "qualidade_juiz.json"
    kept = path.read_text("utf-8")
    path.write_text(kept.replace("Qualidade do juiz", "Outra", 1), "utf-8")
    found = verify_folder(path.parent)
    path.write_text(kept, "utf-8")
    assert verify_folder(path.parent).same and found.differences[0].startswith("input 'qualidade_juiz.json'")


def test_rehearsal_is_marked(analysis: Analysis) -> None:
    """Tables on the rehearsal's ratings bear its mark, and each sentence on one begins with it."""
    assert "rehearsal" in analysis.tables["judge_tests"].marks
    told = [row["en"] for row in analysis.tables["findings"].records() if row["table"] == "judge_tests"]
    assert told and all(text.startswith("[REHEARSAL") for text in told)


def test_manifest_has_no_path_of_this_machine(finished: SmallStudy, analysis: Analysis) -> None:
    """The manifest names inputs with sha256 and the judge, and no folder of this machine."""
    text = json.dumps(analysis.manifest)
    assert str(finished.home) not in text and "sha256" in text and "rehearsal" in text


def test_verify_and_compare(finished: SmallStudy, tmp_path: Path) -> None:
    """Verify says the same (0), then what differs (1); compare takes a pinned study by its name."""
    results = finished.path / "results"
    assert json.loads(finished.call("verify", str(results)).stdout)["same"] is True
    out = tmp_path / "compared"
    outcomes = tmp_path / "other.csv"
    outcomes.write_text("instance_id,pass@1\n" + "".join(f"{key},1\n" for key in finished.instances))
    record = json.loads(finished.call("compare", finished.name, str(outcomes), "--out", str(out)).stdout)
    assert record["comparison"][0]["n"] == len(finished.instances)
    (out / "tables" / "comparison.csv").write_text("x")
    (line,) = json.loads(finished.call("verify", str(out), expected=1).stdout)["differences"]
    assert line.startswith("file 'tables/comparison.csv'")


def test_compare_says_why_a_studys_report_is_stale(
    finished: SmallStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pinned study's own files are its inputs; a report of other inputs is named, a lost one not."""
    monkeypatch.setenv("SWE_ASSETS_HOME", str(finished.home))
    fresh = submission_of_study("mine", finished.name)
    assert fresh.name == "mine" and not fresh.changed and "matriz_consolidada.csv" in fresh.inputs
    page = finished.path / "results" / "report.html"
    page.rename(page.with_suffix(".kept"))
    assert submission_of_study("", finished.name).changed == ()
    page.with_suffix(".kept").rename(page)
    newer = tuple(replace(summary, code="another") for summary in compared.SUMMARIES)
    monkeypatch.setattr(compared, "SUMMARIES", newer)
    stale = submission_of_study("", finished.name)
    assert [why.split(":")[0] for why in stale.changed] == [summary.name for summary in newer]
    assert "matriz_consolidada.csv" not in stale.inputs
