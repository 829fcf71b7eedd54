"""The laws of agreement, confusion, calibration and discrimination."""

from itertools import permutations

import numpy as np
import pytest
from numpy.typing import NDArray
from statsmodels.stats.inter_rater import aggregate_raters, cohens_kappa
from statsmodels.stats.inter_rater import fleiss_kappa as reference_fleiss

from swe_assets.statistics import (
    Undefined,
    auc,
    auc_difference,
    brier,
    confusion,
    expected_calibration_error,
    fleiss_kappa,
    krippendorff_alpha,
    krippendorff_interval,
    reliability_curve,
    weighted_kappa,
)
from swe_assets.statistics.agreement import LEVELS, Alpha, Level
from swe_assets.statistics.calibration import Brier
from swe_assets.statistics.discrimination import AucDifference
from swe_assets.statistics.estimate import Estimate
from swe_assets.statistics.kappa import Kappa, Weights
from swe_assets_tests.statistics.law import Laws, holds_for
from swe_assets_tests.statistics.numbers_found import numbers_of
from swe_assets_tests.statistics.samples import Ratings, Sample, rating_tables, stated_chances

Stated = tuple[tuple[int, ...], tuple[float, ...]]


def alpha_of(ratings: Ratings, level: Level) -> float | None:
    """Return alpha, or None where it is undefined."""
    found = krippendorff_alpha(ratings, level)
    return found.value if isinstance(found, Alpha) else None


def gap(level: Level, c: int, k: int, frequency: dict[int, int]) -> float:
    """Return the squared difference of two ratings, as the definition has it."""
    if level == "nominal":
        return float(c != k)
    if level == "interval":
        return float((c - k) ** 2)
    if level == "ratio":
        return ((c - k) / (c + k)) ** 2 if c + k else 0.0
    low, high = min(c, k), max(c, k)
    between = sum(count for value, count in frequency.items() if low <= value <= high)
    return (between - (frequency[c] + frequency[k]) / 2) ** 2


def alpha_by_pairs(ratings: Ratings, level: Level) -> float | None:
    """Return alpha by running over every pair of ratings."""
    units = [[rating for rating in unit if rating is not None] for unit in zip(*ratings, strict=True)]
    units = [unit for unit in units if len(unit) > 1]
    pool = [rating for unit in units for rating in unit]
    frequency = {value: pool.count(value) for value in pool}
    observed = sum(
        sum(gap(level, c, k, frequency) for c, k in permutations(unit, 2)) / (len(unit) - 1) for unit in units
    )
    among = sum(gap(level, c, k, frequency) for c, k in permutations(pool, 2))
    return 1 - observed * (len(pool) - 1) / among if among else None


@holds_for(rating_tables())
def alpha_brute_force(ratings: Ratings) -> None:
    """On each level alpha is what running over all pairs gives, and at most 1."""
    for level in LEVELS:
        found, by_pairs = alpha_of(ratings, level), alpha_by_pairs(ratings, level)
        assert found == (None if by_pairs is None else pytest.approx(by_pairs, abs=1e-12))
        assert found is None or found <= 1


@holds_for(rating_tables())
def alpha_order(ratings: Ratings) -> None:
    """Neither the order of raters nor that of units matters."""
    turned = tuple(row[::-1] for row in ratings[::-1])
    for level in LEVELS:
        found = alpha_of(ratings, level)
        assert alpha_of(turned, level) == (None if found is None else pytest.approx(found, abs=1e-12))


@holds_for(rating_tables())
def alpha_levels(ratings: Ratings) -> None:
    """Nominal forgets names, ordinal all but order, interval place and scale, ratio scale alone."""
    maps = {
        "nominal": lambda r: (7 * r + 3) % 5,
        "ordinal": lambda r: r**3,
        "interval": lambda r: 5 - 3 * r,
        "ratio": lambda r: 7 * r,
    }
    for level in LEVELS:
        found = alpha_of(ratings, level)
        mapped = tuple(tuple(None if r is None else maps[level](r) for r in row) for row in ratings)
        assert alpha_of(mapped, level) == (None if found is None else pytest.approx(found, abs=1e-9))


@holds_for(rating_tables(), examples=15)
def alpha_interval_redraws(ratings: Ratings) -> None:
    """Each draw is the alpha of the units that were drawn, put side by side."""
    units = [unit for unit in zip(*ratings, strict=True) if sum(r is not None for r in unit) > 1]
    found = krippendorff_interval(ratings, "ordinal", draws=60, seed=5)
    if not isinstance(found, Estimate):
        return
    drawn = np.random.default_rng(5).integers(0, len(units), (60, len(units)))
    alphas = [alpha_by_pairs(tuple(zip(*(units[i] for i in row), strict=True)), "ordinal") for row in drawn]
    kept = [alpha for alpha in alphas if alpha is not None]
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(kept, (0.025, 0.975))), abs=1e-9)
    assert found.undefined_draws == 60 - len(kept)


@holds_for(rating_tables(missing=False))
def kappa_reference(ratings: Ratings) -> None:
    """Statsmodels gives the same kappa and standard error for each kind of weights."""
    a, b = ratings[:2]
    table = np.zeros((5, 5))
    np.add.at(table, (np.array(a), np.array(b)), 1)
    ways: dict[Weights, str | None] = {"none": None, "linear": "linear", "quadratic": "quadratic"}
    for weights, theirs in ways.items():
        found = weighted_kappa(a, b, range(5), weights)
        if not isinstance(found, Kappa):
            assert len({*a, *b}) == 1
            continue
        with np.errstate(invalid="ignore"):
            reference = cohens_kappa(table, wt=theirs)
        assert found.value == pytest.approx(reference.kappa, abs=1e-12)
        if not isinstance(found.se, Undefined):
            assert found.se == pytest.approx(reference.std_kappa, rel=1e-7)


@holds_for(rating_tables())
def kappa_symmetry(ratings: Ratings) -> None:
    """Exchanging the raters, or reading the categories backwards, changes nothing; 1 is the most."""
    a, b = ratings[:2]
    found = weighted_kappa(a, b, range(5))
    others = weighted_kappa(b, a, range(5)), weighted_kappa(a[::-1], b[::-1], range(4, -1, -1))
    for other in others:
        if isinstance(found, Kappa) and isinstance(other, Kappa):
            assert other.value == pytest.approx(found.value, abs=1e-12)
            assert -1 <= found.value <= 1 and (found.value == 1) == (found.observed == 1)
        else:
            assert isinstance(found, Undefined) and isinstance(other, Undefined)


@holds_for(rating_tables(missing=False))
def fleiss_reference(ratings: Ratings) -> None:
    """Statsmodels gives the same; order and names of the categories do not matter."""
    found = fleiss_kappa(ratings)
    renamed = fleiss_kappa([[f"c{(3 * (r or 0)) % 5}" for r in row[::-1]] for row in ratings[::-1]])
    if isinstance(found, Undefined):
        assert len({r for row in ratings for r in row}) == 1 and isinstance(renamed, Undefined)
        return
    table, _ = aggregate_raters(np.array(ratings).T)
    assert found == pytest.approx(reference_fleiss(table), abs=1e-12)
    assert renamed == pytest.approx(found, abs=1e-12)


def confusion_is_correlation(s: Sample) -> None:
    """MCC is Pearson's correlation of the two, symmetric, and blind to which class is called 1."""
    said = [int(x > 0) for x in s.x]
    found = confusion(s.outcome, said)
    if isinstance(found.mcc, Undefined):
        assert len(set(said)) == 1
        return
    assert found.mcc == pytest.approx(np.corrcoef(s.outcome, said)[0, 1], abs=1e-12)
    assert confusion(said, s.outcome).mcc == pytest.approx(found.mcc)
    assert confusion(s.flipped().outcome, [1 - each for each in said]).mcc == pytest.approx(found.mcc)


def confusion_rates(s: Sample) -> None:
    """The counts add up, and every rate lies inside its interval inside 0 to 1."""
    found = confusion(s.outcome, [int(x > 0) for x in s.x])
    assert found.n == len(s.outcome) and found.tp + found.fn == sum(s.outcome)
    for name in ("accuracy", "sensitivity", "specificity", "prevalence"):
        rate = numbers_of(found.rate(name))
        assert 0 <= rate.low <= rate.value <= rate.high <= 1


@holds_for(stated_chances())
def brier_parts(stated: Stated) -> None:
    """The score is the mean square; its parts add up to it, and nothing is left over where bins hold one."""
    outcome, chances = stated
    for bins in (1, 5, 101):
        found = brier(outcome, chances, bins=bins)
        assert isinstance(found, Brier)
        assert found.score == pytest.approx(np.mean((np.array(outcome) - chances) ** 2))
        parts = found.reliability - found.resolution + found.uncertainty + found.within
        assert parts == pytest.approx(found.score, abs=1e-12)
        assert min(found.reliability, found.resolution, found.uncertainty) >= 0
        assert bins < 101 or found.within == pytest.approx(0, abs=1e-12)


@holds_for(stated_chances())
def curve_holds_all(stated: Stated) -> None:
    """The bins hold each row once, their means lie between their bounds, and their rates average out."""
    outcome, chances = stated
    for by in ("width", "size"):
        curve = reliability_curve(outcome, chances, bins=4, by=by)
        assert sum(part.n for part in curve) == len(outcome)
        assert sum(part.n * part.rate for part in curve) == pytest.approx(sum(outcome))
        for part in curve:
            assert part.low - 1e-12 <= part.mean_chance <= part.high + 1e-12
            assert 0 <= part.rate_low <= part.rate <= part.rate_high <= 1


@holds_for(stated_chances())
def calibration_bounds(stated: Stated) -> None:
    """The error lies between the overall gap and 1; one bin has the overall gap; perfection has none."""
    outcome, chances = stated
    overall = abs(np.mean(outcome) - np.mean(chances))
    assert expected_calibration_error(outcome, chances, bins=1) == pytest.approx(overall)
    found = expected_calibration_error(outcome, chances)
    assert not isinstance(found, Undefined)
    assert overall - 1e-12 <= found <= 1
    assert expected_calibration_error(outcome, outcome) == 0


def won_by_pair(outcome: tuple[int, ...], score: tuple[int, ...]) -> NDArray[np.float64]:
    """Return for each 1 (rows) and 0 (columns) whether the 1 has the higher score, equal ones half."""
    values, is_one = np.array(score), np.array(outcome) == 1
    ones, zeros = values[is_one][:, None], values[~is_one][None, :]
    return np.asarray((ones > zeros) + (ones == zeros) / 2)


def auc_brute_force(s: Sample) -> None:
    """The area is the share of pairs won, the same for any rising map, and mirrored by a falling one."""
    found = auc(s.outcome, s.x)
    assert isinstance(found, Estimate)
    assert found.value == pytest.approx(won_by_pair(s.outcome, s.x).mean(), abs=1e-12)
    same, mirrored = auc(s.outcome, [x**3 + x for x in s.x]), auc(s.outcome, [-x for x in s.x])
    assert same == found
    assert isinstance(mirrored, Estimate) and mirrored.value == pytest.approx(1 - found.value)
    assert mirrored.se == (found.se if isinstance(found.se, Undefined) else pytest.approx(found.se))


def difference_by_hand(s: Sample) -> None:
    """The difference and its error are those of the placements, by hand; exchanging turns the sign."""
    found, turned = auc_difference(s.outcome, s.x, s.z), auc_difference(s.outcome, s.z, s.x)
    assert isinstance(found, AucDifference) and isinstance(turned, AucDifference)
    gaps = won_by_pair(s.outcome, s.x) - won_by_pair(s.outcome, s.z)
    ones = sum(s.outcome)
    assert found.difference == pytest.approx(gaps.mean(), abs=1e-12)
    assert turned.difference == pytest.approx(-found.difference, abs=1e-12)
    if not isinstance(found.se, Undefined):
        variance = gaps.mean(axis=1).var(ddof=1) / ones + gaps.mean(axis=0).var(ddof=1) / gaps.shape[1]
        assert found.se == pytest.approx(np.sqrt(variance)) and turned.p == pytest.approx(found.p)


LAWS: Laws = {
    "auc": [auc_brute_force],
    "auc_difference": [difference_by_hand],
    "brier": [brier_parts],
    "confusion": [confusion_is_correlation, confusion_rates],
    "expected_calibration_error": [calibration_bounds],
    "fleiss_kappa": [fleiss_reference],
    "krippendorff_alpha": [alpha_brute_force, alpha_order, alpha_levels],
    "krippendorff_interval": [alpha_interval_redraws],
    "reliability_curve": [curve_holds_all],
    "weighted_kappa": [kappa_reference, kappa_symmetry],
}
