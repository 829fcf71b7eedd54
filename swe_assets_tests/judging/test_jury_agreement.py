"""The agreement of a jury has its published and hand-made values, and says where it has none."""

import pytest

from swe_assets.errors import InputError
from swe_assets.judging.jury_agreement import MEASURES, Measure, agreement
from swe_assets.statistics.estimate import Estimate
from swe_assets.statistics.kappa import Kappa
from swe_assets.statistics.undefined import Undefined

CONFIDENCE = next(measure for measure in MEASURES if measure.name == "score_confianca")
RESOLVED = next(measure for measure in MEASURES if measure.name == "resolve_issue")
OBSERVERS = {
    "a": [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    "b": [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    "c": [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    "d": [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
}
"""Krippendorff (2011), Computing Krippendorff's alpha-reliability, example C: four observers."""


def test_published_alphas() -> None:
    """Krippendorff's example has alpha 0.743 nominal and 0.815 ordinal, over eleven pairable units."""
    nominal = agreement(OBSERVERS, Measure("nominal", "nominal", (1, 2, 3, 4, 5)))
    ordinal = agreement(OBSERVERS, CONFIDENCE)
    assert isinstance(nominal.alpha, Estimate)
    assert isinstance(ordinal.alpha, Estimate)
    assert (round(nominal.alpha.value, 3), round(ordinal.alpha.value, 3)) == (0.743, 0.815)
    assert ordinal.n == 11
    assert ordinal.alpha.low < ordinal.alpha.value < ordinal.alpha.high  # type: ignore[operator] # both are numbers here


def test_every_pair_has_its_counts() -> None:
    """Each pair of judges is there once, with all instances that both rated in its confusion."""
    found = agreement(OBSERVERS, CONFIDENCE)
    assert [(pair.a, pair.b) for pair in found.pairs] == [*zip("aaabbc", "bcdcdd", strict=True)]
    first = found.pairs[0]
    assert (first.n, first.same, sum(map(sum, first.counts))) == (9, 8, 9)
    assert first.counts[0] == (2, 1, 0, 0, 0)


def test_kappa_by_hand() -> None:
    """Votes TTFF and TFFF agree on three of four: kappa (0.75 - 0.5) / 0.5."""
    (pair,) = agreement({"a": [1, 1, 0, 0], "b": [1, 0, 0, 0]}, RESOLVED).pairs
    assert isinstance(pair.kappa, Kappa)
    assert pair.kappa.value == pytest.approx(0.5)


def test_one_judge_has_nobody_to_agree_with() -> None:
    """Of one judge alpha is undefined and says why, and there is no pair."""
    found = agreement({"a": [1, 2, 3]}, CONFIDENCE)
    assert found.alpha == Undefined("1 judge: there is nobody to agree with")
    assert (found.n, found.pairs) == (0, ())


def test_no_variance_is_no_agreement() -> None:
    """Judges that always say the same on every instance have no alpha, neither 1 nor 0."""
    found = agreement({"a": [1, 1, 1], "b": [1, 1, 1]}, RESOLVED)
    assert isinstance(found.alpha, Undefined)
    assert isinstance(found.pairs[0].kappa, Undefined)
    assert found.pairs[0].same == 3


def test_a_value_stays_where_only_its_interval_has_none() -> None:
    """One dissent in twelve gives many draws without variance: the value is told, its bounds say why."""
    found = agreement({"a": [1] * 11 + [0], "b": [1] * 12}, RESOLVED)
    assert isinstance(found.alpha, Estimate)
    assert found.alpha.value == pytest.approx(0.0)
    assert isinstance(found.alpha.low, Undefined)
    assert "draws" in found.alpha.low.reason


def test_a_strange_value_is_refused() -> None:
    """A rating that is no value of the measure is an error, not a category of its own."""
    with pytest.raises(InputError):
        agreement({"a": [1, 7], "b": [1, 2]}, CONFIDENCE)
