"""Weighted and Fleiss' kappa: published values, and where there is none."""

import pytest

from swe_assets.errors import InputError
from swe_assets.statistics import Undefined, fleiss_kappa, weighted_kappa
from swe_assets.statistics.kappa import Kappa, Weights

TABLE = [[44, 5, 1], [7, 20, 3], [9, 5, 6]]
FLEISS_1971 = [
    "EEEEEE", "BBBDDD", "BDDDDE", "EEEEEE", "BBBDDD", "AADDDD", "CCEEEE", "AADDDE", "AADDDD", "EEEEEE",
]  # fmt: skip


def pairs(table: list[list[int]]) -> tuple[list[int], list[int]]:
    """Return the two raters' lists of a cross table."""
    each = [(i, j) for i, row in enumerate(table) for j, count in enumerate(row) for _ in range(count)]
    return [i for i, _ in each], [j for _, j in each]


@pytest.mark.parametrize(
    ("weights", "agreed", "by_chance"),
    [("none", 0.70, 0.41), ("linear", 0.80, 0.62), ("quadratic", 0.85, 0.725)],
)
def test_by_hand(weights: Weights, agreed: float, by_chance: float) -> None:
    """The agreements of a table with margins 50, 30, 20 and 60, 30, 10 are sums by hand."""
    found = weighted_kappa(*pairs(TABLE), [0, 1, 2], weights)
    assert isinstance(found, Kappa)
    assert found.n == 100
    assert [found.observed, found.expected] == pytest.approx([agreed, by_chance])
    assert found.value == pytest.approx((agreed - by_chance) / (1 - by_chance))


def test_none_is_left_out() -> None:
    """A unit that one rater skipped does not count."""
    found = weighted_kappa([1, 2, None, 2], [1, 2, 2, 1], [1, 2])
    assert isinstance(found, Kappa)
    assert found.n == 3


def test_full_agreement_has_no_error() -> None:
    """Kappa is 1, and its large-sample interval is undefined, not a point."""
    found = weighted_kappa([1, 2, 3], [1, 2, 3], [1, 2, 3])
    assert isinstance(found, Kappa)
    assert found.value == 1
    assert isinstance(found.low, Undefined) and isinstance(found.se, Undefined)


def test_undefined() -> None:
    """One category throughout, or no pair, has no kappa."""
    assert weighted_kappa([2, 2], [2, 2], [1, 2]) == Undefined("both raters give 2 to all 2 units")
    assert weighted_kappa([None], [1], [1, 2]) == Undefined("no unit was rated by both")


def test_fleiss_by_hand() -> None:
    """Ten units of six raters: the share of agreeing pairs and the squared margins, by hand."""
    ratings = [list(rater) for rater in zip(*FLEISS_1971, strict=True)]
    observed = (3 * 1 + 2 * 12 / 30 + 12 / 30 + 2 * 14 / 30 + 14 / 30 + 8 / 30) / 10
    counts = {"A": 6, "B": 7, "C": 2, "D": 21, "E": 24}
    expected = sum((count / 60) ** 2 for count in counts.values())
    assert fleiss_kappa(ratings) == pytest.approx((observed - expected) / (1 - expected))


def test_fleiss_undefined() -> None:
    """A missing rating, a single rater, and one category throughout have no Fleiss kappa."""
    assert fleiss_kappa([[1, 2]]) == Undefined("1 raters and 2 units")
    assert fleiss_kappa([[1, 1], [1, 1]]) == Undefined("no variance: all 4 ratings are 1")


@pytest.mark.parametrize(
    ("a", "b", "categories"), [([1], [1, 2], [1, 2]), ([1], [1], [1]), ([1], [1], [1, 1]), ([1], [3], [1, 2])]
)
def test_refused(a: list[int], b: list[int], categories: list[int]) -> None:
    """Unequal lists, too few categories, repeated ones and unknown ratings are errors."""
    with pytest.raises(InputError):
        weighted_kappa(a, b, categories)


def test_weights_and_raters_refused() -> None:
    """Unknown weights, and raters with unequal lists, are named."""
    with pytest.raises(InputError, match="weights 'cubic'"):
        weighted_kappa([1, 2], [1, 2], [1, 2], "cubic")  # type: ignore[arg-type] # the point
    with pytest.raises(InputError, match=r"raters with \[1, 2\] units"):
        fleiss_kappa([[1], [1, 2]])


def test_chance_agreement_is_zero_and_no_dust() -> None:
    """Where one rater gives one category throughout, observed is expected agreement: kappa is exactly 0."""
    found = weighted_kappa([3] * 7, [1, 2, 3, 4, 5, 5, 2], [1, 2, 3, 4, 5])
    assert isinstance(found, Kappa) and found.value == 0.0
