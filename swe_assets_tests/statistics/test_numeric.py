"""The one rule by which every statistic casts its columns."""

import math
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from swe_assets.errors import InputError
from swe_assets.statistics.numeric import equal_length, finite_numbers, numbers, to_number


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("10", 10),
        (" 88.0 ", 88.0),
        ("-1.5e3", -1500.0),
        (".5", 0.5),
        ("+7", 7),
        ("-Infinity", -math.inf),
        (True, 1),
        (np.int64(2**53 + 1), 2**53 + 1),
        (np.bool_(True), 1),
        (np.float32(0.5), 0.5),
        (Decimal("1.25"), 1.25),
        (str(2**70 + 1), 2**70 + 1),
    ],
)
def test_numbers(value: object, number: float) -> None:
    """A number is kept exactly, whatever it comes as."""
    assert to_number(value) == number
    assert type(to_number(value)) is type(number)


@pytest.mark.parametrize("value", ["", "  ", "NaN", "NA", "<NA>", "null", None, pd.NA, pd.NaT, float("nan")])
def test_missing(value: object) -> None:
    """What stands for a missing value is NaN."""
    found = to_number(value)
    assert found is not None and math.isnan(found)


@pytest.mark.parametrize(
    "value", ["ten", "1_000", "1,5", "١٢", "0x10", "1e", "9" * 5000, "1 2", [], {}, b"1"]
)
def test_no_number(value: object) -> None:
    """What Python alone would take for a number, or crash on, is none."""
    assert to_number(value) is None


def test_errors_name_the_place() -> None:
    """Column, row counted from 1, and value are named."""
    with pytest.raises(InputError, match="column 'ncloc', row 2: 'x' is not a number"):
        numbers([1, "x"], name="ncloc")
    with pytest.raises(InputError, match="column 'ncloc', row 1: None is not a finite number"):
        finite_numbers([None], name="ncloc")
    with pytest.raises(InputError, match=r"row 1: 1000.* is not a finite number"):
        finite_numbers([10**400], name="ncloc")


def test_lengths() -> None:
    """No columns have length 0; columns of one length have it."""
    assert equal_length({}) == 0
    assert equal_length({"a": [1.0], "b": [2.0]}) == 1
