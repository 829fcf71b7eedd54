"""matriz_consolidada: a row an instance (tests, judge, measures), or an exclusion with its reason."""

from collections.abc import Iterable, Mapping
from typing import Any

from swe_assets.patch_quality.analysis.labels import SMALL_MODEL
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.metric_sums import METRICS, STUDY_METRICS
from swe_assets.patch_quality.stage_asset import StageFace
from swe_assets.storage.csv_text import csv_text
from swe_assets.storage.records import OK, Record
from swe_assets.storage.stage import Made, Stage, one_by_one

FACE = StageFace(
    "The inner join of pass@1, the judge's and the analyser's measures: a row, or why there is none.",
    {"python", "csv"},
)

JUDGE_COLUMNS = ("M_profundidade", "M_integridade", "M_defesa")
COLUMNS = (
    "instance_id",
    "pass@1",
    *JUDGE_COLUMNS,
    *STUDY_METRICS,
    *(f"base_{m}" for m in METRICS),
    *(f"delta_{m}" for m in METRICS),
    "n_files_base",
    "n_files_patched",
    "judge",
    "analyser",
)


def _make(bench: PatchBench, instance_id: str) -> Made:
    return Made(instance_id, joined_row(*(bench.store.need(name, instance_id) for name in STAGE.upstream)))


def joined_row(measured: Record, judged: Record, tested: Record) -> dict[str, Any]:
    """Return the row of one instance from its three sources; a base measure may be None."""
    measures, extraction = measured.payload, judged.payload
    return {
        "instance_id": measured.instance_id,
        "pass@1": tested.payload["pass@1"],
        **{m: extraction["record"]["LLM_Judge_Metrics"][m] for m in JUDGE_COLUMNS},
        **{m: measures["patched"][m] for m in STUDY_METRICS},
        **{f"base_{m}": measures["base"][m] for m in METRICS},
        **{f"delta_{m}": measures["delta"][m] for m in METRICS},
        "n_files_base": measures["n_files_base"],
        "n_files_patched": measures["n_files_patched"],
        "judge": judge_label(extraction["judge"]),
        "analyser": f"{measures['analyser']}; violations, sqale_index: {measures['violations_source']}",
    }


def judge_label(judge: Mapping[str, Any]) -> str:
    """Return who judged; a rehearsal is always called one, and the small model by its own name.

    >>> judge_label({"model": "mine", "served_model": "x-plumbing-check", "rehearsal": False})
    'mine (x-plumbing-check)'
    """
    name, served = str(judge["model"]), str(judge.get("served_model", ""))
    if SMALL_MODEL in served and SMALL_MODEL not in name:
        name = f"{name} ({served})"
    return f"{name} (rehearsal)" if judge["rehearsal"] and "rehearsal" not in name else name


def _show(record: Record) -> dict[str, Any]:
    names = ("pass@1", *JUDGE_COLUMNS, *STUDY_METRICS, "judge", "analyser")
    return {name: record.payload[name] for name in names if name in record.payload}


def rows(bench: PatchBench) -> list[dict[str, Any]]:
    """Return the rows of all instances that are in the matrix, in the pinned order."""
    records = bench.store.records(STAGE.name, bench.instances)
    return [dict(record.payload) for record in records if record.status == OK]


def matrix_csv(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return rows of the matrix as CSV, an empty cell where a value is None."""
    return csv_text(COLUMNS, ([row[name] for name in COLUMNS] for row in rows))


STAGE: Stage[PatchBench] = Stage(
    "matriz_consolidada",
    "1",
    one_by_one(_make),
    upstream=("metricas_completas", "metricas_estruturais_extraidas", "resultados_testes"),
    show=_show,
)
