"""The confusion matrix: a published example, and rates without a denominator."""

import pytest

from swe_assets.errors import InputError
from swe_assets.statistics import Undefined, confusion
from swe_assets.statistics.classification import Confusion
from swe_assets.statistics.estimate import Estimate


def test_judge_that_says_yes_to_all() -> None:
    """90 of 100 positive and all called so: accuracy 0.9, and MCC says that nothing was told apart."""
    found = confusion([True] * 90 + [False] * 10, [1] * 100)
    accuracy = found.rate("accuracy")
    assert isinstance(accuracy, Estimate) and accuracy.value == 0.9
    assert found.mcc == Undefined("MCC: what was said is all one class")
    assert found.rate("negative_predictive_value") == Undefined(
        "negative_predictive_value: nothing was said to be negative"
    )


def test_imbalanced_example() -> None:
    """Chicco and Jurman's use case A1 (91 positive, 9 negative): F1 0.95 and MCC -0.03."""
    found = Confusion(tp=90, fp=9, fn=1, tn=0)
    assert found.f1 == pytest.approx(0.947, abs=5e-4)
    assert found.mcc == pytest.approx(-0.03, abs=5e-3)
    assert found.balanced_accuracy == pytest.approx((90 / 91 + 0) / 2)


def test_no_pairs() -> None:
    """Without pairs every rate is undefined."""
    found = confusion([], [])
    assert found.n == 0
    assert found.mcc == Undefined("MCC: no pairs")
    assert isinstance(found.f1, Undefined) and isinstance(found.balanced_accuracy, Undefined)
    assert found.rate("accuracy") == Undefined("accuracy: no pairs")


def test_refused() -> None:
    """A value that is neither 0 nor 1 is named by side and row."""
    with pytest.raises(InputError, match=r"column 'said', row 2: 2.0 is neither 0 nor 1"):
        confusion([0, 1], [0, 2])
    with pytest.raises(InputError, match="different lengths"):
        confusion([0, 1], [0])
