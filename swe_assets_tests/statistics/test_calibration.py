"""Brier score and reliability by hand, at the edges of bins, and without rows."""

import pytest

from swe_assets.errors import InputError
from swe_assets.statistics import Undefined, brier, expected_calibration_error, reliability_curve
from swe_assets.statistics.calibration import Brier


def test_perfect_and_opposite() -> None:
    """Certainty that comes true scores 0 with skill 1; certainty that does not scores 1."""
    perfect, opposite = brier([0, 1, 1], [0, 1, 1]), brier([0, 1, 1], [1, 0, 0])
    assert isinstance(perfect, Brier) and isinstance(opposite, Brier)
    assert (perfect.score, perfect.skill, opposite.score) == (0, 1, 1)


def test_overall_rate_has_no_skill() -> None:
    """Stating the overall rate for all is calibrated, resolves nothing and has skill 0."""
    found = brier([1, 1, 1, 0], [0.75] * 4)
    assert isinstance(found, Brier)
    assert [found.reliability, found.resolution, found.skill] == pytest.approx([0, 0, 0])


def test_within_bin_part() -> None:
    """In one bin the score keeps what the chances' own spread adds: -2 cov(p, y) + var(p)."""
    found = brier([1, 0], [0.8, 0.2], bins=1)
    assert isinstance(found, Brier)
    assert found.within == pytest.approx(-2 * 0.15 + 0.09)
    assert found.bins == 1


def test_edges_of_bins() -> None:
    """A bin holds its lower bound, the last one also 1, and tenths fall where they belong."""
    curve = reliability_curve([1] * 11, [tenth / 10 for tenth in range(11)])
    assert [(part.low, part.n) for part in curve] == [(b / 10, 1) for b in range(9)] + [(0.9, 2)]


def test_equal_size_keeps_ties_together() -> None:
    """Equal chances never part, however many they are."""
    curve = reliability_curve([1, 0, 1, 1, 0, 0], [0.1, 0.5, 0.5, 0.5, 0.5, 0.9], bins=3, by="size")
    assert [(part.low, part.high, part.n) for part in curve] == [(0.1, 0.5, 5), (0.9, 0.9, 1)]


def test_one_class_and_no_rows() -> None:
    """One class has a score without skill; no rows have nothing."""
    found = brier([1, 1], [0.9, 0.8])
    assert isinstance(found, Brier) and found.skill == Undefined("all outcomes are one class")
    assert brier([], []) == expected_calibration_error([], []) == Undefined("no rows")
    assert reliability_curve([], []) == ()


def test_refused() -> None:
    """A chance above 1 is named by row; a curve needs a bin."""
    with pytest.raises(InputError, match=r"column 'chances', row 2: 4.0 is no chance"):
        brier([0, 1], [0.5, 4])
    with pytest.raises(InputError, match="bins 0"):
        reliability_curve([0], [0.5], bins=0)
