"""How good a judge is: its verdicts beside the outcomes of tests, and on patches that cannot be right."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from swe_assets.judging.jury_agreement import DRAWS, SEED, without_interval
from swe_assets.statistics.bootstrap import Bootstrap, bootstrap_interval
from swe_assets.statistics.calibration import (
    Brier,
    ReliabilityBin,
    brier,
    expected_calibration_error,
    reliability_curve,
)
from swe_assets.statistics.classification import Confusion, confusion
from swe_assets.statistics.discrimination import auc
from swe_assets.statistics.estimate import Estimate
from swe_assets.statistics.proportion import wilson_interval
from swe_assets.statistics.undefined import Undefined, Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

JURY = "jury"
REFUTED = frozenset({"empty", "not_a_diff", "does_not_apply", "target_missing", "unchanged", "only_tests"})
"""Why a patch was not measured, where it then cannot have been right. A patch of other files than Python
(no_python), of a binary file (binary) or one too large for us (refused) can pass the tests."""

STEPS = 10
"""The scale from "surely not resolved" to "surely resolved" has ten steps of equal width."""


@dataclass(frozen=True)
class Said:
    """What one judge, or the jury, said of one instance.

    ``passed``: whether the patch passed the tests. ``unmeasured``: why the patch was not measured, or an
    empty text; with one of REFUTED it cannot have been right.
    """

    instance_id: str
    resolved: bool
    chance: float
    passed: bool
    unmeasured: str = ""


@dataclass(frozen=True)
class Refuted:
    """How often "resolved" was said of patches that were not measured for one reason."""

    reason: str
    said: int
    n: int
    share: Estimate | Undefined


@dataclass(frozen=True)
class Quality:
    """One judge against the tests: confusion, MCC and AUC with intervals, calibration, refuted verdicts.

    ``refuted``: patches that cannot have been right, by reason and then ``all``; ``unmeasured``: those that
    were not measured for reasons which refute nothing.
    """

    judge_id: str
    n: int
    confusion: Confusion
    mcc: Estimate | Undefined
    auc: Estimate | Undefined
    brier: Brier | Undefined
    calibration_error: Value
    reliability: tuple[ReliabilityBin, ...]
    refuted: tuple[Refuted, ...]
    unmeasured: tuple[Refuted, ...] = ()


def chance_of(resolved: bool, confidence: int) -> float:
    """Return the chance of a resolved issue that a verdict and its confidence (1 to 5) stand for.

    The ten pairs, ordered from "not resolved, 5" to "resolved, 5", are spread evenly from 0 to 1, each at the
    middle of its tenth: 1/2 + (2 c - 1)/20 where resolved, else 1/2 - (2 c - 1)/20. The rubric asks for an
    ordinal confidence and not for a chance, so this map is a choice, the plainest one that keeps the order.

    >>> chance_of(False, 5), chance_of(False, 1), chance_of(True, 1), chance_of(True, 5)
    (0.05, 0.45, 0.55, 0.95)
    """
    away = (2 * confidence - 1) / (2 * STEPS)
    return 0.5 + away if resolved else 0.5 - away


def jury_chance(jury: Iterable[Mapping[str, Any]]) -> float:
    """Return the mean of the judges' chances; each has resolve_issue and score_confianca."""
    chances = [chance_of(one["resolve_issue"], one["score_confianca"]) for one in jury]
    return sum(chances) / len(chances)


def quality(judge_id: str, said: Sequence[Said], *, draws: int = DRAWS, seed: int = SEED) -> Quality:
    """Return how one judge's verdicts stand to the tests' outcomes, over the instances it judged.

    MCC has a bootstrap interval over instances, AUC that of DeLong, every share that of Wilson. What has no
    value says why.
    """
    actual = [int(one.passed) for one in said]
    chances = [one.chance for one in said]
    return Quality(
        judge_id,
        len(said),
        confusion(actual, [int(one.resolved) for one in said]),
        _mcc(said, draws, seed),
        auc(actual, chances) if said else Undefined("no rows"),
        brier(actual, chances, bins=STEPS),
        expected_calibration_error(actual, chances, bins=STEPS),
        reliability_curve(actual, chances, bins=STEPS),
        refuted(said),
        unmeasured(said),
    )


def refuted(said: Sequence[Said]) -> tuple[Refuted, ...]:
    """Return for each reason of REFUTED, and for all together, how often "resolved" was said."""
    group = [one for one in said if one.unmeasured in REFUTED]
    return (*_by_reason(group), _said_of("all", group))


def unmeasured(said: Sequence[Said]) -> tuple[Refuted, ...]:
    """Return the same for each other reason why patches were not measured: they may be right."""
    return _by_reason([one for one in said if one.unmeasured and one.unmeasured not in REFUTED])


def _by_reason(said: Sequence[Said]) -> tuple[Refuted, ...]:
    reasons = sorted({one.unmeasured for one in said})
    return tuple(_said_of(reason, [one for one in said if one.unmeasured == reason]) for reason in reasons)


def _said_of(reason: str, group: Sequence[Said]) -> Refuted:
    resolved = sum(one.resolved for one in group)
    return Refuted(reason, resolved, len(group), wilson_interval(resolved, len(group)))


def _mcc(said: Sequence[Said], draws: int, seed: int) -> Estimate | Undefined:
    """Return MCC with its bootstrap interval."""
    import numpy as np

    whole = confusion([int(one.passed) for one in said], [int(one.resolved) for one in said]).mcc
    if isinstance(whole, Undefined):
        return whole
    is_so = np.array([one.passed for one in said], dtype=float)
    says = np.array([one.resolved for one in said], dtype=float)

    def statistic(counts: "NDArray[np.float64]") -> "NDArray[np.float64]":
        tp, fp = counts @ (is_so * says), counts @ ((1 - is_so) * says)
        fn, tn = counts @ (is_so * (1 - says)), counts @ ((1 - is_so) * (1 - says))
        below = np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
        undefined = np.full_like(below, np.nan)
        found: NDArray[np.float64] = np.divide(tp * tn - fp * fn, below, out=undefined, where=below > 0)
        return found

    found = bootstrap_interval(statistic, len(said), how=Bootstrap(draws=draws, seed=seed))
    return found if isinstance(found, Estimate) else without_interval(whole, len(said), found)
