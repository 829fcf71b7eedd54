"""A score as judges write it: a number, or a numeral as text in the digits of any script."""

import math
import re
import unicodedata

_NUMERAL = re.compile(r"([+-]?\d{1,9}(?:[.,]\d{1,9})?)(?:\s?/\s?(\d{1,9}(?:[.,]\d{1,9})?))?")


def number_of(value: object, highest: float) -> float | None:
    """Return the number that a JSON value is or spells, or None where it is none.

    A text may be a numeral in any digits, with a decimal point or comma, alone or over the highest score
    ("4/5" where that is 5), or one Chinese numeral. ``true`` is no number, nor are infinity and words.

    >>> number_of("４", 5), number_of("4,5", 5), number_of("3/5", 5), number_of("四", 5), number_of(True, 5)
    (4.0, 4.5, 3.0, 4.0, None)
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value) if abs(value) < 1e15 and math.isfinite(value) else None
    return _spelled(value, highest) if isinstance(value, str) and len(value) <= 60 else None


def _spelled(text: str, highest: float) -> float | None:
    """Return the number that a short text spells."""
    plain = unicodedata.normalize("NFKC", text).strip()
    if len(plain) == 1 and not plain.isdigit():
        value = unicodedata.numeric(plain, None)
        return value if value is not None and value.is_integer() else None
    found = _NUMERAL.fullmatch(plain)
    if found is None or (found.group(2) and _float(found.group(2)) != highest):
        return None
    return _float(found.group(1))


def _float(numeral: str) -> float:
    """Return a numeral's value, its comma read as the decimal sign."""
    return float(numeral.replace(",", "."))
