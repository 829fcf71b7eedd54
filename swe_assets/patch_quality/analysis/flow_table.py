"""The flow: how many of the pinned instances each step keeps and loses, and how many of them are resolved."""

from collections import Counter
from collections.abc import Iterable, Sequence

from swe_assets.patch_quality.analysis.column_words import columns, words
from swe_assets.patch_quality.analysis.evidence import IN_MATRIX, Evidence, InstanceLine
from swe_assets.reporting.tables import Table
from swe_assets.statistics.undefined import Undefined

PINNED = "pinned"
_MISSING = "missing"
_NOTES = (
    words(
        "Sem motivo: as que continuam no estudo depois da etapa; com motivo: as que a etapa perdeu.",
        "Without a reason: those still in the study after the step; with one: those that the step lost.",
    ),
)


def flow_table(evidence: Evidence) -> Table | None:
    """Return the flow from the pinned instances to the matrix, or None where only the matrix is known.

    A row without a reason counts those still in at that step, one with a reason those lost there; rows of one
    step come the largest loss first, and the last row is the matrix.
    """
    if not evidence.lines:
        return None
    left = list(evidence.lines)
    rows = [_row(PINNED, None, left)]
    for stage in _stages(evidence):
        lost = [line for line in left if line.place != IN_MATRIX and line.stage == stage]
        left = [line for line in left if line.place == IN_MATRIX or line.stage != stage]
        reasons = Counter(map(lost_reason, lost))
        for reason, _count in sorted(reasons.items(), key=lambda item: (-item[1], item[0])):
            rows.append(_row(stage, reason, [line for line in lost if lost_reason(line) == reason]))
        if lost and any(line.place != IN_MATRIX for line in left):
            rows.append(_row(stage, None, left))
    rows.append(_row(IN_MATRIX, None, left))
    title = words("Das instâncias fixadas à matriz", "From the pinned instances to the matrix")
    return Table("flow", title, columns("step", "reason", "n", "resolved", "rate"), tuple(rows), _NOTES)


def lost_reason(line: InstanceLine) -> str:
    """Return why an instance was lost, without what differs from one instance to the next."""
    reason = line.reason or "no reason was kept"
    if line.place != _MISSING:
        return reason
    return f"missing: {reason.partition(':')[0]}"


def _stages(evidence: Evidence) -> Sequence[str]:
    """Return the steps in order of flow, those that no order names last."""
    seen = (line.stage for line in evidence.lines if line.place != IN_MATRIX)
    return tuple(dict.fromkeys((*evidence.stages, *seen)))


def _row(step: str, reason: str | None, lines: Iterable[InstanceLine]) -> tuple[object, ...]:
    """Return a row; resolved and rate are undefined where an outcome is not known."""
    outcomes = [line.resolved for line in lines]
    unknown = outcomes.count(None)
    if unknown:
        why = Undefined(f"the outcome of {unknown} of {len(outcomes)} is not known")
        return (step, reason, len(outcomes), why, why)
    resolved = sum(map(bool, outcomes))
    rate = resolved / len(outcomes) if outcomes else Undefined("no instance")
    return (step, reason, len(outcomes), resolved, rate)
