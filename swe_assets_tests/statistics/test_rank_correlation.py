"""Spearman's rank correlation against published and hand-made values."""

import math
from itertools import permutations

import numpy as np
import pytest
import scipy.stats

from swe_assets.errors import InputError
from swe_assets.statistics import Undefined, spearman

IQ = [106, 100, 86, 101, 99, 103, 97, 113, 112, 110]
HOURS = [7, 27, 2, 50, 28, 29, 20, 12, 6, 17]


def test_textbook_example() -> None:
    """The textbook's ten people have rho = -29/165 and p = 0.627188."""
    found = spearman({"iq": IQ, "hours": HOURS})
    assert found.rho["iq", "hours"] == pytest.approx(-29 / 165, abs=1e-15)
    assert found.p["iq", "hours"] == pytest.approx(0.627188, abs=1e-6)


def test_every_ordered_pair_and_the_diagonal() -> None:
    """Three columns give nine cells: the diagonal has rho 1 and no p."""
    found = spearman({"a": [1, 2, 3, 4], "b": [1, 3, 2, 4], "c": [4, 1, 3, 2]})
    assert set(found.rho) == set(found.p) == {(x, y) for x in "abc" for y in "abc"}
    assert [found.rho[x, x] for x in "abc"] == [1, 1, 1]
    assert all(isinstance(found.p[x, x], Undefined) for x in "abc")


def test_constant_column_spoils_its_own_pairs_only() -> None:
    """The pairs of a constant column are undefined and name it; the others keep their value."""
    found = spearman({"k": [5, 5, 5, 5], "a": [1, 2, 3, 4], "b": [1, 2, 4, 3]})
    assert found.rho["a", "b"] == pytest.approx(0.8)
    for pair in (("k", "a"), ("b", "k"), ("k", "k")):
        assert found.rho[pair] == Undefined("column 'k' is constant")


def test_missing_value_is_named() -> None:
    """A missing value makes its column's pairs undefined and is named by row, never dropped in silence."""
    found = spearman({"a": [1, None, 3], "b": [3, 1, 2], "c": [1, 2, 3]})
    assert found.rho["a", "b"] == Undefined("column 'a' has no value in row 2")
    assert found.rho["b", "c"] == pytest.approx(-0.5)


def test_p_is_never_zero_below_one() -> None:
    """One exchange in 2000 ranks gives p a positive bound, below any float; full agreement gives 0."""
    up = list(range(2000))
    nearly = [1, 0, *up[2:]]
    found = spearman({"up": up, "nearly": nearly, "same": up, "down": up[::-1]})
    assert found.p["up", "nearly"] == math.nextafter(0, 1)
    assert found.rho["up", "nearly"] != 1
    assert (found.rho["up", "same"], found.p["up", "same"]) == (1, 0)
    assert (found.rho["up", "down"], found.p["up", "down"]) == (-1, 0)


def test_p_of_three_rows_by_hand() -> None:
    """With one degree of freedom t is Cauchy: rho = 1/2 gives p = 2/3."""
    found = spearman({"a": [1, 2, 3], "b": [1, 3, 2]})
    assert found.rho["a", "b"] == pytest.approx(0.5)
    assert found.p["a", "b"] == pytest.approx(2 / 3, rel=1e-12)


def test_agrees_with_scipy_over_many_sizes() -> None:
    """Rho agrees within 1e-12 and p within 1e-10 of itself, down to the smallest p."""
    random = np.random.default_rng(5)
    for n in (4, 11, 60, 500, 3000):
        x = random.integers(0, n // 2, n)
        for noise in (0.2, 1.0, 5.0):
            y = np.round(x + random.normal(0, noise * n / 8, n))
            found, reference = spearman({"x": x, "y": y}), scipy.stats.spearmanr(x, y)
            assert found.rho["x", "y"] == pytest.approx(reference.statistic, abs=1e-12)
            if found.rho["x", "y"] != 1:
                assert found.p["x", "y"] == pytest.approx(reference.pvalue, rel=1e-10, abs=1e-300)


def test_rho_is_the_mean_over_ties_broken_by_hand() -> None:
    """Average ranks are those of ties broken in every order, averaged."""
    tied, other = [1, 2, 2, 3], [4, 1, 3, 2]
    ranks = np.mean([[1, *middle, 4] for middle in permutations((2, 3))], axis=0)
    by_hand = np.corrcoef(ranks, other)[0, 1]
    assert spearman({"t": tied, "o": other}).rho["t", "o"] == pytest.approx(by_hand)


@pytest.mark.parametrize(("n", "rho"), [(0, None), (1, None), (2, 1.0)])
def test_few_rows(n: int, rho: float | None) -> None:
    """Below two rows there is no rho, below three no p."""
    found = spearman({"a": list(range(n)), "b": list(range(n))})
    assert isinstance(found.p["a", "b"], Undefined)
    assert found.rho["a", "b"] == rho if rho else isinstance(found.rho["a", "b"], Undefined)


def test_infinite_values_have_ranks() -> None:
    """Infinity is the largest rank, as for any other order."""
    assert spearman({"a": [1, "Infinity", 2], "b": [1, 3, 2]}).rho["a", "b"] == 1


def test_unusable_columns_are_refused() -> None:
    """Text that is no number is named by column, row and value; lengths are named where they differ."""
    with pytest.raises(InputError, match="column 'a', row 2: 'ten' is not a number"):
        spearman({"a": [1, "ten"], "b": [1, 2]})
    with pytest.raises(InputError, match=r"different lengths: \{'a': 1, 'b': 2\}"):
        spearman({"a": [1], "b": [1, 2]})
