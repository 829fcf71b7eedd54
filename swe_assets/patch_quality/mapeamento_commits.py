"""mapeamento_commits: the repository and base commit each instance starts from."""

from typing import Any

from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.stage_asset import StageFace
from swe_assets.storage.atomic import to_json, write_text
from swe_assets.storage.records import Record, digest
from swe_assets.storage.stage import Made, Stage, one_by_one

FACE = StageFace("The repository and base commit of each instance, from the dataset.", {"git", "json"})


def _make(bench: PatchBench, instance_id: str) -> Made:
    row = bench.dataset[instance_id]
    return Made(instance_id, {"repo": row.repo, "base_commit": row.base_commit})


def _source(bench: PatchBench, instance_id: str) -> str:
    row = bench.dataset[instance_id]
    return digest(row.repo, row.base_commit)


def _show(record: Record) -> dict[str, Any]:
    return dict(record.payload)


def _export(bench: PatchBench) -> None:
    """Write the index of all instances as one JSON object keyed by instance_id."""
    rows = {r.instance_id: r.payload for r in bench.store.records(STAGE.name, bench.instances)}
    lines = ",\n".join(f"  {to_json(i)}: {to_json(row)}" for i, row in rows.items())
    write_text(bench.results / "mapeamento_commits.json", f"{{\n{lines}\n}}\n")


STAGE: Stage[PatchBench] = Stage(
    "mapeamento_commits",
    "1",
    one_by_one(_make),
    upstream=("patches",),
    source=_source,
    export=_export,
    files=("mapeamento_commits.json",),
    show=_show,
)
