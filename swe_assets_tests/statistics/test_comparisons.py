"""Paired comparisons, many tests, ranks and the rules of the jury: published values and edges."""

import numpy as np
import pytest

from swe_assets.errors import InputError
from swe_assets.statistics import (
    Undefined,
    benjamini_hochberg,
    clustered_mean,
    holm,
    mcnemar_exact,
    needs_adjudication,
    paired_difference,
    prediction_powered_mean,
    rank_intervals,
    swapped_verdict,
    technical_tie,
)
from swe_assets.statistics.bootstrap import Bootstrap
from swe_assets.statistics.estimate import Estimate
from swe_assets_tests.statistics.numbers_found import answer, numbers_of

SLEEP_A = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
SLEEP_B = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]


def test_students_sleep_data() -> None:
    """Student's (1908) ten patients: mean difference -1.58, t = -4.0621, p = 0.002833."""
    found = answer(paired_difference(SLEEP_A, SLEEP_B))
    assert found.mean == pytest.approx(-1.58)
    assert found.mean / found.se == pytest.approx(-4.0621, abs=5e-5)
    assert found.p == pytest.approx(0.002833, abs=5e-7)
    assert [found.low, found.high] == pytest.approx([-2.4598858, -0.7001142], abs=1e-6)


def test_equal_differences_have_no_test() -> None:
    """Where every difference is the same there is no spread, and one item is too few."""
    found = answer(paired_difference([2, 3, 4], [1, 2, 3]))
    assert found.mean == 1
    assert isinstance(found.p, Undefined) and isinstance(found.low, Undefined)
    assert isinstance(paired_difference([1], [2]), Undefined)


def test_paired_clusters() -> None:
    """Doubling every pair within its cluster changes neither the error nor the degrees of freedom."""
    plain = answer(paired_difference(SLEEP_A, SLEEP_B))
    doubled = answer(paired_difference(SLEEP_A * 2, SLEEP_B * 2, clusters=[*range(10)] * 2))
    assert [doubled.se, doubled.p, doubled.df] == pytest.approx([plain.se, plain.p, 9])


def test_mcnemar_all_concordant() -> None:
    """Without a discordant item p is 1; without items there is nothing; parts of items are errors."""
    assert answer(mcnemar_exact(5, 0, 0, 5)).p == 1
    assert mcnemar_exact(0, 0, 0, 0) == Undefined("no item")
    with pytest.raises(InputError, match="whole numbers"):
        mcnemar_exact(1, -1, 0, 0)


def test_newcombe_covers() -> None:
    """Of 600 paired samples with a true difference of 0.2 about 95 % of the intervals hold it."""
    random, held = np.random.default_rng(3), 0
    for both, a, b, neither in random.multinomial(80, (0.5, 0.25, 0.05, 0.2), size=600):
        found = answer(mcnemar_exact(both, a, b, neither))
        held += found.low <= 0.2 <= found.high
    assert 0.92 <= held / 600 <= 0.98


def test_holm_by_hand() -> None:
    """Holm's steps multiply by 4, 3, 2, 1 and never fall."""
    found = holm([0.01, 0.02, 0.03, 0.005])
    assert list(found.adjusted) == pytest.approx([0.03, 0.04, 0.04, 0.02])
    assert found.rejected == (True, True, True, True)


def test_family_without_tests() -> None:
    """An undefined p stays as it is; none at all make an empty family; a p above 1 is an error."""
    gone = Undefined("constant")
    assert benjamini_hochberg([gone, 0.04]).adjusted == (gone, 0.04)
    assert holm([]).tests == 0
    with pytest.raises(InputError, match=r"p value 2: 1\.5"):
        holm([0.1, 1.5])


def test_clustered_mean_undefined() -> None:
    """Equal scores have no error, cancelling clusters no robust one, one cluster nothing."""
    assert isinstance(answer(clustered_mean([1, 1, 1], "abc")).naive_se, Undefined)
    cancelling = answer(clustered_mean([0, 1, 1, 0], "aabb"))
    assert cancelling.naive_se == pytest.approx((1 / 12) ** 0.5)
    assert cancelling.cr1 == Undefined("the deviations of each cluster cancel")
    assert isinstance(clustered_mean([1, 2], "aa"), Undefined)


def test_prediction_powered_narrows() -> None:
    """A good judge of many makes the interval of few human scores narrower; a constant one says so."""
    random = np.random.default_rng(1)
    truth = random.normal(3, 1, 400)
    judged = truth + random.normal(0.5, 0.3, 400)
    few = numbers_of(prediction_powered_mean(truth[:40], judged[:40], judged[40:], weight=0))
    best = numbers_of(prediction_powered_mean(truth[:40], judged[:40], judged[40:]))
    assert best.high - best.low < 0.6 * (few.high - few.low)
    assert best.low < truth.mean() < best.high
    assert isinstance(prediction_powered_mean([1, 2], [3, 3], [3, 3]), Undefined)
    assert isinstance(prediction_powered_mean([1], [3], [3, 3]), Undefined)
    with pytest.raises(InputError, match="weight nan"):
        prediction_powered_mean([1, 2], [3, 3], [3, 3], weight=float("nan"))


def test_equal_competitors_share_ranks() -> None:
    """Two equal and one clearly better: first is certain, the others share second to third."""
    random = np.random.default_rng(2)
    scores = {"a": random.normal(2, 1, 60), "b": random.normal(0, 1, 60), "c": random.normal(0, 1, 60)}
    found = answer(rank_intervals(scores, how=Bootstrap(draws=500)))
    assert (found["a"].low, found["a"].high) == (1, 1)
    assert {(found[name].low, found[name].high) for name in "bc"} == {(2, 3)}
    assert isinstance(rank_intervals({"a": [1, 2]}), Undefined)


def test_rank_interval_covers_equals() -> None:
    """Of four equal competitors nearly every interval holds all four ranks' true value, 1."""
    random, held = np.random.default_rng(6), 0
    for _ in range(60):
        scores = {name: random.normal(size=40) for name in "abcd"}
        held += answer(rank_intervals(scores, how=Bootstrap(draws=200)))["a"].low == 1
    assert held >= 54


def test_jury_rules() -> None:
    """A gap of exactly the threshold is no reason; an unknown word, a negative threshold are errors."""
    assert needs_adjudication([0.1, 0.4], 0.3) is False  # as floats 0.30000000000000004 apart
    assert isinstance(needs_adjudication([1], 1), Undefined)
    with pytest.raises(InputError, match="threshold -1"):
        needs_adjudication([1, 2], -1)
    with pytest.raises(InputError, match="verdict 'A'"):
        swapped_verdict("A", "first")  # type: ignore[arg-type] # the point


def test_technical_tie_needs_intervals() -> None:
    """A result without an interval ties with nothing and differs from nothing."""
    bare = Estimate(value=1.0, low=Undefined("no spread"), high=2.0, n=3, method="t")
    assert technical_tie(bare, bare) == Undefined("no spread")
