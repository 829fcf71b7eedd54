"""Where people and judges differ: every difference, the largest first, those beyond a bound flagged."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from swe_assets.judging.audit_agreement import Scores
from swe_assets.judging.audit_form import Scale

THRESHOLD = 1.0
"""A difference beyond this is flagged."""


@dataclass(frozen=True)
class Disagreement:
    """One item that an auditor and a judge scored differently.

    ``difference`` is the auditor's score less the judge's, ``part`` its size over the length of the scale.
    """

    item_id: str
    scale: str
    auditor: str
    judge: str
    human: float
    judged: float
    difference: float
    part: float
    flagged: bool


def disagreements(
    scales: Iterable[Scale],
    auditors: Mapping[str, Scores],
    judges: Mapping[str, Scores],
    *,
    threshold: float = THRESHOLD,
) -> tuple[Disagreement, ...]:
    """Return all differing scores by size: first the largest part of their scale, then by id, scale, names.

    Flagged is a difference of more than ``threshold``, and on a yes-or-no scale every one.
    """
    found = [
        _disagreement(
            item_id, scale, (auditor, own[scale.name]), (judge, scores[item_id][scale.name]), threshold
        )
        for scale in scales
        for auditor, sheet in auditors.items()
        for judge, scores in judges.items()
        for item_id, own in sheet.items()
        if scale.name in own and scale.name in scores.get(item_id, {})
    ]
    apart = (one for one in found if one.difference)
    return tuple(sorted(apart, key=lambda one: (-one.part, one.item_id, one.scale, one.auditor, one.judge)))


def _disagreement(
    item_id: str, scale: Scale, human: tuple[str, float], judge: tuple[str, float], threshold: float
) -> Disagreement:
    """Return the difference of two scores of an item."""
    difference = human[1] - judge[1]
    part = abs(difference) / (scale.highest - scale.lowest)
    flagged = abs(difference) > threshold or (scale.yes_no and difference != 0)
    return Disagreement(
        item_id, scale.name, human[0], judge[0], human[1], judge[1], difference, part, flagged
    )
