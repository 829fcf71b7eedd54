"""Influence, clusters, exact results, held-out chances and cells of a logit, and where there are none."""

import math

import numpy as np
import pytest

from swe_assets.errors import InputError
from swe_assets.statistics import (
    Undefined,
    auc,
    cluster_logit,
    cross_validated,
    exact_logit,
    firth_test,
    leave_one_out,
    logit,
    separation_cells,
)
from swe_assets.statistics.cluster_logit import ClusteredLogit
from swe_assets.statistics.exact_logit import ExactLogit
from swe_assets.statistics.influence import NO_TEST
from swe_assets.statistics.logistic import NoLogit
from swe_assets_tests.statistics.numbers_found import answer, number

Rows = tuple[list[int], dict[str, np.ndarray]]


def made_up(n: int, seed: int = 5) -> Rows:
    """Return outcomes that follow x, and not z."""
    random = np.random.default_rng(seed)
    x, z = random.normal(size=n), random.normal(size=n)
    return (random.random(n) < 1 / (1 + np.exp(-x))).astype(int).tolist(), {"x": x, "z": z}


def test_one_row_carries_the_result() -> None:
    """An outlier that alone makes z significant is named, with what is left without it."""
    y, x = made_up(60)
    x["z"][7], y[7] = 40.0, 1
    found = leave_one_out(y, x)
    z = answer(found).terms[2]
    assert z.lowest and z.highest and 7 in {z.lowest.row, z.highest.row}
    without = logit(y[:7] + y[8:], {name: np.delete(column, 7) for name, column in x.items()})
    extreme = z.lowest if z.lowest.row == 7 else z.highest
    assert extreme.coef == pytest.approx(answer(without).terms[2].coef, rel=1e-6)


def test_row_that_keeps_the_estimate_finite() -> None:
    """The single failure of a flag's rows is all that keeps its coefficient finite: without it, undefined."""
    flag = [1] * 6 + [0] * 10
    y = [1, 1, 1, 1, 1, 0] + [0, 1] * 5
    found = answer(leave_one_out(y, {"flag": flag}))
    gone = [each.row for each in found.terms[1].turning if isinstance(each.coef, Undefined)]
    assert gone == [5]
    assert 5 in found.carried["flag"]
    penalised = answer(leave_one_out(y, {"flag": flag}, method="firth"))
    assert not any(isinstance(each.coef, Undefined) for term in penalised.terms for each in term.turning)


def test_large_sample_refits_the_most_influential() -> None:
    """Of 6000 rows some hundred are refitted, the planted outlier among them."""
    y, x = made_up(6000)
    x["z"][123], y[123] = 60.0, 1
    found = answer(leave_one_out(y, x))
    assert 100 < found.refitted < 1000
    ends = found.terms[2].lowest, found.terms[2].highest
    assert 123 in {end.row for end in ends if end}


def test_a_test_that_does_not_end_is_undefined() -> None:
    """Of a separated sample one row leaves a penalised test without an end: named, undefined, not NaN."""
    x = [
        -2553,
        -138,
        1014,
        1352,
        654,
        1497,
        290,
        551,
        179,
        -1074,
        -847,
        380,
        -580,
        1272,
        1292,
        1799,
        -26,
        1384,
    ]
    x += [-906, -816, 81, 281, -1599, -1730, 355, -862, 1208, 395, 307]
    z = [2, 3, 0, 1, 3, 3, 1, 1, 3, 1, 1, 3, 1, 0, 2, 3, 3, 3, 3, 3, 1, 0, 2, 0, 2, 3, 1, 1, 2]
    y = [int(value > 300) for value in x]
    found = answer(leave_one_out(y, {"x": x, "z": z}, method="firth"))
    for term in found.terms:
        told = [one.p for one in (term.lowest, term.highest, *term.turning) if one]
        assert all(isinstance(p, Undefined) or math.isfinite(p) for p in told)
        assert all(one.p == NO_TEST and not isinstance(one.coef, Undefined) for one in term.untested)
    assert [[one.row for one in term.untested] for term in found.terms] == [[], [], [20]]


def test_where_a_predictor_begins_tells_nothing() -> None:
    """Ten thousand added to a predictor changes no slope and no penalised p of any row left out."""
    y, x = made_up(30)
    y[:4] = [1, 0, 0, 1]
    moved = {"x": x["x"] + 1e4, "z": x["z"]}
    pair = [answer(leave_one_out(y, rows, method="firth")).terms[1] for rows in (x, moved)]
    for one, other in zip((pair[0].lowest, pair[0].highest), (pair[1].lowest, pair[1].highest), strict=True):
        assert one.row == other.row and one.p == pytest.approx(other.p, rel=1e-5)
    assert pair[1].untested == ()


def test_influence_needs_a_fit() -> None:
    """Without a fit of all rows there is no influence, and the obstacle is kept; firth has one."""
    y, x = [0, 0, 0, 1, 1, 1], {"x": [1, 2, 3, 4, 5, 6]}
    found = leave_one_out(y, x)
    assert isinstance(found, NoLogit) and found.obstacle == "complete separation"
    assert answer(leave_one_out(y, x, method="firth")).refitted == 6
    with pytest.raises(InputError, match="method 'gee'"):
        leave_one_out(y, x, method="gee")  # type: ignore[arg-type] # the point


def test_copies_in_clusters() -> None:
    """Every row four times, as a cluster, has about the robust errors of the rows; plain ones are half."""
    y, x = made_up(80)
    rows = answer(cluster_logit(y, x, range(80)))
    fourfold = {name: np.repeat(column, 4) for name, column in x.items()}
    copies = cluster_logit(np.repeat(y, 4), fourfold, np.repeat(range(80), 4).tolist())
    assert isinstance(copies, ClusteredLogit)
    for one, four in zip(rows.terms, copies.terms, strict=True):
        assert four.se == pytest.approx(one.se, rel=0.03)
        assert four.plain_se == pytest.approx(one.plain_se / 2, rel=1e-4)
    assert rows.note == "" and copies.clusters == 80


def test_few_clusters() -> None:
    """Few clusters are warned of; no more than coefficients are too few; separation stays an obstacle."""
    y, x = made_up(60)
    few = answer(cluster_logit(y, x, [at % 5 for at in range(60)]))
    assert few.note == "only 5 clusters: the errors are likely too small"
    assert cluster_logit(y, x, [at % 3 for at in range(60)]) == Undefined(
        "3 clusters for 3 coefficients: more clusters are needed"
    )
    assert isinstance(cluster_logit([0, 0, 1, 1], {"x": [1, 2, 3, 4]}, "abcd"), NoLogit)


def test_tea_tasting() -> None:
    """Fisher's tea tasting, three of four right: p 34/70, and the bounds solve their polynomials."""
    found = exact_logit([1, 1, 1, 0, 1, 0, 0, 0], {"milk": [1, 1, 1, 1, 0, 0, 0, 0]})
    term = answer(found).terms[0]
    estimate, low, high = (math.exp(number(value)) for value in (term.estimate, term.low, term.high))

    def chances(ratio: float) -> list[float]:
        weights = [math.comb(4, k) ** 2 * ratio**k for k in range(5)]
        return [weight / sum(weights) for weight in weights]

    assert term.p == pytest.approx(34 / 70)
    assert estimate == pytest.approx(6.408309, rel=1e-5)  # R's fisher.test
    assert sum(k * chance for k, chance in enumerate(chances(estimate))) == pytest.approx(3)
    assert sum(chances(low)[3:]) == pytest.approx(0.025) == sum(chances(high)[:4])


def test_exact_of_a_zero_cell() -> None:
    """All of four against none of four: infinite estimate, 1/35 two-sided, finite median and lower bound."""
    found = exact_logit([1, 1, 1, 1, 0, 0, 0, 0], {"g": [1, 1, 1, 1, 0, 0, 0, 0]})
    term = answer(found).terms[0]
    assert isinstance(term.estimate, Undefined) and term.estimate.infinite
    assert isinstance(term.high, Undefined) and term.high.infinite
    assert term.p == pytest.approx(2 / 70)
    assert 0 < number(term.low) < number(term.median_unbiased)


def test_exact_gives_up() -> None:
    """A sample that is not tiny is refused; a predictor that the others fix has nothing to say."""
    random = np.random.default_rng(1)
    large = exact_logit(random.integers(0, 2, 60), {"x": random.normal(size=60)})
    assert isinstance(large, Undefined) and large.reason.endswith("not a tiny table")
    fixed = exact_logit([1, 0, 1], {"x": [1, 2, 4], "z": [1, 1, 1]})
    assert isinstance(fixed, ExactLogit)
    assert isinstance(fixed.terms[1].p, Undefined)
    one_class = exact_logit([0, 0, 0], {"x": [1, 2, 4]})
    assert isinstance(answer(one_class).terms[0].p, Undefined)


def test_held_out_is_less_than_fitted() -> None:
    """Noise predicts itself when fitted and nothing when held out."""
    random = np.random.default_rng(9)
    y = random.integers(0, 2, 120).tolist()
    x = {f"x{at}": random.normal(size=120) for at in range(12)}
    fit = answer(logit(y, x))
    fitted = sum(term.coef * x[term.name] for term in fit.terms[1:])
    held = answer(cross_validated(y, x))
    assert answer(auc(y, fitted)).value > 0.65
    assert answer(auc(y, held.chances)).value < 0.6


def test_clusters_stay_together() -> None:
    """Rows of a cluster share a fold, and fewer clusters than folds are too few."""
    y, x = made_up(90)
    clusters = [at % 9 for at in range(90)]
    held = answer(cross_validated(y, x, folds=3, clusters=clusters))
    assert len(set(zip(clusters, held.folds, strict=True))) == 9
    assert cross_validated(y, x, clusters=clusters) == Undefined("9 clusters for 10 folds")


def test_held_out_undefined() -> None:
    """Too few of a class, and a separated part for ml, which firth predicts all the same."""
    y, x = [0, 0, 0, 0, 1, 1, 1, 1], {"x": [1, 2, 3, 4, 5, 6, 7, 8]}
    assert cross_validated(y, x) == Undefined("4 rows of the rarer class for 10 folds")
    separated = cross_validated(y, x, folds=2)
    assert isinstance(separated, Undefined) and "complete separation" in separated.reason
    assert len(answer(cross_validated(y, x, folds=2, method="firth")).chances) == 8
    with pytest.raises(InputError, match="folds 1"):
        cross_validated(y, x, folds=1)


def test_cells_of_a_flag_and_of_a_scale() -> None:
    """An empty cell of a flag, and the end of a scale with one outcome, are named with their counts."""
    flag = answer(separation_cells([1, 1, 0, 1, 0], {"flag": [1, 1, 0, 0, 0]}))
    assert [(cell.low, cell.ones, cell.zeros) for cell in flag] == [(1, 2, 0)]
    scale = answer(separation_cells([0] * 8 + [1] * 7, {"x": list(range(15))}))
    assert [str(cell) for cell in scale] == [
        "x from 0 to 7: 0 of 8 rows have outcome 1",
        "x from 8 to 14: 7 of 7 rows have outcome 1",
    ]
    assert separation_cells([0, 1, 0, 1], {"x": [1, 2, 3, 4]}) == ()


def test_penalised_test_refuses() -> None:
    """A name that is no predictor is an error; collinear predictors have no test."""
    with pytest.raises(InputError, match=r"without \['const'\]"):
        firth_test([0, 1, 0, 1], {"x": [1, 2, 3, 4]}, ["const"])
    assert isinstance(firth_test([0, 1, 0, 1], {"x": [1, 2, 3, 4], "w": [2, 4, 6, 8]}), Undefined)
