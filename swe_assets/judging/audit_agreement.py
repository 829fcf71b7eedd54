"""How far people and judges agree, scale by scale and pair by pair."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from swe_assets.judging.audit_form import Scale
from swe_assets.judging.jury_agreement import DRAWS, SEED, alpha_with_interval
from swe_assets.statistics.estimate import Estimate
from swe_assets.statistics.kappa import Kappa, weighted_kappa
from swe_assets.statistics.undefined import Undefined, Value

Scores = Mapping[str, Mapping[str, float]]
"""One rater's scores: by item, then by scale."""


@dataclass(frozen=True)
class PairAgreement:
    """Two raters on one scale, over the n items that both scored.

    ``exact``: items with equal scores. ``difference``: mean of first less second. ``kappa``: quadratic
    weights. ``alpha``: ordinal, with its bootstrap interval, whose bounds alone may be
    undefined. ``confusion``: (first's score, second's, how
    many) by score. A score between two steps, such as a jury's mean, counts as the nearer step (of two the
    upper) for ``exact``, ``kappa`` and ``confusion``.
    """

    scale: str
    first: str
    second: str
    n: int
    exact: int
    difference: Value
    kappa: Kappa | Undefined
    alpha: Estimate | Undefined
    confusion: tuple[tuple[float, float, int], ...]


@dataclass(frozen=True)
class GroupAgreement:
    """All raters of a group on one scale: ordinal alpha with its interval."""

    scale: str
    raters: tuple[str, ...]
    alpha: Estimate | Undefined


def pair_agreement(
    scale: Scale,
    first: tuple[str, Scores],
    second: tuple[str, Scores],
    *,
    draws: int = DRAWS,
    seed: int = SEED,
) -> PairAgreement:
    """Return how two raters, each (name, scores), agree on a scale; undefined values say why."""
    (one, ones), (two, twos) = first, second
    both = [i for i in ones if scale.name in ones[i] and scale.name in twos.get(i, {})]
    a, b = ([scores[i][scale.name] for i in both] for scores in (ones, twos))
    steps_a, steps_b = [on_step(scale, value) for value in a], [on_step(scale, value) for value in b]
    pairs = Counter(zip(steps_a, steps_b, strict=True))
    return PairAgreement(
        scale.name,
        one,
        two,
        len(both),
        sum(count for (x, y), count in pairs.items() if x == y),
        (sum(a) - sum(b)) / len(both) if both else Undefined("no item was scored by both"),
        _kappa(scale, steps_a, steps_b),
        alpha_with_interval([a, b], "ordinal", draws=draws, seed=seed),
        tuple((x, y, count) for (x, y), count in sorted(pairs.items())) if scale.values else (),
    )


def group_agreement(
    scale: Scale, raters: Mapping[str, Scores], *, draws: int = DRAWS, seed: int = SEED
) -> GroupAgreement:
    """Return how all raters of a group agree on a scale; what one left out is missing for that one."""
    items = list(dict.fromkeys(i for scores in raters.values() for i in scores))
    rows = [[scores.get(i, {}).get(scale.name) for i in items] for scores in raters.values()]
    alpha = alpha_with_interval(rows, "ordinal", draws=draws, seed=seed)
    return GroupAgreement(scale.name, tuple(raters), alpha)


def on_step(scale: Scale, value: float) -> float:
    """Return the scale's step nearest to a value, of two the upper; the value where there are no steps."""
    if not scale.values:
        return value
    return min(scale.values, key=lambda step: (abs(step - value), -step))


def _kappa(scale: Scale, a: Sequence[float], b: Sequence[float]) -> Kappa | Undefined:
    """Return quadratic kappa over the scale's steps, or why there is none."""
    if not scale.values:
        return Undefined(
            f"{scale.name} has no steps: any number between {scale.lowest:g} and {scale.highest:g}"
        )
    return weighted_kappa(a, b, scale.values)
