"""Casting of columns to numbers, by the one rule that every statistic follows."""

import math
import re
from collections.abc import Iterable, Sequence
from typing import SupportsFloat, TypeAlias, cast

from swe_assets.errors import InputError

Number: TypeAlias = int | float

SMALLEST_P = math.nextafter(0.0, 1.0)  # a bound for a p too small for a float: 0 would say impossible

_INTEGER = re.compile(r"[+-]?[0-9]+")
_DECIMAL = re.compile(r"[+-]?(([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?|inf(inity)?)", re.IGNORECASE)
_MISSING = {"", "nan", "na", "n/a", "null", "none", "<na>"}
_LONGEST = 4000


def to_number(value: object) -> Number | None:
    """Return a value as an int or float, exactly; NaN where it is missing, None where it is no number.

    Text is cast by its ASCII digits (``"10"``, ``" 88.0 "``, ``"1e3"``, ``"Infinity"``); empty text,
    None, NA and NaN are missing. Integers stay integers, so 2**53 and 2**53 + 1 stay apart.

    >>> [to_number(v) for v in ("10", 88.0, True, None, "ten", "1_000")]
    [10, 88.0, 1, nan, None, None]
    """
    if isinstance(value, str):
        return _text_to_number(value.strip())
    if hasattr(value, "item"):
        value = value.item()  # a numpy scalar
    if isinstance(value, bool | int):
        return int(value)
    if isinstance(value, float):
        return value
    if value is None or type(value).__name__ in {"NAType", "NaTType"}:
        return math.nan
    return _other_to_number(value)


def _text_to_number(text: str) -> Number | None:
    if text.lower() in _MISSING:
        return math.nan
    if len(text) > _LONGEST:
        return None
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _DECIMAL.fullmatch(text) else None


def _other_to_number(value: object) -> Number | None:
    if not hasattr(value, "__float__"):
        return None
    try:
        return float(cast("SupportsFloat", value))
    except (TypeError, ValueError, OverflowError):
        return None


def numbers(values: Iterable[object], *, name: str) -> list[Number]:
    """Return a column as numbers, NaN where a value is missing.

    Raises InputError that names column, row (counted from 1) and value where one is no number.
    """
    cast_values: list[Number] = []
    for row, value in enumerate(values, start=1):
        number = to_number(value)
        if number is None:
            raise InputError(f"column {name!r}, row {row}: {value!r} is not a number; give numbers only")
        cast_values.append(number)
    return cast_values


def is_missing(number: Number) -> bool:
    """Return whether a cast value is missing (NaN)."""
    return isinstance(number, float) and math.isnan(number)


def first_missing(values: Sequence[Number]) -> int | None:
    """Return the row (counted from 1) of the first missing value, or None where all are there."""
    return next((row for row, value in enumerate(values, start=1) if is_missing(value)), None)


def finite_numbers(values: Iterable[object], *, name: str) -> list[float]:
    """Return a column as finite floats.

    Raises InputError that names column, row and value where one is missing, infinite or no number.
    """
    finite: list[float] = []
    given = list(values)
    for row, (value, cast_value) in enumerate(zip(given, numbers(given, name=name), strict=True), start=1):
        number = as_float(cast_value)
        if not math.isfinite(number):
            raise InputError(f"column {name!r}, row {row}: {value!r} is not a finite number; mend the row")
        finite.append(number)
    return finite


def as_float(value: Number) -> float:
    """Return a number as a float, infinite where it is too large for one."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def equal_length(columns: dict[str, list[Number]] | dict[str, list[float]]) -> int:
    """Return the common length of the columns; raises InputError that names the lengths where they differ."""
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        raise InputError(f"columns of different lengths: {lengths!r}; give one value a row in each")
    return next(iter(lengths.values()), 0)
