"""The area under the ROC curve with a bootstrap interval, over rows or clusters of rows."""

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING

from swe_assets.statistics.bootstrap import Bootstrap, bootstrap_interval
from swe_assets.statistics.design import binary
from swe_assets.statistics.estimate import Estimate
from swe_assets.statistics.numeric import equal_length, finite_numbers
from swe_assets.statistics.undefined import Undefined

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


def auc_interval(
    outcome: Iterable[object],
    scores: Iterable[object],
    *,
    clusters: Sequence[Hashable] | None = None,
    how: Bootstrap | None = None,
) -> Estimate | Undefined:
    """Return the area under the ROC curve with its bootstrap interval, drawing rows or whole clusters.

    Formula: AUC as in ``auc``, weighted by how often each row was drawn: sum over 1s and 0s of w_1 w_0
    (score of the 1 larger, ties half) / (sum w_1 sum w_0); the interval is ``bootstrap_interval``'s.
    Reading: as ``auc``. Of scores that came from cross-validation it is conditional on the folds and their
    fits: these are not drawn anew, so that it is somewhat too narrow.
    Undefined: one class only; as ``bootstrap_interval`` (a draw of one class has no value).
    Raises InputError for an outcome other than 0 and 1, a missing score, lists of different lengths.
    Reference: B. Efron (1987), doi:10.1080/01621459.1987.10478410; Y. Bengio, Y. Grandvalet (2004), No
    unbiased estimator of the variance of K-fold cross-validation, JMLR 5, 1089-1105.

    >>> found = auc_interval([0, 0, 1, 0, 1, 1], [1, 2, 2, 3, 4, 5], how=Bootstrap(draws=500))
    >>> round(found.value, 6), found.low < found.value <= found.high
    (0.833333, True)
    """
    import numpy as np

    columns = {"outcome": binary(outcome), "scores": finite_numbers(scores, name="scores")}
    n = equal_length(columns)
    y, score = (np.array(column) for column in columns.values())
    if not 0 < y.sum() < n:
        return Undefined(f"one class only: {int(y.sum())} of {n} outcomes are 1")
    order = np.argsort(score, kind="stable")
    ones, starts = y[order], np.unique(score[order], return_index=True)[1]

    def area(counts: "Array") -> "Array":
        drawn = counts[:, order]
        up = np.add.reduceat(drawn * ones, starts, axis=1)
        down = np.add.reduceat(drawn * (1 - ones), starts, axis=1)
        beaten = np.cumsum(down, axis=1) - down / 2
        pairs = up.sum(axis=1) * down.sum(axis=1)
        found = np.full(len(counts), np.nan)
        np.divide((up * beaten).sum(axis=1), pairs, out=found, where=pairs > 0)
        return found

    return bootstrap_interval(area, n, clusters=clusters, how=how)
