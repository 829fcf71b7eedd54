"""How one cell of a table is put for people, the same on a page and in a paper."""

from swe_assets.statistics.numeric import SMALLEST_P
from swe_assets.statistics.undefined import Undefined

DASH = "–"
LEVELS = (0.05, 0.01, 0.001, 0.0001, 1.0)
_TRUTH = {"pt": ("não", "sim"), "en": ("no", "yes")}


def readable(value: object, kind: str, lang: str) -> str:
    """Return a cell as a short text: shares in per cent, p with four decimals, a dash where there is none.

    Decimal points stay points in every language, as in the study's own tables.
    """
    if value is None:
        return ""
    if isinstance(value, Undefined):
        return "∞" if value.infinite else DASH
    if isinstance(value, bool):
        return _TRUTH[lang][value]
    if isinstance(value, str):
        return value
    if isinstance(value, int) and kind not in {"p", "share"}:
        return str(value)
    number = float(str(value))
    if kind == "share":
        return f"{100 * number:.1f}\u00a0%"
    return p_words(number) if kind == "p" else number_words(number)


def p_words(value: float) -> str:
    """Return a p value with four decimals, so that none seems to be on the other side of a usual level.

    Below 0.0001 in scientific notation, an exact 0 as below 0.0001. One that four decimals would round onto
    0.05, 0.01 or 0.001, or onto 1 or 0.0001, has as many more as tell it from that.

    >>> p_words(0.0499999), p_words(0.05), p_words(0.0), p_words(0.01234)
    ('0.0499999', '0.0500', '< 0.0001', '0.0123')
    """
    if value == 0:
        return "< 0.0001"
    if value == SMALLEST_P:
        return "< 1e-323"
    if value < 1e-4:
        return next(text for d in range(1, 18) if float(text := f"{value:.{d}e}") < 1e-4)
    texts = (f"{value:.{digits}f}" for digits in range(4, 20))
    return next((text for text in texts if float(text) not in LEVELS or float(text) == value), repr(value))


def number_words(value: float, decimals: int = 3) -> str:
    """Return a number with three decimals, or four significant digits where those would hide or swell it."""
    if value == 0:
        return f"{0:.{decimals}f}"
    if abs(value) >= 1e6 or abs(value) < 10.0**-decimals:
        return f"{value:.3g}"
    return f"{value:.{decimals}f}"
