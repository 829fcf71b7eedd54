"""Separation: the classic patterns, touching and near misses."""

from types import SimpleNamespace

import numpy as np
import pytest

from swe_assets.errors import InputError
from swe_assets.statistics import Undefined, detect_separation, logit
from swe_assets.statistics.logistic import NoLogit
from swe_assets.statistics.separation import Separation, Unsolved


def found(outcome: list[int], **predictors: object) -> Separation:
    """Return the separation of a sample that has an answer."""
    answer = detect_separation(outcome, predictors)  # type: ignore[arg-type] # each caller gives columns
    assert isinstance(answer, Separation), answer
    return answer


def test_complete() -> None:
    """A gap between the classes is complete separation, its slope upward."""
    answer = found([0, 0, 0, 1, 1], x=[1, 2, 3, 4, 5])
    assert (answer.kind, answer.terms, answer.alone) == ("complete", {"const": "-", "x": "+"}, ("x",))


def test_touching_classes_are_quasi_complete() -> None:
    """One value with both outcomes on the border makes it quasi-complete."""
    assert found([0, 0, 0, 1, 1, 1], x=[1, 2, 3, 3, 4, 5]).kind == "quasi-complete"


def test_empty_cell_of_a_group() -> None:
    """A group in which all succeed separates; another predictor keeps its finite estimate."""
    answer = found([1, 1, 1, 0, 1, 0, 1, 0], g=[1, 1, 1, 0, 0, 0, 0, 0], x=[1, 2, 3, 1, 2, 3, 4, 5])
    assert (answer.kind, answer.terms) == ("quasi-complete", {"g": "+"})


def test_only_together() -> None:
    """Two predictors may separate what neither does alone."""
    answer = found([0, 0, 1, 1], x=[1, 3, 2, 4], z=[1, 2, 3, 4])
    assert answer.kind == "complete"
    assert answer.alone == ("z",)
    assert found([0, 1, 0, 1, 1, 0], x=[0, 1, 2, 3, 1, 1], z=[1, 0, 3, 2, 0, 2]).alone == ()


def test_overlap() -> None:
    """Where the classes overlap there is none."""
    assert found([0, 1, 0, 1], x=[1, 2, 3, 4]) == Separation("none", {}, ())


@pytest.mark.parametrize("step", [1e-6, 1e-3, 1.0])
@pytest.mark.parametrize("shift", [0.0, 1e6])
def test_a_hair_decides(step: float, shift: float) -> None:
    """A single crossing is overlap and a single gap separation, on any scale of the predictor."""
    apart = [shift + step * v for v in (1, 2, 3, 4, 5, 6)]
    crossed = [apart[0], apart[1], apart[3], apart[2], apart[4], apart[5]]
    assert found([0, 0, 0, 1, 1, 1], x=apart).kind == "complete"
    assert found([0, 0, 0, 1, 1, 1], x=crossed).kind == "none"


def test_large_sample() -> None:
    """Twenty thousand rows are quasi-complete by one rare flag, and overlap without it."""
    random = np.random.default_rng(1)
    x = random.normal(size=20_000)
    outcome = (random.random(20_000) < 1 / (1 + np.exp(-x))).astype(int)
    flag = ((np.arange(20_000) % 1000 == 0) & (outcome == 1)).astype(int)
    assert found(outcome.tolist(), x=x).kind == "none"
    assert found(outcome.tolist(), x=x, flag=flag).terms == {"flag": "+"}


def test_one_class_is_separated_by_the_intercept() -> None:
    """All outcomes equal are separated without any predictor."""
    answer = found([1, 1, 1], x=[1, 2, 4])
    assert (answer.kind, answer.alone) == ("complete", ())


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ({"x": [1, 1, 1]}, "constant predictor(s): x"),
        ({"x": [1, 2, 3], "z": [2, 4, 6]}, "3 rows, 3 parameters: collinear, or too few rows"),
    ],
)
def test_undefined(columns: dict[str, list[int]], reason: str) -> None:
    """Where the cone holds a line the question has no answer."""
    assert detect_separation([0, 1, 0], columns) == Undefined(reason)


def test_unusable_outcome() -> None:
    """An outcome other than 0 and 1 is named by row."""
    with pytest.raises(InputError, match=r"row 3: 2.0 is neither 0 nor 1"):
        detect_separation([0, 1, 2], {"x": [1, 2, 3]})


def test_values_beyond_a_float() -> None:
    """A predictor whose spread no float holds leaves separation unknown, typed and with its reason."""
    answer = detect_separation([0, 1, 0, 1], {"x": [1e308, -1e308, 1e308, 0]})
    assert isinstance(answer, Unsolved) and "too large or too small for a float" in answer.reason


def test_a_programme_without_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A linear programme that ends without a solution is an undefined answer with the solver's message."""
    monkeypatch.setattr(
        "scipy.optimize.linprog", lambda *_a, **_k: SimpleNamespace(status=4, message="numbers")
    )
    answer = detect_separation([0, 1, 0, 1], {"x": [1, 2, 3, 4]})
    assert isinstance(answer, Unsolved) and answer.reason.endswith("ended with 'numbers'")
    found = logit([0, 1, 0, 1], {"x": [1, 2, 3, 4]})
    assert isinstance(found, NoLogit) and found.obstacle == "separation unknown"
