"""The Shapiro-Wilk test against published values, and where it has none."""

import numpy as np
import pytest
import scipy.stats

from swe_assets.errors import InputError
from swe_assets.statistics import Undefined, shapiro_wilk
from swe_assets.statistics.normality import Normality

WEIGHTS_OF_MEN = [148, 154, 158, 160, 161, 162, 166, 170, 182, 195, 236]  # Shapiro and Wilk (1965), example 1


def found(values: object) -> Normality:
    """Return the test of values that have one."""
    test = shapiro_wilk(values)  # type: ignore[arg-type] # each caller gives an iterable
    assert isinstance(test, Normality)
    return test


def test_example_of_the_paper() -> None:
    """The eleven weights have W = 0.79 as printed in 1965, and R's p of 0.0067."""
    test = found(WEIGHTS_OF_MEN)
    assert (round(test.w, 2), round(test.p, 4), test.normal) == (0.79, 0.0067, False)


def test_three_values_by_hand() -> None:
    """Of three values W is (range / sqrt 2)^2 over the sum of squares."""
    test = found([0, 1, 5])
    assert test.w == pytest.approx((5 / np.sqrt(2)) ** 2 / 14)


@pytest.mark.parametrize("n", [12, 50, 500, 5000])
def test_normal_and_skewed_samples(n: int) -> None:
    """Normal quantiles are not rejected, their exponential is; SciPy agrees on both."""
    quantiles = scipy.stats.norm.ppf((np.arange(n) + 0.5) / n)
    for values, normal in ((quantiles, True), (np.exp(2 * quantiles), False)):
        test, reference = found(values), scipy.stats.shapiro(values)
        assert test.normal == normal
        assert (test.w, test.p) == pytest.approx((reference.statistic, reference.pvalue), rel=1e-6)


@pytest.mark.parametrize("scale", [1e-320, 1e-200, 1.0, 1e200, 7e305])
def test_extreme_scales(scale: float) -> None:
    """The scale of the values does not matter, however small or large."""
    assert found([scale * x for x in WEIGHTS_OF_MEN]).w == pytest.approx(0.7888, abs=2e-3)


def test_above_five_thousand_p_is_marked() -> None:
    """With more than 5000 values the note says that p is not accurate, and gives n."""
    test = found(np.arange(5001))
    assert test.note == "p is not accurate for more than 5000 values (n = 5001)"
    assert not found(np.arange(5000)).note


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([], "0 value(s), at least 3 are needed"),
        ([1, 2], "2 value(s), at least 3 are needed"),
        ([4.0] * 9, "all values are equal"),
        ([1, 2, None], "row 3 holds nan, which is not a finite number"),
        ([1, float("inf"), 2, 3], "row 2 holds inf, which is not a finite number"),
    ],
)
def test_undefined(values: list[object], reason: str) -> None:
    """Without three different finite values there is no W, and the reason says which case it is."""
    assert shapiro_wilk(values) == Undefined(reason)


def test_text_is_cast_or_refused() -> None:
    """Text numbers are cast; other text is an error."""
    assert found(map(str, WEIGHTS_OF_MEN)) == found(WEIGHTS_OF_MEN)
    with pytest.raises(InputError, match="row 1: 'x' is not a number"):
        shapiro_wilk(["x", 1, 2])
