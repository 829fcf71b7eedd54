"""resultados_testes: pass@1, 1 where the patch passed the tests and 0 elsewhere."""

from typing import Any

from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.stage_asset import StageFace
from swe_assets.storage.records import Record
from swe_assets.storage.stage import Made, Stage, one_by_one

FACE = StageFace(
    "pass@1 of each instance: 1 where the results list it as resolved, else 0.", {"pytest", "json"}
)


def _make(bench: PatchBench, instance_id: str) -> Made:
    return Made(instance_id, {"pass@1": int(instance_id in bench.resolved)})


def _source(bench: PatchBench, instance_id: str) -> str:
    return str(int(instance_id in bench.resolved))


def _show(record: Record) -> dict[str, Any]:
    return {"pass@1": record.payload["pass@1"]}


STAGE: Stage[PatchBench] = Stage("resultados_testes", "1", one_by_one(_make), source=_source, show=_show)
