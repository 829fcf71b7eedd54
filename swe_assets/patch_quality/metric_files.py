"""The metric exports for people and other tools: CSV, JSON and the log of what was not measured."""

from collections.abc import Sequence
from typing import Any

from swe_assets.analysers.projects import SIDES
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.metric_sums import METRICS
from swe_assets.patch_quality.server_structure import as_component_tree
from swe_assets.storage.atomic import to_json, write_text
from swe_assets.storage.csv_text import csv_text
from swe_assets.storage.records import EXCLUDED, OK, Record

ASSET = "metricas_completas"
ABOUT = ("n_files_base", "n_files_patched", "analyser", "violations_source")
COLUMNS = (
    "instance_id",
    *METRICS,
    *(f"base_{m}" for m in METRICS),
    *(f"delta_{m}" for m in METRICS),
    *ABOUT,
)
"""The columns of every study; a server's other metrics follow, each with its base_ and delta_."""


def write_metric_files(bench: PatchBench) -> None:
    """Write metricas_completas_swebench.csv and .json and erros_extracao_completa.log."""
    records = list(bench.store.records(ASSET, bench.instances))
    measured = [record for record in records if record.status == OK]
    more = _other_metrics(measured)
    header = [*COLUMNS, *(f"{prefix}{m}" for prefix in ("", "base_", "delta_") for m in more)]
    rows = (_row(record, more) for record in measured)
    write_text(bench.results / "metricas_completas_swebench.csv", csv_text(header, rows))
    lines = ",\n".join(f"  {to_json(r.instance_id)}: {to_json(_document(bench, r))}" for r in measured)
    write_text(bench.results / "metricas_completas_swebench.json", f"{{\n{lines}\n}}\n")
    write_text(bench.results / "erros_extracao_completa.log", _errors(bench, records))


def _other_metrics(records: Sequence[Record]) -> list[str]:
    """Return the metrics beyond the study's that any record has, sorted."""
    return sorted({m for record in records for side in SIDES for m in record.payload[side]} - set(METRICS))


def _row(record: Record, more: Sequence[str]) -> list[object]:
    row = record.payload
    sides = ("patched", "base", "delta")
    known = [row[side][m] for side in sides for m in METRICS]
    others = [row[side].get(m) for side in sides for m in more]
    return [record.instance_id, *known, *(row[name] for name in ABOUT), *others]


def _document(bench: PatchBench, record: Record) -> dict[str, Any]:
    """Return what the JSON says of an instance: its record and, from a server, the server's structure."""
    payload = dict(record.payload)
    if "own" not in payload:
        return payload
    project = bench.store.read("projetos_sonar", record.instance_id)
    receipts = project.payload.get("receipts", {}) if project is not None else {}
    trees = {side: as_component_tree(payload, side, receipts.get(side) or {}) for side in SIDES}
    return {**payload, "server": trees}


def _errors(bench: PatchBench, records: Sequence[Record]) -> str:
    lines = []
    for record in records:
        if record.status == EXCLUDED:
            lines.append(f"{record.instance_id}\texcluded\t{record.reason}")
        faults = (file for file in record.payload.get("files", []) if file["reason"])
        lines += [f"{record.instance_id}\t{f['side']} {f['path']!r}\t{f['reason']}" for f in faults]
        lines += _empty_cells(record)
    for instance_id in bench.instances:
        failure = bench.store.failure(ASSET, instance_id)
        if failure is not None:
            lines.append(f"{instance_id}\tfailed\t{failure!r}")
    return "".join(line + "\n" for line in lines)


def _empty_cells(record: Record) -> list[str]:
    """Return why a server's metrics of an instance are empty, one line a side and reason."""
    lines = []
    for side in SIDES:
        empty = [m for m, value in record.payload.get(side, {}).items() if value is None]
        files = [file for file in record.payload.get("files", []) if file["side"] == side]
        for name, words in (("not_measured", "not measured"), ("not_applicable", "not applicable")):
            keys = [m for m in empty if any(m in file.get(name, ()) for file in files)]
            if keys:
                lines.append(f"{record.instance_id}\t{side} {words}\t{', '.join(keys)}")
    return lines
