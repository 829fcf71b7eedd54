"""Whether stated chances come true: Brier score, reliability curve and expected calibration error."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from swe_assets.errors import InputError
from swe_assets.statistics.design import binary
from swe_assets.statistics.estimate import quantile_of
from swe_assets.statistics.numeric import equal_length, finite_numbers
from swe_assets.statistics.proportion import wilson_bounds
from swe_assets.statistics.undefined import Undefined, Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float64]

Bins = Literal["width", "size"]


@dataclass(frozen=True)
class Brier:
    """A Brier score and its parts: score = reliability - resolution + uncertainty + within."""

    score: float
    reliability: float
    resolution: float
    uncertainty: float
    within: float
    skill: Value
    n: int
    bins: int
    defined: ClassVar[bool] = True


@dataclass(frozen=True)
class ReliabilityBin:
    """The chances stated between two bounds: how many, their mean, and the share that came true."""

    low: float
    high: float
    n: int
    mean_chance: float
    rate: float
    rate_low: float
    rate_high: float


def brier(outcome: Iterable[object], chances: Iterable[object], *, bins: int = 10) -> Brier | Undefined:
    """Return the Brier score of stated chances of outcome 1, with its decomposition.

    Formula: score = mean (p - y)^2; over bins b of equal width, weighted by size: reliability = mean (p_b -
    y_b)^2, resolution = mean (y_b - y)^2, uncertainty = y (1 - y), within = what the chances' spread inside
    a bin adds (0 where each bin holds one chance: with at most ``bins`` different chances each is a bin).
    skill = 1 - score / uncertainty.
    Reading: 0 is perfect, 0.25 is what always saying 1/2 gives; a small reliability is well calibrated, a
    large resolution tells cases apart. Skill below 0 is worse than always stating the overall rate.
    Undefined: no rows; skill where all outcomes are one class.
    Raises InputError for outcomes other than 0 and 1, chances outside 0 to 1, and bins below 1.
    Reference: G. W. Brier (1950), doi:10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2; D. B. Stephenson et
    al. (2008), doi:10.1175/2007WAF2006116.1.

    >>> found = brier([1, 1, 0, 0], [0.9, 0.9, 0.9, 0.1])
    >>> round(found.score, 4), round(found.reliability, 4), round(found.resolution, 4), found.uncertainty
    (0.21, 0.0433, 0.0833, 0.25)
    """
    import numpy as np

    y, p = _pairs(outcome, chances)
    _check_bins(bins)
    if not len(y):
        return Undefined("no rows")
    distinct, code = np.unique(p, return_inverse=True)
    group = code if len(distinct) <= bins else _equal_width(p, bins)
    used, group = np.unique(group, return_inverse=True)
    size = np.bincount(group)
    said, came = np.bincount(group, p) / size, np.bincount(group, y) / size
    score, rate = float(np.mean((p - y) ** 2)), float(y.mean())
    reliability = float(size @ (said - came) ** 2) / len(y)
    resolution = float(size @ (came - rate) ** 2) / len(y)
    uncertainty = rate * (1 - rate)
    within = score - reliability + resolution - uncertainty
    skill: Value = 1 - score / uncertainty if uncertainty else Undefined("all outcomes are one class")
    return Brier(score, reliability, resolution, uncertainty, within, skill, len(y), len(used))


def reliability_curve(
    outcome: Iterable[object],
    chances: Iterable[object],
    *,
    bins: int = 10,
    by: Bins = "width",
    confidence: float = 0.95,
) -> tuple[ReliabilityBin, ...]:
    """Return, by bins of stated chances, how often outcome 1 came; empty bins are left out.

    Formula: bins of equal width ([0, 1/k), ..., [1 - 1/k, 1]) or of equal size (``by="size"``; equal
    chances stay together); each with the mean chance, the share of outcome 1 and its Wilson interval.
    Reading: a point on the diagonal is calibrated; one below it was said too confidently.
    Undefined: no rows give no bins.
    Raises InputError as ``brier`` does.
    Reference: A. H. Murphy, R. L. Winkler (1977), doi:10.2307/2346866.

    >>> [(b.n, b.mean_chance, b.rate) for b in reliability_curve([1, 1, 0, 0], [0.9, 0.9, 0.9, 0.2], bins=2)]
    [(1, 0.2, 0.0), (3, 0.9, 0.6666666666666666)]
    """
    import numpy as np

    y, p = _pairs(outcome, chances)
    _check_bins(bins)
    z = quantile_of(confidence)
    group = _equal_width(p, bins) if by == "width" else _equal_size(p, bins)
    curve = []
    for at in np.unique(group):
        here = group == at
        n, right = int(here.sum()), int(y[here].sum())
        edges = (at / bins, (at + 1) / bins) if by == "width" else (p[here].min(), p[here].max())
        low, high = wilson_bounds(right, n, z)
        mean = float(p[here].mean())
        curve.append(ReliabilityBin(float(edges[0]), float(edges[1]), n, mean, right / n, low, high))
    return tuple(curve)


def expected_calibration_error(
    outcome: Iterable[object], chances: Iterable[object], *, bins: int = 10, by: Bins = "width"
) -> Value:
    """Return the mean distance between stated chances and how often they came true.

    Formula: sum n_b / n abs(mean chance of b - share of outcome 1 in b), over the bins of
    ``reliability_curve``.
    Reading: 0 is calibrated within what the bins show; 0.1 is ten points off on average. With few rows it
    is above 0 by chance alone, the more so the more bins.
    Undefined: no rows.
    Raises InputError as ``brier`` does.
    Reference: M. P. Naeini, G. F. Cooper, M. Hauskrecht (2015), doi:10.1609/aaai.v29i1.9602.

    >>> round(expected_calibration_error([1, 1, 0, 0], [0.9, 0.9, 0.9, 0.2], bins=2), 6)
    0.225
    """
    curve = reliability_curve(outcome, chances, bins=bins, by=by)
    n = sum(part.n for part in curve)
    if not n:
        return Undefined("no rows")
    return sum(part.n * abs(part.mean_chance - part.rate) for part in curve) / n


def _pairs(outcome: Iterable[object], chances: Iterable[object]) -> "tuple[Vector, Vector]":
    """Return checked outcomes and chances."""
    import numpy as np

    columns = {"outcome": binary(outcome), "chances": finite_numbers(chances, name="chances")}
    equal_length(columns)
    for row, chance in enumerate(columns["chances"], start=1):
        if not 0 <= chance <= 1:
            raise InputError(f"column 'chances', row {row}: {chance!r} is no chance; divide to 0 to 1")
    return np.array(columns["outcome"]), np.array(columns["chances"])


def _check_bins(bins: int) -> None:
    """Raise InputError where there is no bin."""
    if bins < 1:
        raise InputError(f"bins {bins!r}: give at least 1")


def _equal_width(chances: "Vector", bins: int) -> "NDArray[np.int64]":
    """Return each chance's bin of equal width; 1 belongs to the last."""
    import numpy as np

    return np.minimum(np.searchsorted(np.arange(1, bins + 1) / bins, chances, side="right"), bins - 1)


def _equal_size(chances: "Vector", bins: int) -> "NDArray[np.int64]":
    """Return each chance's bin of about equal size; equal chances share the bin of their first."""
    import numpy as np

    distinct, first = np.unique(np.sort(chances), return_index=True)
    where = np.searchsorted(distinct, chances)
    return np.asarray(first[where] * bins // max(len(chances), 1), dtype=np.int64)
