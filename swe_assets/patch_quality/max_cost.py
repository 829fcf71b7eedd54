"""The most that the model calls of one run may cost: where it is said, and what wins."""

import math
import os

from swe_assets.errors import ConfigurationError

VARIABLE = "SWE_ASSETS_MAX_COST"


def checked_max_cost(value: object, name: str) -> float | None:
    """Return an amount of USD, 0 or more, or None for none; raise ConfigurationError for anything else."""
    if value is None:
        return None
    sound = isinstance(value, int | float) and not isinstance(value, bool)
    if not sound or not 0 <= value < math.inf:  # type: ignore[operator] # sound says that it is a number
        raise ConfigurationError(f"{name} is {value!r}: give USD, 0 or more, or leave it out")
    return float(value)  # type: ignore[arg-type] # likewise


def allowed_usd(said: float | None, pinned: float | None) -> float | None:
    """Return the most USD of a run: as said for it, else SWE_ASSETS_MAX_COST, else the study's, else None.

    Raises ConfigurationError for an amount that is none.
    """
    if said is not None:
        return checked_max_cost(said, "max_cost")
    given = os.environ.get(VARIABLE, "").strip()
    if not given:
        return pinned
    try:
        return checked_max_cost(float(given), VARIABLE)
    except ValueError:
        raise ConfigurationError(f"{VARIABLE} is {given!r}: give USD, 0 or more, or leave it out") from None
