"""metricas_completas: the measures of each instance at base and after the patch."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.metric_sums import instance_measures
from swe_assets.patch_quality.stage_asset import StageFace
from swe_assets.storage.records import EXCLUDED, OK, Record
from swe_assets.storage.stage import Failed, Made, Stage, attempt

if TYPE_CHECKING:
    from swe_assets.analysers.protocol import FileMeasures

FACE = StageFace(
    "SonarQube's metric keys for each instance: sums over its non-test Python files, base and patched, and "
    "their difference; violations and sqale_index come from the source named in the metadata.",
    {"python", "ruff"},
)


def _make(bench: PatchBench, ids: Sequence[str]) -> Iterator[Made | Failed]:
    """Measure the different contents of a chunk of instances once each, then sum them by instance."""
    projects = {i: bench.store.need("projetos_sonar", i).payload for i in ids}
    blobs = {f["blob"]: f["path"] for p in projects.values() for f in p["files"]}
    measured = _measure(bench, blobs)

    def make_one(_bench: PatchBench, instance_id: str) -> Made:
        return _sum_up(instance_id, projects[instance_id], measured)

    for instance_id in ids:
        yield attempt(make_one, bench, instance_id)


def _measure(bench: PatchBench, blobs: dict[str, str]) -> dict[str, "FileMeasures"]:
    from swe_assets.analysers.protocol import SourceFile

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
    return Made(instance_id, payload, OK, "")


def _show(record: Record) -> dict[str, Any]:
    shown = {f"patched_{m}": v for m, v in record.payload.get("patched", {}).items() if v is not None}
    return {**shown, "violations_source": record.payload.get("violations_source", "none")}


def _export(bench: PatchBench) -> None:
    from swe_assets.patch_quality.metric_files import write_metric_files

    write_metric_files(bench)


STAGE: Stage[PatchBench] = Stage(
    "metricas_completas", "1", _make, upstream=("projetos_sonar",), export=_export, show=_show
)
