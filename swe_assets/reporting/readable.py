"""How one cell of a table is put for people, the same on a page and in a paper."""

from swe_assets.statistics.numeric import SMALLEST_P
from swe_assets.statistics.undefined import Undefined

DASH = "–"
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
    """Return a p value with four decimals, in scientific notation below 0.0001."""
    if value == SMALLEST_P:
        return "< 1e-323"
    return f"{value:.1e}" if 0 < value < 1e-4 else f"{value:.4f}"


def number_words(value: float, decimals: int = 3) -> str:
    """Return a number with three decimals, or four significant digits where those would hide or swell it."""
    if value == 0:
        return f"{0:.{decimals}f}"
    if abs(value) >= 1e6 or abs(value) < 10.0**-decimals:
        return f"{value:.3g}"
    return f"{value:.{decimals}f}"
