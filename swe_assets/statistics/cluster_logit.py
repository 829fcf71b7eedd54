"""A logit whose rows come in clusters: the same coefficients, with cluster-robust errors."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from swe_assets.statistics.design import Design, design
from swe_assets.statistics.estimate import quantile_of
from swe_assets.statistics.logistic import NoLogit, logit
from swe_assets.statistics.numeric import SMALLEST_P
from swe_assets.statistics.resampling import groups_of
from swe_assets.statistics.undefined import Undefined

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


@dataclass(frozen=True)
class ClusteredTerm:
    """A coefficient with its cluster-robust error and t test, and the plain error beside it."""

    name: str
    coef: float
    se: float
    t: float
    p: float
    coef_low: float
    coef_high: float
    plain_se: float


@dataclass(frozen=True)
class ClusteredLogit:
    """A logit with cluster-robust errors; ``note`` warns of few clusters."""

    n: int
    clusters: int
    terms: tuple[ClusteredTerm, ...]
    note: str
    defined: ClassVar[bool] = True


FEW_CLUSTERS = 20


def cluster_logit(
    outcome: Iterable[object],
    predictors: Mapping[str, Iterable[object]],
    clusters: Sequence[Hashable],
    *,
    confidence: float = 0.95,
) -> ClusteredLogit | NoLogit | Undefined:
    """Return the maximum likelihood logit with errors that allow rows of a cluster to be alike.

    Formula: V = c I^-1 (sum over clusters g of s_g s_g') I^-1, s_g = sum over its rows of x_i (y_i - p_i), c
    = G/(G - 1) (n - 1)/(n - k); t = b / se with G - 1 degrees of freedom.
    Reading: where the robust error is much larger than the plain one, rows of a cluster tell the same tale.
    Below about 20 clusters it is too small itself (``note``): look at ``mixed_logit`` as well.
    Undefined: ``logit``'s obstacles; fewer than 2 clusters, or no more clusters than the coefficients need
    (G <= k: the matrix is singular).
    Raises InputError as ``design`` does, and for labels that are not one a row.
    Reference: K.-Y. Liang, S. L. Zeger (1986), doi:10.1093/biomet/73.1.13; A. C. Cameron, D. L. Miller
    (2015), doi:10.3368/jhr.50.2.317.

    >>> y, x = [0, 1, 0, 1, 1, 1, 0, 0, 0, 1, 1, 0], [1, 2, 3, 4, 5, 6, 2, 3, 1, 3, 4, 6]
    >>> term = cluster_logit(y, {"x": x}, "aabbccddeeff").terms[1]
    >>> round(term.coef, 4), round(term.se, 4), round(term.plain_se, 4)
    (0.554, 0.4769, 0.4219)
    """
    import numpy as np
    from scipy.stats import t as student

    quantile_of(confidence)
    columns, result = {name: list(values) for name, values in predictors.items()}, list(outcome)
    plain = logit(result, columns)
    if isinstance(plain, NoLogit):
        return plain
    data = design(result, columns)
    group = groups_of(clusters, data.n)
    count = int(group.max()) + 1
    if count <= len(data.terms):
        return Undefined(f"{count} clusters for {len(data.terms)} coefficients: more clusters are needed")
    errors = _errors(data, np.array([term.coef for term in plain.terms]), group, count)
    reach = float(student.ppf(0.5 + confidence / 2, count - 1))
    terms = []
    for term, se in zip(plain.terms, errors.tolist(), strict=True):
        p = max(float(2 * student.sf(abs(term.coef / se), count - 1)), SMALLEST_P)
        bounds = term.coef - reach * se, term.coef + reach * se
        terms.append(ClusteredTerm(term.name, term.coef, se, term.coef / se, p, *bounds, term.se))
    note = f"only {count} clusters: the errors are likely too small" if count < FEW_CLUSTERS else ""
    return ClusteredLogit(data.n, count, tuple(terms), note)


def _errors(data: Design, coef: "Array", group: "NDArray[np.int64]", count: int) -> "Array":
    """Return the robust standard errors, worked out on standardised predictors."""
    import numpy as np
    from scipy.special import expit

    scaled, transform = data.standardised()
    fitted = expit(data.matrix @ coef)
    bread = transform @ np.linalg.inv((scaled.T * (fitted * (1 - fitted))) @ scaled)
    scores = np.zeros((count, len(coef)))
    np.add.at(scores, group, scaled * (data.outcome - fitted)[:, None])
    factor = count / (count - 1) * (data.n - 1) / (data.n - len(coef))
    return np.asarray(np.sqrt(factor * ((scores @ bread.T) ** 2).sum(axis=0)), dtype=np.float64)
