"""Chances that a logit gives to rows that it has not seen."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from swe_assets.errors import InputError
from swe_assets.statistics.design import Design, design
from swe_assets.statistics.newton import fit_all
from swe_assets.statistics.resampling import groups_of
from swe_assets.statistics.separation import Separation, separation_of
from swe_assets.statistics.undefined import Undefined

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class HeldOut:
    """For each row, in order, the chance of outcome 1 by the fit of the other folds, and its fold."""

    chances: tuple[float, ...]
    folds: tuple[int, ...]
    method: str
    seed: int
    defined: ClassVar[bool] = True


def cross_validated(
    outcome: Iterable[object],
    predictors: Mapping[str, Iterable[object]],
    *,
    folds: int = 10,
    seed: int = 0,
    clusters: Sequence[Hashable] | None = None,
    method: Literal["ml", "firth"] = "ml",
) -> HeldOut | Undefined:
    """Return out-of-fold chances of a logit or Firth fit, for ``auc``, ``brier`` and ``reliability_curve``.

    Formula: rows are dealt at random to k folds, each class evenly; with clusters whole clusters are dealt.
    Each fold is predicted by the fit of all others: 1 / (1 + exp(-x'b)).
    Reading: what the model would say of rows it has not seen; the same measures on fitted chances flatter
    it. With clusters: of repositories it has not seen.
    Undefined: constant or collinear predictors, one class only, fewer clusters (or rows of a class) than
    folds, and for ml a fold whose others are separated (take firth).
    Raises InputError as ``design`` does, for folds below 2 and labels that do not match.
    Reference: M. Stone (1974), doi:10.1111/j.2517-6161.1974.tb00994.x.

    >>> y, x = [0, 1] * 10 + [0, 0, 1, 1], [*range(20), 1, 2, 18, 19]
    >>> found = cross_validated(y, {"x": x}, folds=4)
    >>> len(found.chances), sorted(set(found.folds))
    (24, [0, 1, 2, 3])
    """
    import numpy as np
    from scipy.special import expit

    if folds < 2 or method not in ("ml", "firth"):
        raise InputError(f"folds {folds!r}, method {method!r}: give 2 or more, and ml or firth")
    data = design(outcome, predictors)
    fold = _dealt(data, folds, seed, clusters)
    if isinstance(fold, Undefined):
        return fold
    weights = (fold[None, :] != np.arange(folds)[:, None]).astype(np.float64)
    if why := _unusable(data, weights, separated=method == "ml"):
        return why
    scaled, _ = data.standardised()
    fits = fit_all(scaled, data.outcome, weights, np.zeros(len(data.terms)), firth=method == "firth")
    if not fits.ended.all():
        return Undefined(f"no convergence without fold {int(np.flatnonzero(~fits.ended)[0])}")
    chances = expit((scaled * fits.coef[fold]).sum(axis=1))
    return HeldOut(tuple(chances.tolist()), tuple(fold.tolist()), method, seed)


def _dealt(
    data: Design, folds: int, seed: int, clusters: Sequence[Hashable] | None
) -> "NDArray[np.int64] | Undefined":
    """Return each row's fold."""
    import numpy as np

    random = np.random.default_rng(seed)
    if clusters is not None:
        group = groups_of(clusters, data.n)
        count = int(group.max()) + 1
        if count < folds:
            return Undefined(f"{count} clusters for {folds} folds")
        return np.asarray(random.permutation(np.arange(count) % folds)[group], dtype=np.int64)
    rarer = min(data.events, data.n - data.events)
    if rarer < folds:
        return Undefined(f"{rarer} rows of the rarer class for {folds} folds")
    fold = np.empty(data.n, dtype=np.int64)
    for value in (0.0, 1.0):
        rows = np.flatnonzero(data.outcome == value)
        fold[random.permutation(rows)] = np.arange(len(rows)) % folds
    return fold


def _unusable(data: Design, weights: "NDArray[np.float64]", *, separated: bool) -> Undefined | None:
    """Return why a fold's others have no fit, if one has none."""
    import numpy as np

    for number, kept in enumerate(weights.astype(bool)):
        rest = Design(data.terms, data.matrix[kept], data.outcome[kept])
        if rest.events in (0, rest.n):
            return Undefined(f"without fold {number} all outcomes are {int(rest.events > 0)}")
        if constant := rest.constant():
            return Undefined(f"without fold {number} constant predictor(s): {', '.join(constant)}")
        if np.linalg.matrix_rank(rest.standardised()[0]) < len(rest.terms):
            return Undefined(f"without fold {number} the predictors are collinear, or the rows too few")
        found = separation_of(rest) if separated else None
        if isinstance(found, Separation) and found.kind != "none":
            return Undefined(
                f"without fold {number} {found.kind} separation by {', '.join(found.terms)}; take firth"
            )
    return None
