"""metricas_completas: the measures of each instance at base and after the patch."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from swe_assets.errors import AnalyserError, RecordError
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.metric_sums import STUDY_METRICS, instance_measures
from swe_assets.patch_quality.stage_asset import StageFace
from swe_assets.storage.records import EXCLUDED, OK, Record
from swe_assets.storage.stage import Failed, Made, Stage, attempt, one_by_one

if TYPE_CHECKING:
    from swe_assets.analysers.protocol import FileMeasures

FACE = StageFace(
    "SonarQube's metric keys for each instance: sums over its non-test Python files, base and patched, and "
    "their difference; violations and sqale_index come from the source named in the metadata.",
    {"python", "ruff"},
)


def _make(bench: PatchBench, ids: Sequence[str]) -> Iterator[Made | Failed]:
    """Measure the different contents of a chunk of instances once each, then sum them by instance.

    Where the chunk cannot be measured whole, each instance is measured alone, so that one bad content
    fails its own instances only.
    """
    try:
        projects = {i: bench.store.need("projetos_sonar", i).payload for i in ids}
        measured = _measure(bench, projects.values())
    except (AnalyserError, RecordError):
        yield from one_by_one(_make_alone)(bench, ids)
        return

    def make_one(_bench: PatchBench, instance_id: str) -> Made:
        return _sum_up(instance_id, projects[instance_id], measured)

    for instance_id in ids:
        yield attempt(make_one, bench, instance_id)


def _make_alone(bench: PatchBench, instance_id: str) -> Made:
    """Measure one instance; where a stored content is damaged its reconstruction is to be made again."""
    project = bench.store.need("projetos_sonar", instance_id).payload
    try:
        return _sum_up(instance_id, project, _measure(bench, [project]))
    except RecordError as damaged:
        bench.store.discard("arquivos_reconstruidos", instance_id)
        raise RecordError(f"{damaged}; the next run reconstructs the instance again") from damaged


def _measure(bench: PatchBench, projects: Iterable[Mapping[str, Any]]) -> dict[str, "FileMeasures"]:
    from swe_assets.analysers.protocol import SourceFile

    blobs = {file["blob"]: file["path"] for project in projects for file in project["files"]}
    files = [SourceFile(path, bench.blobs.get(blob)) for blob, path in blobs.items()]
    return dict(zip(blobs, bench.analyser.measure(files), strict=True))


def _sum_up(instance_id: str, project: Mapping[str, Any], measured: dict[str, "FileMeasures"]) -> Made:
    files = []
    for file in project["files"]:
        found = measured[file["blob"]]
        row = {"parsed": found.parsed, "measures": dict(found.measures), "reason": found.reason}
        files.append({**file, **row})
    payload = instance_measures(files)
    payload |= {name: project[name] for name in ("analyser", "violations_source")}
    broken = [f["path"] for f in files if f["side"] == "patched" and not f["parsed"]]
    if broken:
        return Made(instance_id, payload, EXCLUDED, "no_longer_parses")
    lacking = [metric for metric in STUDY_METRICS if payload["patched"][metric] is None]
    if lacking:
        return Made(instance_id, payload, EXCLUDED, f"not_measured: {', '.join(lacking)}")
    return Made(instance_id, payload, OK, "")


def _show(record: Record) -> dict[str, Any]:
    shown = {f"patched_{m}": v for m, v in record.payload.get("patched", {}).items() if v is not None}
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
