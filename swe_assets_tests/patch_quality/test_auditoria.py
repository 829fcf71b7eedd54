"""The audit of a study: drawn, filled in, returned and compared, through the command line."""

import json
from pathlib import Path

import pytest

from swe_assets.errors import AuditError, InputError
from swe_assets.patch_quality.auditoria_itens import FORM
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.sample import Sample
from swe_assets_tests.judging.audit_pages import fill, opened, saved
from swe_assets_tests.patch_quality.audit_case import (
    JUDGES,
    as_excel,
    draw,
    filled,
    give_back,
    jury_study,
    rows_of,
    written,
)
from swe_assets_tests.patch_quality.small_study import SmallStudy

SCORES = {scale.column: "" for scale in FORM.scales}
SHEET, PAGE = "results/auditoria/auditoria.csv", "results/auditoria/auditoria.html"
SECRETS = ("rehearsal", "pass@1", "afirmado no parecer", "os testes")


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory, sample: Sample) -> SmallStudy:
    """Give a study that three judges judged."""
    return jury_study(tmp_path_factory.mktemp("audit home"), sample)


@pytest.fixture
def bench(study: SmallStudy, monkeypatch: pytest.MonkeyPatch) -> PatchBench:
    """Open the study's bench in this process."""
    monkeypatch.setenv("SWE_ASSETS_HOME", str(study.home))
    return PatchBench.open(study.name)


def report(study: SmallStudy, name: str) -> str:
    """Return one of the audit's files."""
    return (study.path / "results/auditoria" / name).read_text(encoding="utf-8-sig")


def test_run_draws_a_tenth(study: SmallStudy) -> None:
    """A run draws a tenth, rounded up, of the judged instances, and lists no agreement yet."""
    rows = rows_of(study.path / SHEET)
    assert len(rows) == -(-len(study.instances) // 10)
    assert "Nenhuma planilha" in (report(study, "concordancia.md"))


def test_settings_of_a_draw_stay(study: SmallStudy) -> None:
    """A larger share begins with the smaller sample, and what is not said stays as it was last drawn."""
    small = draw(study, "--share=0.1", "--seed=3", "--simple", "--open")
    large = draw(study, "--share=0.5", "--auditor=Ana")
    assert large["instances"][: small["drawn"]] == small["instances"] and large["seed"] == 3
    assert large["drawn"] == -(-large["population"] // 2)
    assert 'value="Ana"' in (study.path / PAGE).read_text("utf-8")
    assert draw(study, "--seed=4")["share_asked"] == "0.5"


def test_strata(study: SmallStudy) -> None:
    """A stratified draw takes its share of each verdict and outcome, one at least."""
    found = draw(study, "--stratified", "--share=0.1", "--seed=0")
    counts = [tuple(map(int, told.split(" of "))) for told in found["strata"].values()]
    assert len(counts) > 1 and all(drawn == -(-of // 10) for drawn, of in counts)
    assert sum(drawn for drawn, _of in counts) == found["drawn"]


def test_blind_files_tell_no_score(study: SmallStudy) -> None:
    """Blind, neither file names a judge, a score, its words or the tests' outcome; open, both do."""
    for option, there in ("--blind", False), ("--open", True):
        draw(study, option, "--simple", "--share=0.3")
        for file in (SHEET, PAGE):
            text = (study.path / file).read_text("utf-8-sig").replace("ENSAIO / rehearsal", "")
            assert [word in text for word in SECRETS] == [there] * 4, file


def test_sheet_holds_everything(study: SmallStudy, bench: PatchBench) -> None:
    """An open sheet has issue, patch, each judge's reasoning and scores, and the jury's own."""
    draw(study, "--open", "--share=0.3")
    for row in rows_of(study.path / SHEET):
        verdict = bench.store.need("evaluation_results", row["instance_id"]).payload
        assert row["issue"] and row["juiz 3: raciocinio_analitico"] and row["humano_comentario"] == ""
        first = verdict["evaluation"]["raciocinio_analitico"]
        assert row["juiz 1: raciocinio_analitico"] == first
        for one in verdict["jury"]:
            assert row[f"{one['judge_id']}: score_confianca"] == str(one["score_confianca"])
        assert row["júri: resolve_issue"] == ("sim" if verdict["evaluation"]["resolve_issue"] else "não")


def stated(study: SmallStudy, bench: PatchBench, scale: str) -> int:
    """Return on how many drawn instances the first judge stated a score, which a fallback is not."""
    found = 0
    for row in rows_of(study.path / SHEET):
        jury = bench.store.need("metricas_estruturais_extraidas", row["instance_id"]).payload["jury"]
        (own,) = [one for one in jury if one["judge_id"] == JUDGES[0]]
        found += own["origins"].get(scale, "stated") == "stated"
    return found


def test_agreement_with_a_judge_whose_scores_were_copied(
    study: SmallStudy, bench: PatchBench, tmp_path: Path
) -> None:
    """An auditor who gives one judge's scores agrees with all it stated; the list holds the others' only."""
    draw(study, "--open", "--simple", "--share=0.6", "--seed=1")
    found = give_back(study, written(tmp_path / "a.csv", filled(study, "Ana", SCORES, JUDGES[0])))
    assert found["taken"] == found["drawn"] and (found["missing"], found["unscored"]) == ([], [])
    rows = rows_of(study.path / "results/auditoria/concordancia.csv")
    own = [row for row in rows if row["avaliador_2"] == JUDGES[0]]
    assert len(own) == 5 and all(row["iguais"] == row["n"] for row in own)
    assert all(row["n"] == str(stated(study, bench, row["escala"])) for row in own)
    assert {row["alpha_ordinal"] for row in own} <= {"1", ""}
    apart = rows_of(study.path / "results/auditoria/discordancias.csv")
    assert apart and JUDGES[0] not in {row["juiz"] for row in apart}
    parts = [float(row["parte_da_escala"]) for row in apart]
    assert parts == sorted(parts, reverse=True)


def test_flags_of_a_contrary_auditor(study: SmallStudy, tmp_path: Path) -> None:
    """Every |human − judge| above 1.0 and every contrary verdict is flagged, and nothing else."""
    draw(study, "--open", "--simple", "--share=0.6", "--seed=1")
    scores = {**SCORES, "humano_resolve_issue": "não", "humano_score_confianca": "1"}
    give_back(study, written(tmp_path / "b.csv", filled(study, "Bia", scores, "júri")), "--partial")
    apart = [
        row for row in rows_of(study.path / "results/auditoria/discordancias.csv") if row["auditor"] == "Bia"
    ]
    verdicts = [row for row in apart if row["escala"] == "resolve_issue"]
    assert verdicts and all(row["sinalizado"] == "sim" and row["julgado"] == "sim" for row in verdicts)
    for row in apart:
        if row["escala"] != "resolve_issue":
            assert (abs(float(row["diferenca"])) > 1) == (row["sinalizado"] == "sim")


def test_auditors_are_compared_with_each_other(study: SmallStudy, tmp_path: Path) -> None:
    """Two auditors are compared with each other, three also together; the last sheet of each counts."""
    draw(study, "--open", "--simple", "--share=0.6", "--seed=1")
    for auditor in ("Ana", "Bia", "Caio", "Caio"):
        sheet = written(tmp_path / "c.csv", filled(study, auditor, SCORES, JUDGES[1]))
        found = give_back(study, sheet)
    kept = sorted(path.name for path in (study.path / "auditoria/devolvidas").glob("caio-*"))
    assert [name.partition(".")[2] for name in kept] == ["1.csv", "1.json", "2.csv", "2.json"]
    assert found["auditors"] >= 3 and set(found["scored"]) >= {"Ana", "Bia", "Caio"}
    rows = rows_of(study.path / "results/auditoria/concordancia.csv")
    assert {(row["avaliador_1"], row["avaliador_2"]) for row in rows} >= {("Ana", "Bia"), ("Bia", "Caio")}
    assert len([row for row in rows if row["avaliador_1"].startswith("Ana, Bia, Caio")]) == 5


def test_auditors_are_told_from_judges_and_each_other(study: SmallStudy, tmp_path: Path) -> None:
    """A judge's name, the jury's, and another auditor's in other letters are refused."""
    draw(study, "--open", "--simple", "--share=0.6", "--seed=1")
    give_back(study, written(tmp_path / "h.csv", filled(study, "Ana", SCORES, JUDGES[0])))
    for name, words in (("Júri", "which a judge has"), (JUDGES[0], "which a judge has"), ("ANA", "of 'Ana'")):
        with pytest.raises(AuditError, match=words):
            give_back(study, written(tmp_path / "i.csv", filled(study, name, SCORES, JUDGES[0])))


def test_sheet_as_a_spreadsheet_saves_it(study: SmallStudy, tmp_path: Path) -> None:
    """A sheet saved by a spreadsheet in another language, its letters partly lost, is taken and noted."""
    draw(study, "--open", "--share=0.6", "--seed=1")
    scores = {**SCORES, "humano_resolve_issue": "VERDADEIRO", "humano_score_confianca": "4,0"}
    rows = filled(study, "João", scores, JUDGES[0])
    found = give_back(study, as_excel(tmp_path / "d.csv", rows))
    assert found["auditor"] == "João" and len(found["notes"]) == 2


def test_refused_sheet_changes_nothing(study: SmallStudy, tmp_path: Path) -> None:
    """A sheet with faults ends with exit code 2 and each of them, and nothing is kept."""
    draw(study, "--open", "--share=0.6", "--seed=1")
    before = sorted((study.path / "auditoria/devolvidas").glob("*"))
    rows = filled(study, "Eva", SCORES, JUDGES[0])
    rows[0]["humano_score_confianca"] = "9"
    rows[1]["instance_id"] = "other__other-1"
    sheet = str(written(tmp_path / "e.csv", rows))
    message = study.call("audit", "return", study.name, sheet, expected=2).stderr
    assert "'9' is out of range" in message and "the id was changed: 'other__other-1'" in message
    assert "Traceback" not in message and sorted((study.path / "auditoria/devolvidas").glob("*")) == before
    with pytest.raises(AuditError, match="cannot read the sheet"):
        give_back(study, tmp_path / "none.csv")


def test_rows_of_another_draw_do_not_count(study: SmallStudy, tmp_path: Path) -> None:
    """When another sample is drawn, rows outside of it are left out and counted, and come back with it."""
    draw(study, "--open", "--simple", "--share=0.6", "--seed=1")
    given = give_back(study, written(tmp_path / "f.csv", filled(study, "Fay", SCORES, JUDGES[0])))
    draw(study, "--share=0.2", "--seed=5")
    stored = study.path / "store/auditoria_retorno/_/all.json"
    left = json.loads(stored.read_text("utf-8").splitlines()[1])
    assert left["scored"]["Fay"] + left["left_out"]["Fay"] == given["drawn"] and left["left_out"]["Fay"] > 0
    draw(study, "--share=0.6", "--seed=1")
    again = json.loads(stored.read_text("utf-8").splitlines()[1])
    assert again["left_out"]["Fay"] == 0


def test_page_to_return(study: SmallStudy, tmp_path: Path) -> None:
    """The study's own page, filled in and saved in a browser, is taken by the command line."""
    found = draw(study, "--blind", "--simple", "--share=0.1", "--seed=1", "--auditor=Gil Só")
    values = ("sim", "4", "2", "3", "1")
    choices = {scale.name: value for scale, value in zip(FORM.scales, values, strict=True)}
    with opened(Path(found["page"])) as seen:
        for number in range(1, found["drawn"] + 1):
            fill(seen.page, number, choices, "=1+1; 'ok'")
        sheet = saved(seen.page, tmp_path)
        assert seen.complaints == []
    taken = json.loads(study.call("audit", "return", study.name, str(sheet)).stdout)
    assert taken["auditor"] == "Gil Só" and taken["taken"] == found["drawn"]
    assert "=1+1; 'ok'" in report(study, "discordancias.md")


def test_unusable_draws(study: SmallStudy) -> None:
    """A share or a name that cannot be used is refused, and the draw stays as it was."""
    before = (study.path / "auditoria/sorteio.json").read_bytes()
    for option in ("--share=2", "--share=x", "--auditor=" + "x" * 90):
        with pytest.raises(InputError):
            draw(study, option)
    assert (study.path / "auditoria/sorteio.json").read_bytes() == before


def test_current_after_all(study: SmallStudy) -> None:
    """After drawing and returning, the status calls both assets current, and a run makes nothing anew."""
    draw(study)
    status = json.loads(study.call("status", study.name, "--json").stdout)
    assets = {asset["asset"]: asset for asset in status["assets"]}
    assert assets["auditoria_amostra"]["ok"] == assets["auditoria_retorno"]["ok"] == 1
    before = study.files()
    study.run()
    assert study.files() == before
