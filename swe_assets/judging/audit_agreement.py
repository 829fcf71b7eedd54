"""How far people and judges agree, scale by scale and pair by pair."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from swe_assets.judging.audit_form import Scale
from swe_assets.judging.jury_agreement import (
    DRAWS,
    SEED,
    PairAgreement,
    agreement_of_two,
    alpha_with_interval,
)
from swe_assets.statistics.estimate import Estimate
from swe_assets.statistics.undefined import Undefined, Value

Scores = Mapping[str, Mapping[str, float]]
"""One rater's scores: by item, then by scale."""


@dataclass(frozen=True)
class ScaleAgreement:
    """Two raters on one scale.

    ``pair``: over the items that both scored, kappa with quadratic weights; a score between two steps, such
    as a jury's mean, counts there as the nearer step, of two the upper. ``difference``: mean of first less
    second, of the scores as given. ``alpha``: ordinal, of the same, with its bootstrap interval, whose bounds
    alone may be undefined.
    """

    scale: Scale
    pair: PairAgreement
    difference: Value
    alpha: Estimate | Undefined

    @property
    def confusion(self) -> tuple[tuple[float, float, int], ...]:
        """The scores that were given together, each (first's, second's, how often), in order."""
        rows = zip(self.scale.values, self.pair.counts, strict=True)
        return tuple((x, y, n) for x, row in rows for y, n in zip(self.scale.values, row, strict=True) if n)


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
) -> ScaleAgreement:
    """Return how two raters, each (name, scores), agree on a scale; undefined values say why."""
    (one, ones), (two, twos) = first, second
    both = [i for i in ones if scale.name in ones[i] and scale.name in twos.get(i, {})]
    a, b = ([scores[i][scale.name] for i in both] for scores in (ones, twos))
    mean = (sum(a) - sum(b)) / len(both) if both else Undefined("no item was scored by both")
    alpha = alpha_with_interval([a, b], "ordinal", draws=draws, seed=seed)
    return ScaleAgreement(scale, _pair(scale, (one, a), (two, b)), mean, alpha)


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


def _pair(
    scale: Scale, first: tuple[str, Sequence[float]], second: tuple[str, Sequence[float]]
) -> PairAgreement:
    """Return the agreement on a scale's steps; where there are none kappa says so and nothing is counted."""
    (one, a), (two, b) = first, second
    if scale.values:
        steps = [[on_step(scale, value) for value in row] for row in (a, b)]
        return agreement_of_two((one, steps[0]), (two, steps[1]), scale.values)
    why = f"{scale.name} has no steps: any number between {scale.lowest:g} and {scale.highest:g}"
    same = sum(x == y for x, y in zip(a, b, strict=True))
    return PairAgreement(one, two, len(a), same, Undefined(why), ())
