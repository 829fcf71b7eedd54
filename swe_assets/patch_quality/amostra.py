"""amostra: the table that the reports work on, and the account of every pinned instance."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from swe_assets.patch_quality import matriz_consolidada
from swe_assets.patch_quality.account import (
    EXCLUDED,
    IN_MATRIX,
    MISSING,
    AccountRow,
    account,
    account_csv,
    excluded_ids,
)
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.stage_asset import StageFace
from swe_assets.storage.atomic import write_text
from swe_assets.storage.records import digest
from swe_assets.storage.summary import Summary

FACE = StageFace(
    "The consolidated table and, for each pinned instance, whether it is in it and if not why.",
    {"pandas", "csv"},
)


def _make(bench: PatchBench) -> dict[str, Any]:
    lines = account(bench)
    rows = write_tables(bench, lines)
    places = Counter(line.place for line in lines)
    return {
        "pinned": len(bench.instances),
        "in_matrix": places[IN_MATRIX],
        "excluded": places[EXCLUDED],
        "missing": places[MISSING],
        "resolved": sum(row["pass@1"] for row in rows),
        "not_in_matrix": excluded_ids(lines),
        "rows": rows,
    }


def write_tables(bench: PatchBench, lines: Sequence[AccountRow]) -> list[dict[str, Any]]:
    """Write matriz_consolidada.csv and contabilidade.csv by the account; return the matrix's rows."""
    inside = {line.instance_id for line in lines if line.place == IN_MATRIX}
    rows = [row for row in matriz_consolidada.rows(bench) if row["instance_id"] in inside]
    write_text(bench.results / "matriz_consolidada.csv", matriz_consolidada.matrix_csv(rows))
    write_text(bench.results / "contabilidade.csv", account_csv(lines))
    return rows


def _source(bench: PatchBench) -> str:
    """Return the digest of the account: a stale or failed instance changes it though no record did."""
    return digest(account_csv(account(bench)))


SUMMARY: Summary[PatchBench] = Summary(
    "amostra",
    "1",
    _make,
    partitioned=("matriz_consolidada", "arquivos_reconstruidos"),
    source=_source,
    files=("matriz_consolidada.csv", "contabilidade.csv"),
)
