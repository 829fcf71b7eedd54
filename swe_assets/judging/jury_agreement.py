"""How far the judges of a jury agree, measure by measure and pair by pair."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from swe_assets.statistics.agreement import Ratings as Rated
from swe_assets.statistics.agreement import krippendorff_alpha, krippendorff_interval
from swe_assets.statistics.estimate import Estimate
from swe_assets.statistics.kappa import Kappa, Weights, weighted_kappa
from swe_assets.statistics.undefined import Undefined

DRAWS = 2000
SEED = 20240613


@dataclass(frozen=True)
class Measure:
    """One thing that each judge says of an instance: its name, its level and its values in order."""

    name: str
    level: Literal["nominal", "ordinal"]
    values: tuple[int, ...]


MEASURES = (
    Measure("resolve_issue", "nominal", (0, 1)),
    Measure("score_confianca", "ordinal", (1, 2, 3, 4, 5)),
    Measure("M_profundidade", "ordinal", (1, 2, 3)),
    Measure("M_integridade", "ordinal", (1, 2, 3)),
    Measure("M_defesa", "ordinal", (1, 2, 3)),
)

Ratings = Mapping[str, Sequence[int | None]]
"""By judge what it says of each instance, in the same order for all; None where it says nothing."""


@dataclass(frozen=True)
class PairAgreement:
    """Two raters, a and b, over the n instances that both rated: kappa, and how often each pair was given.

    ``same``: instances with equal ratings. ``counts[i][j]``: those to which a gave the i-th of the values and
    b the j-th.
    """

    a: str
    b: str
    n: int
    same: int
    kappa: Kappa | Undefined
    counts: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class MeasureAgreement:
    """One measure over all judges: alpha with its bootstrap interval, and each pair of judges.

    ``n``: instances that two judges or more rated. ``stated``: values that were given, over all judges.
    """

    measure: Measure
    n: int
    alpha: Estimate | Undefined
    pairs: tuple[PairAgreement, ...]
    stated: int = 0


def agreement(
    ratings: Ratings, measure: Measure, *, draws: int = DRAWS, seed: int = SEED
) -> MeasureAgreement:
    """Return how far judges agree on one measure.

    Alpha is Krippendorff's at the measure's level, its interval a bootstrap over instances; kappa has
    quadratic weights on an ordinal measure and none on a nominal one. ``n`` counts instances that two judges
    or more rated. Of one judge everything is undefined. Raises InputError for ratings of different lengths
    and for a value that is none of the measure's.
    """
    n = sum(sum(value is not None for value in unit) > 1 for unit in zip(*ratings.values(), strict=True))
    stated = sum(value is not None for row in ratings.values() for value in row)
    if len(ratings) < 2:
        why = Undefined(f"{len(ratings)} judge: there is nobody to agree with")
        return MeasureAgreement(measure, 0, why, (), stated)
    rows = [[None if value is None else float(value) for value in row] for row in ratings.values()]
    alpha = alpha_with_interval(rows, measure.level, draws=draws, seed=seed)
    pairs = tuple(_pair(a, b, ratings, measure) for a, b in combinations(ratings, 2))
    return MeasureAgreement(measure, n, alpha, pairs, stated)


def alpha_with_interval(
    rows: Rated, level: Literal["nominal", "ordinal"], *, draws: int = DRAWS, seed: int = SEED
) -> Estimate | Undefined:
    """Return alpha with its bootstrap interval; where only the interval has no value its bounds say why."""
    whole = krippendorff_alpha(rows, level)
    if isinstance(whole, Undefined):
        return whole
    found = krippendorff_interval(rows, level, draws=draws, seed=seed)
    return found if isinstance(found, Estimate) else without_interval(whole.value, whole.units, found)


def without_interval(value: float, n: int, why: Undefined) -> Estimate:
    """Return a value whose interval is undefined."""
    return Estimate(value=value, low=why, high=why, n=n, method="none")


def _pair(a: str, b: str, ratings: Ratings, measure: Measure) -> PairAgreement:
    """Return the agreement of two judges."""
    weights: Weights = "none" if measure.level == "nominal" else "quadratic"
    return agreement_of_two((a, ratings[a]), (b, ratings[b]), measure.values, weights)


def agreement_of_two(
    first: tuple[str, Sequence[float | None]],
    second: tuple[str, Sequence[float | None]],
    values: Sequence[float],
    weights: Weights = "quadratic",
) -> PairAgreement:
    """Return how two raters, each (name, ratings), agree over the values that can be given, in order."""
    (a, of_a), (b, of_b) = first, second
    both = [(x, y) for x, y in zip(of_a, of_b, strict=True) if x is not None and y is not None]
    kappa = weighted_kappa(of_a, of_b, values, weights)
    counts = tuple(tuple(both.count((x, y)) for y in values) for x in values)
    return PairAgreement(a, b, len(both), sum(x == y for x, y in both), kappa, counts)
