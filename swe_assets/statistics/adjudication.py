"""When raters are too far apart, two orders of showing disagree, or two results are a technical tie."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

from swe_assets.errors import InputError
from swe_assets.statistics.estimate import Estimate
from swe_assets.statistics.numeric import finite_numbers
from swe_assets.statistics.undefined import Undefined

Shown = Literal["first", "second", "tie"]


def needs_adjudication(scores: Sequence[float], threshold: float) -> bool | Undefined:
    """Return whether scores of the same item lie more than a threshold apart.

    Formula: max - min > threshold, exactly in the decimals as written (4.4 - 2.9 is 1.5, not more).
    Reading: true sends the item to another rater.
    Undefined: fewer than 2 scores.
    Raises InputError for missing scores or a negative threshold.
    Reference: decimal arithmetic, for binary floats differ: D. Goldberg (1991), doi:10.1145/103162.103163.

    >>> needs_adjudication([2.9, 3.6, 4.4], 1.5), needs_adjudication([2.9, 3.6, 4.5], 1.5)
    (False, True)
    """
    values = [exact(score) for score in finite_numbers(scores, name="scores")]
    if threshold < 0:
        raise InputError(f"threshold {threshold!r}: give a distance from 0")
    if len(values) < 2:
        return Undefined(f"{len(values)} score(s), at least 2 are needed")
    return max(values) - min(values) > exact(threshold)


def swapped_verdict(shown_ab: Shown, shown_ba: Shown) -> tuple[Literal["A", "B", "tie"], bool]:
    """Return the verdict of two comparisons in both orders of showing, and whether they are consistent.

    Formula: shown A then B, "first" is A; shown B then A, "first" is B. The same answer twice is the
    verdict; a tie and a preference, or two preferences for different answers, make a tie.
    Reading: inconsistent means that the place, not the answer, was preferred at least once.
    Undefined: never; an unknown word is an error.
    Raises InputError for another word than first, second and tie.
    Reference: L. Zheng et al. (2023), arXiv:2306.05685.

    >>> swapped_verdict("first", "second"), swapped_verdict("first", "first")
    (('A', True), ('tie', False))
    """
    names: dict[str, Literal["A", "B", "tie"]] = {"first": "A", "second": "B", "tie": "tie"}
    turned: dict[str, Literal["A", "B", "tie"]] = {"first": "B", "second": "A", "tie": "tie"}
    for verdict in (shown_ab, shown_ba):
        if verdict not in names:
            raise InputError(f"verdict {verdict!r}: give first, second or tie, by the order shown")
    one, other = names[shown_ab], turned[shown_ba]
    return (one, True) if one == other else ("tie", False)


def technical_tie(a: Estimate, b: Estimate) -> bool | Undefined:
    """Return whether two results lie nearer to each other than their mean half-width.

    Formula: abs(a - b) < (half-width of a + half-width of b) / 2, exactly in the decimals as written;
    half-width = (high - low) / 2.
    Reading: true means that the order of the two is not to be read into. It is a convention, no test: for
    results over the same items ``paired_difference`` is the sharper question.
    Undefined: a result without an interval.
    Raises nothing.
    Reference: N. Schenker, J. F. Gentleman (2001), doi:10.1198/000313001317097960 (what overlapping
    intervals do and do not say).

    >>> a = Estimate(value=80.0, low=78.0, high=82.0, n=50, method="t")
    >>> technical_tie(a, Estimate(value=77.9, low=75.9, high=79.9, n=50, method="t"))  # 2.1 against 2.0
    False
    """
    widths = []
    for found in (a, b):
        if isinstance(found.low, Undefined) or isinstance(found.high, Undefined):
            return found.low if isinstance(found.low, Undefined) else Undefined("no upper bound")
        widths.append(exact(found.high) - exact(found.low))
    return abs(exact(a.value) - exact(b.value)) < sum(widths) / 4


def exact(number: float) -> Fraction:
    """Return the decimal that a float is written as, as a fraction."""
    return Fraction(repr(float(number)))
