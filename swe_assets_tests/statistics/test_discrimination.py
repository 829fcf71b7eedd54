"""The area under the ROC curve with DeLong's error: by hand, simulated, and where there is none."""

import numpy as np
import pytest

from swe_assets.errors import InputError
from swe_assets.statistics import Undefined, auc, auc_difference
from swe_assets.statistics.auc_bootstrap import auc_interval
from swe_assets.statistics.bootstrap import Bootstrap
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


def test_drawn_area_is_each_draws_own() -> None:
    """The bootstrap's value is DeLong's, its bounds are quantiles of areas counted pair by pair."""
    outcome, scores = [0, 1, 0, 1, 1, 0, 1, 0, 1, 0], [1, 2, 2, 3, 1, 4, 5, 3, 5, 2]
    how = Bootstrap(method="percentile", draws=300, seed=3)
    found = auc_interval(outcome, scores, how=how)
    assert isinstance(found, Estimate)
    areas = []
    for row in np.random.default_rng(3).integers(0, 10, (300, 10)):
        ones, zeros = ([scores[at] for at in row if outcome[at] == kind] for kind in (1, 0))
        if ones and zeros:
            areas.append(np.mean([(a > b) + (a == b) / 2 for a in ones for b in zeros]))
    assert found.value == pytest.approx(16 / 25)
    assert [found.low, found.high] == pytest.approx(np.quantile(areas, [0.025, 0.975]).tolist())


def test_drawn_area_over_clusters() -> None:
    """Whole clusters are drawn: five copies of each row as a cluster have the interval of the rows."""
    outcome, scores = [0, 1, 0, 1, 1, 0, 1, 0, 1, 0, 1, 0], [1, 2, 2, 3, 1, 4, 5, 3, 5, 2, 6, 0]
    rows = auc_interval(outcome, scores)
    copies = auc_interval(
        np.repeat(outcome, 5), np.repeat(scores, 5), clusters=np.repeat(range(12), 5).tolist()
    )
    assert isinstance(rows, Estimate) and isinstance(copies, Estimate)
    assert [copies.low, copies.high] == pytest.approx([rows.low, rows.high])
    assert auc_interval([1, 1], [1, 2]) == Undefined("one class only: 2 of 2 outcomes are 1")
