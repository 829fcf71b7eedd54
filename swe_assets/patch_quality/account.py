"""The account: where each pinned instance stands, so that none is lost in silence."""

import csv
import io
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.stages import STAGE_NAMES
from swe_assets.storage.records import OK

IN_MATRIX = "in_matrix"
EXCLUDED = "excluded"
MISSING = "missing"


@dataclass(frozen=True)
class AccountRow:
    """One pinned instance: in the matrix, excluded with a reason, or missing with the stage it stopped at."""

    instance_id: str
    place: str
    stage: str
    reason: str
    outcome: str


def account(bench: PatchBench) -> list[AccountRow]:
    """Return one row for each pinned instance, in the pinned order."""
    return [_row(bench, instance_id) for instance_id in bench.instances]


def _row(bench: PatchBench, instance_id: str) -> AccountRow:
    rebuilt = bench.store.read("arquivos_reconstruidos", instance_id)
    outcome = str(rebuilt.payload.get("outcome", "")) if rebuilt is not None else ""
    header = bench.store.header("matriz_consolidada", instance_id)
    if header is not None and header.status == OK:
        return AccountRow(instance_id, IN_MATRIX, "matriz_consolidada", "", outcome)
    if header is not None:
        stage = _first_exclusion(bench, instance_id)
        return AccountRow(instance_id, EXCLUDED, stage, header.reason, outcome)
    stage, reason = _first_gap(bench, instance_id)
    return AccountRow(instance_id, MISSING, stage, reason, outcome)


def _first_exclusion(bench: PatchBench, instance_id: str) -> str:
    for name in STAGE_NAMES:
        header = bench.store.header(name, instance_id)
        if header is not None and header.status != OK:
            return name
    return "matriz_consolidada"


def _first_gap(bench: PatchBench, instance_id: str) -> tuple[str, str]:
    for name in STAGE_NAMES:
        failure = bench.store.failure(name, instance_id)
        if failure is not None:
            return name, f"failed: {failure}"
        if bench.store.header(name, instance_id) is None:
            return name, "not materialised yet"
    return "matriz_consolidada", "not materialised yet"


def exclusion_counts(rows: Iterable[AccountRow]) -> dict[str, int]:
    """Return how many instances are excluded for each reason, the most frequent first."""
    counts = Counter(row.reason for row in rows if row.place == EXCLUDED)
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def account_csv(rows: Iterable[AccountRow]) -> str:
    """Return the account as CSV: instance_id, place, stage, reason, outcome."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["instance_id", "place", "stage", "reason", "outcome"])
    for row in rows:
        writer.writerow([row.instance_id, row.place, row.stage, row.reason, row.outcome])
    return stream.getvalue()
