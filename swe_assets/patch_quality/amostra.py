"""amostra: the table that the reports work on, and the account of every pinned instance."""

from collections import Counter
from typing import Any

from swe_assets.patch_quality import matriz_consolidada
from swe_assets.patch_quality.account import (
    EXCLUDED,
    IN_MATRIX,
    MISSING,
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
    matriz_consolidada.STAGE.export(bench)
    lines = account(bench)
    write_text(bench.results / "contabilidade.csv", account_csv(lines))
    places = Counter(line.place for line in lines)
    rows = matriz_consolidada.rows(bench)
    return {
        "pinned": len(bench.instances),
        "in_matrix": places[IN_MATRIX],
        "excluded": places[EXCLUDED],
        "missing": places[MISSING],
        "resolved": sum(row["pass@1"] for row in rows),
        "not_in_matrix": excluded_ids(lines),
        "rows": rows,
    }


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
