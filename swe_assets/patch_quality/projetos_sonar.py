"""projetos_sonar: what is handed to the analyser for each instance, and to which analyser."""

from typing import Any

from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.stage_asset import StageFace
from swe_assets.storage.atomic import to_json, write_text
from swe_assets.storage.records import EXCLUDED, Record
from swe_assets.storage.stage import Made, Stage, one_by_one

FACE = StageFace(
    "The non-test Python files of each side by path and blob id, and the analyser's and rule set's versions.",
    {"python", "ruff"},
)
SIDES = ("base", "patched")


def _make(bench: PatchBench, instance_id: str) -> Made:
    rebuilt = bench.store.need("arquivos_reconstruidos", instance_id).payload
    files = [
        {"side": side, "path": row[f"path_{side}"], "blob": row[f"blob_{side}"]}
        for row in rebuilt["files"]
        if row["is_python"] and not row["is_test"]
        for side in SIDES
        if row[f"blob_{side}"] is not None
    ]
    payload = {
        "analyser": bench.analyser.name,
        "provenance": bench.analyser.provenance(),
        "violations_source": bench.analyser.violations_source,
        "files": files,
        **{f"n_files_{side}": sum(file["side"] == side for file in files) for side in SIDES},
    }
    return Made(instance_id, payload)


def _settings(bench: PatchBench) -> str:
    return to_json(bench.analyser.provenance())


def _show(record: Record) -> dict[str, Any]:
    return {
        name: record.payload[name]
        for name in ("analyser", "violations_source", "n_files_base", "n_files_patched")
        if name in record.payload
    }


def _export(bench: PatchBench) -> None:
    """Write which instances were handed over and which were not, and why."""
    lines = []
    for record in bench.store.records(STAGE.name, bench.instances):
        row = {"status": "excluded" if record.status == EXCLUDED else "handed_over", "reason": record.reason}
        lines.append(f"  {to_json(record.instance_id)}: {to_json({**row, **record.payload})}")
    write_text(bench.results / "progresso_sonar.json", "{\n" + ",\n".join(lines) + "\n}\n")


STAGE: Stage[PatchBench] = Stage(
    "projetos_sonar",
    "1",
    one_by_one(_make),
    upstream=("arquivos_reconstruidos",),
    settings=_settings,
    export=_export,
    files=("progresso_sonar.json",),
    show=_show,
)
