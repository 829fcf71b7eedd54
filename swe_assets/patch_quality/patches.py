"""patches: the patch text of each prediction, as the model gave it."""

import hashlib
from pathlib import Path
from typing import Any

from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.stage_asset import StageFace
from swe_assets.storage.atomic import write_text
from swe_assets.storage.records import Record, digest
from swe_assets.storage.stage import Made, Stage, one_by_one

FACE = StageFace(
    "The patch of each prediction, unchanged: null, empty and prose are kept as they are.", {"python", "json"}
)


def _make(bench: PatchBench, instance_id: str) -> Made:
    patch = bench.predictions[instance_id]
    payload = {
        "model_patch": patch,
        "sha256": hashlib.sha256((patch or "").encode("utf-8", "surrogatepass")).hexdigest(),
        "characters": len(patch or ""),
        "lines": (patch or "").count("\n"),
        "is_null": patch is None,
    }
    return Made(instance_id, payload)


def _source(bench: PatchBench, instance_id: str) -> str:
    patch = bench.predictions[instance_id]
    return "null" if patch is None else digest("text", patch)


def _show(record: Record) -> dict[str, Any]:
    return {name: record.payload[name] for name in ("sha256", "characters", "lines", "is_null")}


def _export(bench: PatchBench) -> None:
    """Write one .patch file for each pinned instance."""
    folder: Path = bench.results / "patches_extraidos"
    for record in bench.store.records(STAGE.name, bench.instances):
        path = folder / f"{record.instance_id}.patch"
        text = record.payload["model_patch"] or ""
        content = text.encode("utf-8", "backslashreplace")
        if not path.is_file() or path.read_bytes() != content:
            write_text(path, text)


STAGE: Stage[PatchBench] = Stage(
    "patches",
    "1",
    one_by_one(_make),
    source=_source,
    export=_export,
    files=("patches_extraidos",),
    show=_show,
)
