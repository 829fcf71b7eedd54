"""The metric exports for people and other tools: CSV, JSON and the log of what was not measured."""

from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.metric_sums import METRICS
from swe_assets.storage.atomic import to_json, write_text
from swe_assets.storage.csv_text import csv_text
from swe_assets.storage.records import EXCLUDED, OK, Record

ASSET = "metricas_completas"
COLUMNS = (
    "instance_id",
    *METRICS,
    *(f"base_{m}" for m in METRICS),
    *(f"delta_{m}" for m in METRICS),
    "n_files_base",
    "n_files_patched",
    "analyser",
    "violations_source",
)


def write_metric_files(bench: PatchBench) -> None:
    """Write metricas_completas_swebench.csv and .json and erros_extracao_completa.log."""
    records = list(bench.store.records(ASSET, bench.instances))
    measured = [record for record in records if record.status == OK]
    write_text(bench.results / "metricas_completas_swebench.csv", csv_text(COLUMNS, map(_row, measured)))
    lines = ",\n".join(f"  {to_json(r.instance_id)}: {to_json(r.payload)}" for r in measured)
    write_text(bench.results / "metricas_completas_swebench.json", f"{{\n{lines}\n}}\n")
    write_text(bench.results / "erros_extracao_completa.log", _errors(bench, records))


def _row(record: Record) -> list[object]:
    row = record.payload
    sides = [row[side][m] for side in ("patched", "base", "delta") for m in METRICS]
    return [record.instance_id, *sides, *(row[name] for name in COLUMNS[-4:])]


def _errors(bench: PatchBench, records: list[Record]) -> str:
    lines = []
    for record in records:
        if record.status == EXCLUDED:
            lines.append(f"{record.instance_id}\texcluded\t{record.reason}")
        faults = (file for file in record.payload.get("files", []) if file["reason"])
        lines += [f"{record.instance_id}\t{f['side']} {f['path']!r}\t{f['reason']}" for f in faults]
    for instance_id in bench.instances:
        failure = bench.store.failure(ASSET, instance_id)
        if failure is not None:
            lines.append(f"{instance_id}\tfailed\t{failure!r}")
    return "".join(line + "\n" for line in lines)
