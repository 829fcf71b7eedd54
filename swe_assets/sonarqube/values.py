"""A measure's value as SonarQube writes it: always text, read by the type of its metric."""

import math
import re
from typing import Any

from swe_assets.errors import SonarReplyError

WHOLE_TYPES = frozenset({"INT", "WORK_DUR", "MILLISEC", "RATING"})
"""Types whose values are whole numbers: counts, minutes of work, milliseconds, 1 (A) to 5 (E)."""

NUMERIC_TYPES = WHOLE_TYPES | {"FLOAT", "PERCENT"}
"""Types whose values are numbers (SonarQube web API, api/metrics/types)."""

_NUMBER = re.compile(r"[+-]?\d{1,30}(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?", re.ASCII)
_WORST_RATING = 5

Value = int | float | bool | str


def parse_value(raw: object, kind: str, metric: str) -> Value:
    """Return a measure's value by the type of its metric.

    Whole types give int, FLOAT and PERCENT float (a percent sign is allowed), BOOL bool, every other type
    (LEVEL, DATA, DISTRIB, STRING and types yet to come) the text itself. Raises SonarReplyError where a
    numeric metric's value is no number of that type.
    """
    if kind in NUMERIC_TYPES:
        number = _number(raw, kind)
        if number is not None:
            return number
    elif kind == "BOOL":
        found = {"true": True, "false": False}.get(str(raw).strip().lower())
        if found is not None:
            return found
    elif isinstance(raw, str):
        return raw
    raise SonarReplyError(
        f"the server gave {str(raw)[:60]!r} as {metric!r}, which is not a number or word of type {kind}: "
        "is the address that of a SonarQube server?"
    )


def _number(raw: Any, kind: str) -> int | float | None:
    """Return a finite number of a numeric type, None where the text is none."""
    if isinstance(raw, bool) or not isinstance(raw, str | int | float):
        return None
    text = str(raw).strip()
    if kind == "PERCENT":
        text = text.removesuffix("%").rstrip()
    if not _NUMBER.fullmatch(text):
        return None
    if re.fullmatch(r"[+-]?\d+", text, re.ASCII):
        whole = int(text)
        return _in_range(whole, kind) if kind in WHOLE_TYPES else float(whole)
    number = float(text)
    if not math.isfinite(number):
        return None
    if kind not in WHOLE_TYPES:
        return number
    return _in_range(int(number), kind) if number.is_integer() else None


def _in_range(whole: int, kind: str) -> int | None:
    """Return a whole number, None where it is a rating that is none."""
    return None if kind == "RATING" and not 1 <= whole <= _WORST_RATING else whole
