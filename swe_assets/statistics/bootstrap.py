"""Bootstrap intervals, percentile and BCa, over items or clusters of items."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from swe_assets.errors import InputError
from swe_assets.statistics.estimate import Estimate, quantile_of
from swe_assets.statistics.numeric import finite_numbers
from swe_assets.statistics.resampling import counted_units, resamples, without_each
from swe_assets.statistics.undefined import Undefined

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float64]

Method = Literal["percentile", "bca"]
Weighted: TypeAlias = "Callable[[NDArray[np.float64]], NDArray[np.float64]]"
"""A statistic over counts of shape (draws, rows): one value a draw, NaN where a draw has none."""

DRAWS = 10_000
UNDEFINED_DRAWS = 0.05  # beyond this share the drawn values say too little of the statistic


@dataclass(frozen=True, kw_only=True)
class Bootstrap:
    """How to draw: the method, the number of draws, the seed and the confidence of the interval."""

    method: Method = "bca"
    draws: int = DRAWS
    seed: int = 0
    confidence: float = 0.95

    def __post_init__(self) -> None:
        """Raise InputError for draws below 1, a confidence outside 0 to 1 or an unknown method."""
        quantile_of(self.confidence)
        if self.draws < 1 or self.method not in ("percentile", "bca"):
            raise InputError(f"{self!r}: give at least 1 draw and the method 'percentile' or 'bca'")


def bootstrap_interval(
    statistic: Weighted,
    rows: int,
    *,
    clusters: Sequence[Hashable] | None = None,
    how: Bootstrap | None = None,
) -> Estimate | Undefined:
    """Return a statistic with its bootstrap interval, drawing rows, or whole clusters of rows.

    The statistic is a function of counts: an array of shape (draws, rows), how often each row is in each
    draw, to an array of one value a draw (NaN where a draw has none).

    Formula: percentile: the (1 - c)/2 and (1 + c)/2 quantiles of the drawn values. BCa: at the quantiles
    Phi(z0 + (z0 + z)/(1 - a (z0 + z))), z0 the normal quantile of the share of draws below the value (ties
    half), a = sum d^3 / (6 (sum d^2)^1.5) over the jackknife's differences d; with more than 1400
    units the jackknife leaves out parts of them, 100 or more.
    Reading: values that the data do not contradict; ``method`` says which of the two it is, for BCa falls
    back to percentile where z0 or a has no value (``note`` says why). ``n`` counts what was drawn.
    Undefined: fewer than 2 units; a statistic without a value; more than 5 % of the draws without one;
    every draw the same value (an interval of width zero is no certainty: for a share take
    ``wilson_interval``).
    Raises InputError for labels that do not match the rows.
    Reference: B. Efron (1987), doi:10.1080/01621459.1987.10478410; clusters: C. A. Field, A. H. Welsh
    (2007), doi:10.1111/j.1467-9868.2007.00593.x.

    >>> import numpy as np
    >>> x = np.array([1.0, 2.0, 3.0, 4.0, 10.0])
    >>> found = bootstrap_interval(lambda w: w @ x / w.sum(axis=1), 5, how=Bootstrap(method="percentile"))
    >>> found.value, found.low, found.high
    (4.0, 1.8, 7.0)
    """
    import numpy as np

    how = how or Bootstrap()
    units, spread = counted_units(rows, clusters)
    if units < 2:
        return Undefined(f"{units} unit(s) to draw from, at least 2 are needed")
    value = float(statistic(np.ones((1, rows)))[0])
    if not np.isfinite(value):
        return Undefined("the statistic has no value for the whole sample")
    drawn = np.concatenate([statistic(spread(block)) for block in resamples(units, how.draws, how.seed)])

    def jackknife() -> "Vector":
        return np.concatenate([statistic(spread(block)) for block in without_each(units)])

    return interval_of(value, drawn, units, how, jackknife)


def mean_interval(
    values: Iterable[object], *, clusters: Sequence[Hashable] | None = None, how: Bootstrap | None = None
) -> Estimate | Undefined:
    """Return a mean with its bootstrap interval, drawing items, or whole clusters of items.

    Formula: ``bootstrap_interval`` of sum w x / sum w.
    Reading: as there. For 0 and 1 the mean is a share.
    Undefined: as there; so all values equal.
    Raises InputError for a missing, infinite or non-numeric value and labels that do not match.
    Reference: B. Efron (1987), doi:10.1080/01621459.1987.10478410.

    >>> mean_interval([1, 1, 1]).reason
    'all 10000 draws give 1: an interval of width zero would be no certainty'
    """
    import numpy as np

    column = np.array(finite_numbers(values, name="values"))
    return bootstrap_interval(
        lambda counts: counts @ column / counts.sum(axis=1), len(column), clusters=clusters, how=how
    )


def interval_of(
    value: float, drawn: "Vector", units: int, how: Bootstrap, jackknife: "Callable[[], Vector]"
) -> Estimate | Undefined:
    """Return the interval that drawn values give; the jackknife's values are asked for only by BCa."""
    import numpy as np

    kept = drawn[np.isfinite(drawn)]
    if len(drawn) - len(kept) > UNDEFINED_DRAWS * len(drawn):
        return Undefined(f"{len(drawn) - len(kept)} of {len(drawn)} draws have no value")
    if np.ptp(kept) <= 1e-12 * np.abs(kept).max():
        return Undefined(
            f"all {len(kept)} draws give {kept[0]:.6g}: an interval of width zero would be no certainty"
        )
    tail = (1 - how.confidence) / 2
    at, note, used = (tail, 1 - tail), "", "bootstrap, percentile"
    if how.method == "bca":
        corrected = _bca(value, kept, jackknife(), quantile_of(how.confidence))
        if isinstance(corrected, Undefined):
            note = corrected.reason
        else:
            at, used = corrected, "bootstrap, BCa"
    low, high = (float(bound) for bound in np.quantile(kept, at))
    return Estimate(
        value=value, low=low, high=high, n=units, method=used, confidence=how.confidence,
        se=float(kept.std(ddof=1)), draws=how.draws, seed=how.seed,
        undefined_draws=len(drawn) - len(kept), note=note,
    )  # fmt: skip


def _bca(value: float, drawn: "Vector", jackknife: "Vector", z: float) -> tuple[float, float] | Undefined:
    """Return the two corrected quantiles, or why there are none."""
    import numpy as np
    from scipy.special import ndtr, ndtri

    slack = 1e-12 * max(abs(value), float(np.abs(drawn).max()))
    below, at = np.mean(drawn < value - slack), np.mean(np.abs(drawn - value) <= slack)
    z0 = float(ndtri(below + at / 2))
    differences = jackknife.mean() - jackknife
    scale = float((differences**2).sum()) ** 1.5
    if not np.isfinite(z0) or not np.isfinite(scale) or scale == 0:
        why = "no draw on one side of the value" if not np.isfinite(z0) else "the jackknife has no spread"
        return Undefined(f"BCa has no value: {why}")
    a = float((differences**3).sum()) / (6 * scale)
    low, high = (float(ndtr(z0 + (z0 + side) / (1 - a * (z0 + side)))) for side in (-z, z))
    if not 0 < low < high < 1:
        return Undefined("BCa has no value: its quantiles lie outside the draws")
    return low, high
