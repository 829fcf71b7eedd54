"""Krippendorff's alpha: the textbook's values, what is left out, and what is refused."""

import pytest

from swe_assets.errors import InputError
from swe_assets.statistics import Undefined, krippendorff_alpha, krippendorff_interval
from swe_assets.statistics.agreement import Alpha, Level
from swe_assets.statistics.estimate import Estimate
from swe_assets_tests.statistics.numbers_found import number

N = None
TEXTBOOK = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, N, N, N],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, N, 3],
    [N, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, N],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, N],
]
"""Four observers, twelve units: K. Krippendorff, Computing Krippendorff's alpha-reliability (2011)."""


@pytest.mark.parametrize(
    ("level", "value"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)]
)
def test_textbook(level: Level, value: float) -> None:
    """Krippendorff's own example gives his values on every level."""
    found = krippendorff_alpha(TEXTBOOK, level)
    assert isinstance(found, Alpha)
    assert (round(found.value, 3), found.units, found.ratings, found.raters) == (value, 11, 40, 4)


def test_unit_with_one_rating_does_not_count() -> None:
    """A unit that only one rated changes nothing."""
    more = [[*row, rating] for row, rating in zip(TEXTBOOK, (N, 5, N, N), strict=True)]
    assert krippendorff_alpha(more, "ordinal") == krippendorff_alpha(TEXTBOOK, "ordinal")


def test_undefined() -> None:
    """Without two ratings of a unit, or without any difference, there is no alpha."""
    assert krippendorff_alpha([[1, N], [N, 2]], "nominal") == Undefined("no unit has two ratings")
    assert krippendorff_alpha([], "nominal") == Undefined("no unit has two ratings")
    assert krippendorff_interval([[4, 4], [4, 4]], "ratio") == Undefined("no variance: all 4 ratings are 4")


def test_perfect_agreement_has_no_interval() -> None:
    """Where every draw agrees throughout the interval would be a point, and is refused."""
    found = krippendorff_interval([[1, 2, 3, 4, 5]] * 2, "ordinal", draws=500)
    assert isinstance(found, Undefined)
    assert found.reason.startswith("all ") and "width zero" in found.reason


def test_seed_and_confidence() -> None:
    """The same seed gives the same interval, and more confidence a wider one."""
    narrow, same, wide = (
        krippendorff_interval(TEXTBOOK, "ordinal", draws=800, seed=4, confidence=level)
        for level in (0.8, 0.8, 0.99)
    )
    assert isinstance(narrow, Estimate) and isinstance(wide, Estimate)
    assert narrow == same
    assert number(narrow.width) < number(wide.width)


@pytest.mark.parametrize(
    ("ratings", "level", "message"),
    [
        ([[1, 2], [1]], "ordinal", r"raters with \[2, 1\] units"),
        ([[1, -2], [1, 2]], "ratio", "rating -2.0 on the ratio level"),
        ([[1, float("inf")], [1, 2]], "interval", "rater 1, unit 2: inf is not a finite number"),
        ([[1, "x"], [1, 2]], "interval", "column 'rater 1', row 2: 'x' is not a number"),
        ([[1, 2], [1, 2]], "rank", "level 'rank': give one of nominal, ordinal, interval, ratio"),
    ],
)
def test_refused(ratings: list[list[float]], level: Level, message: str) -> None:
    """Ragged ratings, values a level does not have and unknown levels are named."""
    with pytest.raises(InputError, match=message):
        krippendorff_alpha(ratings, level)
