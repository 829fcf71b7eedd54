"""projetos_sonar: what is handed to the analyser for each instance, and to which analyser."""

from collections.abc import Iterator, Sequence
from typing import Any

from swe_assets.analysers.projects import SIDES, HandedOver, Offer
from swe_assets.errors import (
    AnalyserUnavailableError,
    ConfigurationError,
    RecordError,
    SweAssetsError,
)
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.measured_files import file_rows, loading
from swe_assets.patch_quality.stage_asset import StageFace
from swe_assets.storage.atomic import to_json, write_text
from swe_assets.storage.records import EXCLUDED, Record
from swe_assets.storage.stage import Failed, Made, Stage, StageStoppedError

FACE = StageFace(
    "The non-test Python files of each side by path and blob id, and the analyser's versions; from a server "
    "also project or module, task, analysis and the hash of the upload.",
    {"python", "ruff"},
)


def _make(bench: PatchBench, ids: Sequence[str]) -> Iterator[Made | Failed]:
    """Hand over the instances and record each as soon as the analyser has it.

    Where the analyser is of no use to any instance the stage stops; what was handed over stays.
    """
    rows: dict[str, list[dict[str, str]]] = {}
    unread: list[Failed] = []
    offers = (offer for i in ids if (offer := _offer(bench, i, rows, unread)) is not None)
    try:
        for handed in bench.analyser.hand_over(offers):
            yield _made(bench, handed, rows.pop(handed.instance_id))
    except (AnalyserUnavailableError, ConfigurationError) as stop:
        raise StageStoppedError(str(stop)) from stop
    yield from unread


def _offer(
    bench: PatchBench, instance_id: str, rows: dict[str, list[dict[str, str]]], unread: list[Failed]
) -> Offer | None:
    """Return an instance's offer and note its rows; where its record cannot be read, note the failure."""
    try:
        rebuilt = bench.store.need("arquivos_reconstruidos", instance_id).payload
    except SweAssetsError as wrong:
        unread.append(Failed(instance_id, str(wrong)))
        return None
    rows[instance_id] = file_rows(rebuilt)
    return Offer(instance_id, loading(bench, instance_id, rows[instance_id], rebuilt.get("packages", {})))


def _made(bench: PatchBench, handed: HandedOver, rows: list[dict[str, str]]) -> Made | Failed:
    if isinstance(handed.error, RecordError):
        bench.store.discard("arquivos_reconstruidos", handed.instance_id)
        return Failed(handed.instance_id, f"{handed.error}; the next run reconstructs the instance again")
    if handed.error is not None:
        return Failed(handed.instance_id, str(handed.error))
    payload = {
        "analyser": bench.analyser.name,
        "provenance": bench.analyser.provenance(),
        "violations_source": bench.analyser.violations_source,
        "files": rows,
        **{f"n_files_{side}": sum(row["side"] == side for row in rows) for side in SIDES},
        **({"receipts": dict(handed.receipts)} if handed.receipts else {}),
    }
    return Made(handed.instance_id, payload)


def _settings(bench: PatchBench) -> str:
    return to_json(bench.analyser.provenance())


def _show(record: Record) -> dict[str, Any]:
    shown = {
        name: record.payload[name]
        for name in ("analyser", "violations_source", "n_files_base", "n_files_patched")
        if name in record.payload
    }
    receipt = record.payload.get("receipts", {}).get("patched") or {}
    names = ("project", "module", "task", "analysis", "analysed_at", "uploaded")
    return {**shown, **{name: receipt[name] for name in names if receipt.get(name)}}


def _export(bench: PatchBench) -> None:
    """Write which instances were handed over and which were not, and why."""
    lines = []
    for record in bench.store.records(STAGE.name, bench.instances):
        row = {"status": "excluded" if record.status == EXCLUDED else "handed_over", "reason": record.reason}
        lines.append(f"  {to_json(record.instance_id)}: {to_json({**row, **record.payload})}")
    write_text(bench.results / "progresso_sonar.json", "{\n" + ",\n".join(lines) + "\n}\n")


STAGE: Stage[PatchBench] = Stage(
    "projetos_sonar",
    "2",
    _make,
    upstream=("arquivos_reconstruidos",),
    settings=_settings,
    export=_export,
    files=("progresso_sonar.json",),
    show=_show,
    whole=True,
)
