"""The distributions: five numbers, moments, zeros and a histogram of every column of the matrix."""

import math
from typing import TYPE_CHECKING

from swe_assets.patch_quality.analysis.column_words import columns, words
from swe_assets.patch_quality.analysis.evidence import Evidence
from swe_assets.patch_quality.analysis.matrix import METRICS
from swe_assets.reporting.tables import Column, Table
from swe_assets.statistics.numeric import as_float
from swe_assets.statistics.undefined import Undefined, Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float64]

_FEW = 12  # distinct whole values up to which each is a bar of its own
_MOST_BARS = 30
_LARGE = 1e307


def measured_columns(evidence: Evidence) -> "dict[str, Vector]":
    """Return every numeric column of the matrix by name, without the cells that are empty."""
    import numpy as np

    matrix = evidence.matrix
    found = {}
    for name in (*METRICS, *matrix.sides):
        column = np.array([as_float(value) for value in {**matrix.columns, **matrix.sides}[name]])
        found[name] = column[np.isfinite(column)]
    return found


def distribution_table(evidence: Evidence) -> Table:
    """Return n, five numbers, mean, sd (n - 1) and zeros of each column; quartiles are interpolated linearly.

    Undefined where a column has no value, sd with one value only, and what passes the largest number.
    """
    found = measured_columns(evidence)
    named = columns("column", "n", "min", "q1", "median", "q3", "max", "mean", "sd", "zeros")
    rows = tuple((name, *_summary(values)) for name, values in found.items())
    title = words("Distribuições", "Distributions")
    return Table("distributions", title, named, rows, marks=evidence.marks_of(*found))


def histogram_table(evidence: Evidence) -> Table:
    """Return the histogram of each column: bars from low up to but without high, the last with it.

    Up to 12 distinct whole values are a bar each (low = the value, high = the next whole number); otherwise
    the bars are equally wide, as many as Freedman and Diaconis' rule gives (doi:10.1007/BF01025868), 30 at
    most; a single value that is not whole is a bar of no width.
    """
    rows: list[tuple[object, ...]] = []
    found = measured_columns(evidence)
    for name, values in found.items():
        rows += [(name, *bar) for bar in _bars(values)]
    ends = Column("low", words("de", "from"), "number"), Column("high", words("até", "to"), "number")
    named = (*columns("column"), *ends, *columns("n"))
    title = words("Histogramas", "Histograms")
    return Table("histograms", title, named, tuple(rows), marks=evidence.marks_of(*found))


def _summary(values: "Vector") -> tuple[object, ...]:
    import numpy as np

    if not len(values):
        return (0, *[Undefined("no value")] * 7, 0)
    with np.errstate(over="ignore", invalid="ignore"):
        five = [_finite(float(value)) for value in np.quantile(values, (0, 0.25, 0.5, 0.75, 1))]
        mean = _finite(float(values.mean()))
        sd = _finite(float(values.std(ddof=1))) if len(values) > 1 else Undefined("one value has no spread")
    return (len(values), *five, mean, sd, int((values == 0).sum()))


def _finite(value: float) -> Value:
    return value if math.isfinite(value) else Undefined("working it out passes the largest number")


def _bars(values: "Vector") -> list[tuple[float, float, int]]:
    import numpy as np

    if not len(values):
        return []
    distinct, counts = np.unique(values, return_counts=True)
    if len(distinct) <= _FEW and (distinct == np.round(distinct)).all():
        return [(float(low), float(low) + 1, int(n)) for low, n in zip(distinct, counts, strict=True)]
    if len(distinct) == 1:
        return [(float(distinct[0]), float(distinct[0]), len(values))]
    scale = 4.0 if np.abs(values).max() > _LARGE else 1.0  # a power of two, and no sum overflows
    scaled = values / scale
    first, third = np.quantile(scaled, (0.25, 0.75))
    spread = float(np.ptp(scaled))
    wide = max(2 * float(third - first) / len(values) ** (1 / 3) or spread, spread / _MOST_BARS)
    bars = math.ceil(spread / wide)
    while np.unique(np.linspace(scaled.min(), scaled.max(), bars + 1)).size <= bars:
        bars -= 1  # neighbours among the floating-point numbers have none between them
    heights, edges = np.histogram(scaled, bins=bars)
    edges = edges * scale
    return [(float(edges[i]), float(edges[i + 1]), int(n)) for i, n in enumerate(heights)]
