"""The design of a regression: its checks and its change of scale."""

import numpy as np
import pytest

from swe_assets.errors import InputError
from swe_assets.statistics.design import binary, design


def test_design_has_an_intercept_first() -> None:
    """Column 0 is the intercept, the predictors follow by name and order."""
    data = design([0, 1, True], {"b": ["1", 2, 3.5], "a": [0, 0, 1]})
    assert data.terms == ("const", "b", "a")
    assert data.matrix.tolist() == [[1, 1, 0], [1, 2, 0], [1, 3.5, 1]]
    assert (data.n, data.events) == (3, 2)


def test_standardised_matrix_and_way_back() -> None:
    """The transform carries the matrix to mean 0 and sd 1, and coefficients back."""
    data = design([0, 1, 0, 1], {"a": [1, 2, 3, 5], "b": [100, 300, 200, 700]})
    scaled, transform = data.standardised()
    assert np.allclose(data.matrix @ transform, scaled)
    assert np.allclose(scaled[:, 1:].mean(axis=0), 0) and np.allclose(scaled[:, 1:].std(axis=0), 1)


def test_constant_predictors() -> None:
    """Only predictors without any variation are constant."""
    assert design([0, 1], {"k": [4, 4], "a": [1, 2]}).constant() == ["k"]


@pytest.mark.parametrize("bad", [2, -1, 0.5])
def test_outcome_must_be_binary(bad: float) -> None:
    """Any other outcome is named by row and value."""
    with pytest.raises(InputError, match=r"column 'outcome', row 2: .* is neither 0 nor 1"):
        binary([0, bad])


def test_lengths_must_agree() -> None:
    """Outcome and predictors need as many rows."""
    with pytest.raises(InputError, match="different lengths"):
        design([0, 1], {"a": [1, 2, 3]})
