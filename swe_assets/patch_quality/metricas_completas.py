"""metricas_completas: the measures of each instance at base and after the patch."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from swe_assets.analysers.projects import SIDES, Claim, ReadBack
from swe_assets.analysers.protocol import FileMeasures
from swe_assets.errors import (
    AnalyserUnavailableError,
    ConfigurationError,
    RecordError,
    StaleAnalysisError,
    SweAssetsError,
)
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.measured_files import loading
from swe_assets.patch_quality.metric_sums import METRICS, STUDY_METRICS, instance_measures, server_measures
from swe_assets.patch_quality.stage_asset import StageFace
from swe_assets.storage.records import EXCLUDED, OK, Record
from swe_assets.storage.stage import Failed, Made, Stage, StageStoppedError

FACE = StageFace(
    "SonarQube's metric keys for each instance: sums over its non-test Python files, base and patched, and "
    "their difference; violations and sqale_index come from the source named in the metadata.",
    {"python", "ruff"},
)


def _make(bench: PatchBench, ids: Sequence[str]) -> Iterator[Made | Failed]:
    """Read the measures of a chunk of instances and sum them by instance; one bad instance fails alone."""
    projects: dict[str, Mapping[str, Any]] = {}
    for instance_id in ids:
        try:
            projects[instance_id] = bench.store.need("projetos_sonar", instance_id).payload
        except SweAssetsError as wrong:
            yield Failed(instance_id, str(wrong))
    try:
        for read in bench.analyser.read([_claim(bench, i, project) for i, project in projects.items()]):
            yield _made(bench, read, projects[read.instance_id])
    except (AnalyserUnavailableError, ConfigurationError) as stop:
        raise StageStoppedError(str(stop)) from stop


def _claim(bench: PatchBench, instance_id: str, project: Mapping[str, Any]) -> Claim:
    files = project["files"]
    paths = {side: [file["path"] for file in files if file["side"] == side] for side in SIDES}
    return Claim(instance_id, paths, project.get("receipts", {}), loading(bench, instance_id, files, {}))


def _made(bench: PatchBench, read: ReadBack, project: Mapping[str, Any]) -> Made | Failed:
    """Return the record, or the failure after which the next run makes again what was at fault."""
    if isinstance(read.error, RecordError):
        bench.store.discard("arquivos_reconstruidos", read.instance_id)
        return Failed(read.instance_id, f"{read.error}; the next run reconstructs the instance again")
    if isinstance(read.error, StaleAnalysisError):
        bench.store.discard("projetos_sonar", read.instance_id)
    if read.error is not None:
        return Failed(read.instance_id, str(read.error))
    return _sum_up(read, project)


def _sum_up(read: ReadBack, project: Mapping[str, Any]) -> Made:
    found = {(side, one.path): one for side in SIDES for one in read.sides[side].files}
    files = [_file_row(file, found[file["side"], file["path"]]) for file in project["files"]]
    payload = instance_measures(files)
    payload |= server_measures(payload, read.sides)
    payload |= {name: project[name] for name in ("analyser", "violations_source")}
    broken = [f["path"] for f in files if f["side"] == "patched" and not f["parsed"]]
    if broken:
        return Made(read.instance_id, payload, EXCLUDED, "no_longer_parses")
    lacking = [metric for metric in STUDY_METRICS if payload["patched"][metric] is None]
    if lacking:
        return Made(read.instance_id, payload, EXCLUDED, f"not_measured: {', '.join(lacking)}")
    return Made(read.instance_id, payload, OK, "")


def _file_row(file: Mapping[str, Any], found: FileMeasures) -> dict[str, Any]:
    """Return a file's row: what was handed over, its measures, and why it lacks others."""
    lacks = {"not_measured": list(found.not_measured), "not_applicable": list(found.not_applicable)}
    row = {"parsed": found.parsed, "measures": dict(found.measures), "reason": found.reason}
    return {**file, **row, **{name: keys for name, keys in lacks.items() if keys}}


def _show(record: Record) -> dict[str, Any]:
    sums = record.payload.get("patched", {})
    shown = {f"patched_{m}": sums[m] for m in METRICS if sums.get(m) is not None}
    return {**shown, "violations_source": record.payload.get("violations_source", "none")}


def _export(bench: PatchBench) -> None:
    from swe_assets.patch_quality.metric_files import write_metric_files

    write_metric_files(bench)


FILES = (
    "metricas_completas_swebench.csv",
    "metricas_completas_swebench.json",
    "erros_extracao_completa.log",
)
STAGE: Stage[PatchBench] = Stage(
    "metricas_completas", "1", _make, upstream=("projetos_sonar",), export=_export, files=FILES, show=_show
)
