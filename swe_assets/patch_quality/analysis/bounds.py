"""An estimate as three cells."""

from swe_assets.statistics.estimate import Estimate
from swe_assets.statistics.kappa import Kappa
from swe_assets.statistics.undefined import Undefined


def bounds(found: Estimate | Kappa | Undefined) -> tuple[object, object, object]:
    """Return value, low and high of an estimate, or three times why there is none.

    >>> bounds(Undefined("no rows"))[1].reason
    'no rows'
    """
    if isinstance(found, Undefined):
        return found, found, found
    return found.value, found.low, found.high
