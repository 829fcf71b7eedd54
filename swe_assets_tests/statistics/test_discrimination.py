"""The area under the ROC curve with DeLong's error: by hand, simulated, and where there is none."""

import numpy as np
import pytest

from swe_assets.errors import InputError
from swe_assets.statistics import Undefined, auc, auc_difference
from swe_assets.statistics.discrimination import AucDifference
from swe_assets.statistics.estimate import Estimate


def test_by_hand() -> None:
    """Placements 1/2, 1, 1 and 1, 5/6, 2/3: variance 1/36 + 1/108."""
    found = auc([0, 0, 1, 0, 1, 1], [1, 2, 2, 3, 4, 5])
    assert isinstance(found, Estimate)
    assert [found.value, found.se] == pytest.approx([7.5 / 9, (1 / 36 + 1 / 108) ** 0.5])
    assert found.high == 1


def test_covers_the_binormal_area() -> None:
    """Of 300 samples from two normals about 95 % of the intervals hold Phi(1 / sqrt 2) = 0.760."""
    random, held = np.random.default_rng(8), 0
    outcome = [0] * 60 + [1] * 60
    for _ in range(300):
        found = auc(outcome, np.concatenate([random.normal(0, 1, 60), random.normal(1, 1, 60)]))
        assert isinstance(found, Estimate)
        held += found.low <= 0.7602499 <= found.high  # type: ignore[operator] # both are floats here
    assert 0.91 <= held / 300 <= 0.98


def test_no_overlap_has_no_interval() -> None:
    """Classes that do not overlap have the area 1, and no error to go by."""
    found = auc([0, 0, 1, 1], [1, 2, 3, 4])
    assert isinstance(found, Estimate)
    assert found.value == 1
    assert found.se == found.low == Undefined("the placements have no spread")
    lone = auc([0, 0, 1], [1, 3, 2])
    assert isinstance(lone, Estimate) and lone.se == Undefined("a class of one case has no spread")


def test_same_score_twice() -> None:
    """A score against itself differs by 0, and the test has no error to go by."""
    found = auc_difference([0, 1, 0, 1], [1, 2, 3, 4], [2, 4, 6, 8])
    assert isinstance(found, AucDifference)
    assert found.difference == 0
    assert isinstance(found.p, Undefined)


def test_one_class() -> None:
    """With one class only there is nothing to tell apart."""
    assert auc([1, 1], [1, 2]) == Undefined("one class only: 2 of 2 outcomes are 1")
    assert isinstance(auc_difference([1, 1], [1, 2], [1, 2]), Undefined)


def test_refused() -> None:
    """A missing score is named by column and row."""
    with pytest.raises(InputError, match="column 'scores', row 2: None is not a finite number"):
        auc([0, 1], [1, None])
