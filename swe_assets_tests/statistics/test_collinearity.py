"""Variance inflation factors by hand, beside statsmodels, and where there are none."""

import warnings

import numpy as np
import pytest
from statsmodels.stats.outliers_influence import variance_inflation_factor

from swe_assets.statistics import Undefined, vif


def test_two_predictors_by_hand() -> None:
    """With two predictors both factors are 1 / (1 - r^2)."""
    a, b = [1, 2, 3, 4, 5], [2, 1, 4, 3, 5]
    r = np.corrcoef(a, b)[0, 1]
    assert list(vif({"a": a, "b": b}).values()) == pytest.approx([1 / (1 - r**2)] * 2)


def test_uncorrelated_and_single_predictors() -> None:
    """Without any correlation, and without any other predictor, the factor is 1."""
    assert vif({"a": [1, 1, -1, -1], "b": [1, -1, 1, -1]}) == pytest.approx({"a": 1, "b": 1})
    assert vif({"a": [1, 2, 4]}) == {"a": 1.0}


def test_statsmodels_with_a_constant_agrees() -> None:
    """Statsmodels gives the same for a design with an intercept, left as it is."""
    random = np.random.default_rng(3)
    x = random.normal(size=(80, 3)) @ np.array([[1, 0.8, 0], [0, 1, 0.5], [0, 0, 1]]) + 5
    design = np.column_stack([np.ones(80), x])
    reference = [variance_inflation_factor(design, j, standardize=False) for j in (1, 2, 3)]
    assert list(vif(dict(zip("abc", x.T, strict=True))).values()) == pytest.approx(reference, rel=1e-9)


def test_nearly_collinear_is_large_and_exact() -> None:
    """A relation but for a hundred-thousandth gives a factor of the right size, without a warning."""
    random = np.random.default_rng(4)
    a, noise = random.normal(size=200), random.normal(size=200)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = vif({"a": a, "b": a + 1e-5 * noise})["a"]
    assert found == pytest.approx(np.var(a) / np.var(1e-5 * noise), rel=0.1)


@pytest.mark.parametrize("scale", [1e-6, 1, 1e9])
def test_perfectly_collinear_is_infinite_and_named(scale: float) -> None:
    """The members of a relation are infinite, a bystander keeps its factor."""
    a, b, z = [1, 2, 3, 4, 5, 6], [6, 1, 5, 2, 4, 3], [0, 1, 0, 1, 1, 0]
    found = vif({"a": a, "b": b, "sum": [scale * (x + y) + 7 for x, y in zip(a, b, strict=True)], "z": z})
    for name in ("a", "b", "sum"):
        value = found[name]
        assert isinstance(value, Undefined) and value.infinite and repr(name) in value.reason
    assert not isinstance(found["z"], Undefined)


def test_constant_predictor_is_undefined_for_itself_only() -> None:
    """A constant predictor has no factor and changes no other's."""
    found = vif({"a": [1, 2, 3, 4], "b": [1, 3, 2, 4], "k": [7, 7, 7, 7]})
    assert found["k"] == Undefined("predictor 'k' is constant")
    assert found["a"] == pytest.approx(1 / (1 - 0.64))


def test_fewer_rows_than_parameters() -> None:
    """With fewer rows than parameters nothing is defined, and it is not called infinite."""
    assert vif({"a": [1, 2], "b": [2, 1]}) == dict.fromkeys("ab", Undefined("2 rows for 3 parameters"))
