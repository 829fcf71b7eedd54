"""Tests of a whole run through the command line, on a part of the sample."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

from swe_assets.patch_quality import evaluation_results
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.sample import Sample
from swe_assets.patch_quality.stages import STAGE_NAMES
from swe_assets.storage.records import InstanceStore
from swe_assets_tests.patch_quality.small_study import SmallStudy, small_study

UNPRINTED = {"histograms"}
"""Tables that only the page draws."""

WRITTEN = {
    "mapeamento_commits.json",
    "progresso_sonar.json",
    "metricas_completas_swebench.csv",
    "metricas_completas_swebench.json",
    "erros_extracao_completa.log",
    "evaluation_payload.jsonl",
    "evaluation_results.jsonl",
    "metricas_estruturais_extraidas.jsonl",
    "matriz_consolidada.csv",
    "contabilidade.csv",
    "matriz_correlação_spearman.csv",
    "matriz_p_values_spearman.csv",
    "normality.csv",
    "heatmap.png",
    "heatmap.svg",
    "logit.csv",
    "logit_summary.txt",
    "fit.json",
    "report.html",
    "acordo_juizes.csv",
    "acordo_juizes.json",
    "acordo_juizes.md",
    "acordo_juizes_confusao.csv",
    "acordo_juizes_juri.csv",
    "acordo_juizes_pares.csv",
    "analysis.json",
    "consistencia_juiz.csv",
    "consistencia_juiz.json",
    "consistencia_juiz.md",
    "consistencia_juiz_formas.csv",
    "consistencia_juiz_respostas.csv",
    "instancias.csv",
    "juizes.csv",
    "qualidade_juiz.csv",
    "qualidade_juiz.json",
    "qualidade_juiz.md",
    "qualidade_juiz_calibracao.csv",
    "qualidade_juiz_confusao.csv",
    "qualidade_juiz_refutados.csv",
    "relatorio_entradas.json",
    "textos.json",
    "auditoria/auditoria.csv",
    "auditoria/auditoria.html",
    "auditoria/concordancia.csv",
    "auditoria/concordancia.md",
    "auditoria/discordancias.csv",
    "auditoria/discordancias.md",
}


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory, sample: Sample) -> SmallStudy:
    """Give a study that was run to its end."""
    study = small_study(tmp_path_factory.mktemp("finished home"), sample, 40)
    study.run()
    return study


def account(study: SmallStudy) -> list[dict[str, str]]:
    """Return the rows of the account."""
    with (study.path / "results" / "contabilidade.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_every_file_is_written(finished: SmallStudy) -> None:
    """A finished run leaves each documented file, a patch file an instance, each table, and its figures."""
    files = set(finished.files())
    patches = {f"patches_extraidos/{i}.patch" for i in finished.instances}
    names = json.loads((finished.path / "results/analysis.json").read_text("utf-8"))["tables"]
    tables = {f"tables/{name}.csv" for name in names}
    tables |= {f"tables/{name}.{lang}.tex" for name in {*names} - UNPRINTED for lang in ("pt", "en")}
    figures = {name for name in files if name.startswith("figures/") and name.endswith(".svg")}
    assert files == WRITTEN | patches | tables | figures and "figures/flow.svg" in figures


def test_account_holds_every_instance(finished: SmallStudy) -> None:
    """Each pinned instance is in the matrix or excluded with a reason."""
    rows = account(finished)
    assert [row["instance_id"] for row in rows] == finished.instances
    assert all(row["place"] == "in_matrix" or (row["place"] == "excluded" and row["reason"]) for row in rows)
    assert {row["place"] for row in rows} == {"in_matrix", "excluded"}


def test_matrix_has_the_rows_of_the_account(finished: SmallStudy) -> None:
    """The matrix file has exactly the instances the account says, each once."""
    with (finished.path / "results" / "matriz_consolidada.csv").open(encoding="utf-8", newline="") as stream:
        ids = [row["instance_id"] for row in csv.DictReader(stream)]
    assert ids == [row["instance_id"] for row in account(finished) if row["place"] == "in_matrix"]


def test_rehearsal_is_labelled(finished: SmallStudy) -> None:
    """Data, summary and page say that the judge was a rehearsal and whose violations these are."""
    files = finished.files()
    for name in ("matriz_consolidada.csv", "logit_summary.txt", "report.html"):
        assert b"rehearsal" in files[name].lower() or b"ensaio" in files[name].lower(), name
    for name in ("matriz_consolidada.csv", "normality.csv", "report.html"):
        assert b"Ruff" in files[name], name


def test_second_run_does_nothing(finished: SmallStudy) -> None:
    """A run over current records makes nothing and says so."""
    before = finished.files()
    done = finished.run()
    assert "everything is current" in done.stderr
    assert finished.files() == before


def test_status_counts_every_instance(finished: SmallStudy) -> None:
    """The status of each stage adds up to the pinned number, with the reasons of exclusions."""
    found = json.loads(finished.call("status", finished.name, "--json").stdout)
    stages = [asset for asset in found["assets"] if asset["asset"] in STAGE_NAMES]
    assert len(stages) == len(STAGE_NAMES)
    for asset in stages:
        total = sum(asset[kind] for kind in ("ok", "excluded", "stale", "missing", "failed"))
        assert total == len(finished.instances), asset["asset"]
    rebuilt = next(a for a in found["assets"] if a["asset"] == "arquivos_reconstruidos")
    assert any(reason.startswith("excluded: ") for reason in rebuilt["reasons"])


def test_dry_run_changes_nothing(finished: SmallStudy) -> None:
    """A dry run lists every asset as current and runs none."""
    lines = finished.run("--dry-run").stdout.splitlines()
    assert lines and all(line.endswith(": current") for line in lines)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--instances", "nobody__x-1"), "not among the"),
        (("--instances", "@/nonexistent/file"), "cannot read the ids"),
        (("--instances", ", ,"), "names no instance"),
        (("--only", "nothing"), "no asset 'nothing'"),
    ],
)
def test_wrong_usage_is_named(finished: SmallStudy, arguments: tuple[str, ...], said: str) -> None:
    """A wrong id, file or asset is exit code 2 with what was found."""
    assert said in finished.run(*arguments, expected=2).stderr


def test_unknown_study_is_named(finished: SmallStudy) -> None:
    """A study that is not pinned is exit code 2."""
    assert "nosuch" in finished.call("run", "nosuch", expected=2).stderr


def test_one_changed_prediction_runs_alone(tmp_path: Path, sample: Sample) -> None:
    """After one prediction changed, exactly that instance and the reports run again."""
    study = small_study(tmp_path / "home", sample, 12)
    study.run(expected=None)
    rows = {row["instance_id"]: row["place"] for row in account(study)}
    changed = next(i for i, place in rows.items() if place == "in_matrix")
    study.change(changed, "")
    plan = study.run("--dry-run").stdout
    assert f"source changed: 1 ({changed})" in plan
    assert "patches: 1 to run" in plan and "mapeamento_commits: 1 to run" in plan
    done = study.run(expected=None)
    counted = [line for line in done.stderr.splitlines() if ": done " in line]
    assert counted and all("done 1, excluded 0" in c or "done 0, excluded 1" in c for c in counted)
    assert next(row for row in account(study) if row["instance_id"] == changed)["reason"] == "empty"


def test_listed_instances_run_alone(tmp_path: Path, sample: Sample) -> None:
    """--instances runs a list that is no range, and the reports wait for the rest."""
    study = small_study(tmp_path / "home", sample, 12)
    chosen = [study.instances[-1], study.instances[0], study.instances[4]]
    done = study.run("--instances", ",".join(chosen), expected=1)
    assert "the reports wait for" in done.stderr
    stored = {path.stem for path in (study.path / "store" / "matriz_consolidada").rglob("*.json")}
    assert stored == set(chosen)


def test_missing_key_is_refused_at_once(tmp_path: Path, sample: Sample) -> None:
    """A study whose judge has no key is exit code 2 before any stage runs, and the message names the key."""
    study = small_study(tmp_path / "home", sample, 6)
    study.call("study", "update", study.name, "--judge", "gemini", "--yes")
    done = study.run(expected=2)
    assert "GEMINI_API_KEY" in done.stderr
    assert not (study.path / "store" / "patches").exists()


def test_stale_measure_never_stands_in(tmp_path: Path, sample: Sample) -> None:
    """A changed prediction that cannot be reconstructed leaves the matrix, and the reports wait for it."""
    study = small_study(tmp_path / "home", sample, 10)
    study.run(expected=None)
    before = study.files()["report.html"]
    changed = next(row["instance_id"] for row in account(study) if row["place"] == "in_matrix")
    patch = (study.path / "results" / "patches_extraidos" / f"{changed}.patch").read_text()
    study.change(changed, patch.replace("+", "+ ", 1) + "\n")
    repository = changed.rpartition("-")[0].replace("__", "/")
    study.call("study", "update", study.name, "--mirror", f"{repository}={tmp_path}", "--yes")
    done = study.run(expected=1)
    assert "the reports wait for" in done.stderr
    assert study.files()["report.html"] == before
    assert "waits for arquivos_reconstruidos" in study.call("status", study.name, expected=1).stdout


def test_deleted_files_come_back(finished: SmallStudy) -> None:
    """Files deleted from the results are written again by the next run, the same as before."""
    before = finished.files()
    for name in ("matriz_consolidada.csv", "heatmap.png", "evaluation_results.jsonl"):
        (finished.path / "results" / name).unlink()
    finished.run()
    assert finished.files() == before


def test_failed_call_hides_the_older_verdict(finished: SmallStudy, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the last call failed the export says the error, not the verdict of the call before it."""
    monkeypatch.setenv("SWE_ASSETS_HOME", str(finished.home))
    bench = PatchBench.open(finished.name)
    instance_id = next(i for i in bench.instances if bench.store.need("evaluation_results", i).payload)
    bench.store.write_failure("evaluation_results", instance_id, "the call timed out")
    results = bench.results / "evaluation_results.jsonl"
    before = results.read_bytes()
    evaluation_results.STAGE.export(bench)
    bench.store.failure_path("evaluation_results", instance_id).unlink()
    rows = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
    results.write_bytes(before)
    found = [row for row in rows if row["instance_id"] == instance_id]
    assert found == [{"instance_id": instance_id, "error": "the call timed out"}]


def test_broken_gate_stays_broken(tmp_path: Path, sample: Sample) -> None:
    """A blocking gate keeps the reports from being made in this run, the next, and one for a report alone."""
    study = small_study(tmp_path / "home", sample, 8)
    study.run(expected=None)
    (study.path / "results" / "report.html").unlink()
    store = InstanceStore(study.path / "store")
    instance_id = next(i for i in study.instances if (r := store.read("matriz_consolidada", i)) and r.payload)
    row = store.need("matriz_consolidada", instance_id)
    store.write(replace(row, payload={**row.payload, "M_defesa": 7}))
    for arguments in ((), (), ("--only", "relatorio_logit")):
        done = study.run(*arguments, expected=None)
        assert done.returncode in (1, 2) and "M_defesa = 7" in done.stderr, done.stderr
        assert not (study.path / "results" / "report.html").exists()


def test_damaged_content_mends_itself(tmp_path: Path, sample: Sample) -> None:
    """Damaged stored contents fail their own instances alone, and the next runs make them again."""
    study = small_study(tmp_path / "home", sample, 8)
    study.run(expected=None)
    before = study.files()
    for blob in list((study.path / "blobs").glob("*/*"))[:3]:
        blob.write_bytes(b"")
    assert study.run("--only", "metricas_completas", "--force", expected=1).stderr.count("failed") >= 1
    study.run(expected=None)
    assert study.files() == before


def test_unknown_analyser_is_refused_when_pinning(tmp_path: Path, sample: Sample) -> None:
    """A study cannot be pinned to an analyser that nobody knows."""
    study = small_study(tmp_path / "home", sample, 4)
    other = SmallStudy(study.home, sample, study.predictions, "other")
    assert "sonarcube" in other.add("--analyser", "sonarcube", expected=2).stderr


def test_only_without_its_upstream_says_so(tmp_path: Path, sample: Sample) -> None:
    """--only a stage whose upstream is missing is exit code 1 and names what to run first."""
    study = small_study(tmp_path / "home", sample, 4)
    done = study.run("--only", "matriz_consolidada", expected=1)
    assert "cannot run yet" in done.stderr and "waits for metricas_completas" in done.stderr
    assert "everything is current" not in done.stderr


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({"SWE_ASSETS_HOME": "relative"}, "give an absolute path"),
        ({"SWE_ASSETS_HOME": "~nobody_of_that_name/x"}, "give an absolute path"),
        ({"SWE_ASSETS_HOME": "/etc/hostname"}, "which is no folder"),
        ({"DAGSTER_HOME": "/proc/nosuch"}, "cannot open Dagster's records"),
        ({"DAGSTER_HOME": "relative"}, "give an absolute path"),
    ],
)
def test_unusable_homes_are_named(finished: SmallStudy, variables: dict[str, str], said: str) -> None:
    """A home that cannot be used is exit code 2 with what was found, never a traceback."""
    other = replace(finished, environment=variables)
    done = other.run("--dry-run", expected=2)
    assert said in done.stderr and "Traceback" not in done.stderr


def test_own_dagster_home_keeps_our_settings(finished: SmallStudy, tmp_path: Path) -> None:
    """With a DAGSTER_HOME of one's own the records go there, under our settings: no telemetry is written."""
    other = replace(finished, environment={"DAGSTER_HOME": str(tmp_path / "dagster")})
    other.run("--only", "resultados_testes", expected=None)
    assert (tmp_path / "dagster").is_dir()
    assert not list((tmp_path / "dagster").rglob("event.log"))
