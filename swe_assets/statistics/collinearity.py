"""Variance inflation factors of a regression's predictors."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from swe_assets.statistics.numeric import equal_length, finite_numbers
from swe_assets.statistics.undefined import Undefined, Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def vif(predictors: Mapping[str, Iterable[object]]) -> dict[str, Value]:
    """Return the variance inflation factor of each predictor.

    Formula: VIF_j = 1 / (1 - R_j^2), R_j^2 of the least-squares regression of predictor j on all the
    others and an intercept. Computed here from centred and scaled columns, so it does not hang on how a
    library treats a constant.
    Reading: 1 is no collinearity; from 5 look closer, from 10 the coefficient is not to be trusted.
    Undefined: a perfectly collinear predictor (``infinite`` is true), a constant one (for itself only),
    and all of them with fewer rows than parameters.
    Raises InputError for a missing, infinite or non-numeric value and for columns of different lengths.
    Reference: D. W. Marquardt (1970), doi:10.1080/00401706.1970.10488699.

    >>> found = vif({"a": [1, 2, 3, 4], "b": [1, 3, 2, 4]})
    >>> round(found["a"], 6)  # r = 0.8, so 1 / (1 - 0.64)
    2.777778
    >>> vif({"a": [1, 2, 3, 4], "b": [2, 4, 6, 8]})["a"].infinite
    True
    """
    import numpy as np

    columns = {name: finite_numbers(values, name=name) for name, values in predictors.items()}
    rows, parameters = equal_length(columns), len(columns) + 1
    if rows < parameters:
        return dict.fromkeys(columns, Undefined(f"{rows} rows for {parameters} parameters"))
    factors: dict[str, Value] = {}
    arrays = {name: np.array(values) for name, values in columns.items()}
    varying = {name: _unit(values) for name, values in arrays.items() if values.min() != values.max()}
    for name, values in arrays.items():
        if name not in varying:
            factors[name] = Undefined(f"predictor {name!r} is constant")
            continue
        others = [other for key, other in varying.items() if key != name]
        rounding = 16 * float(np.finfo(float).eps * np.abs(values).max() / np.ptp(values))
        factors[name] = _factor(name, varying[name], others, rounding)
    return factors


def _unit(values: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Return the values centred, at length 1."""
    import numpy as np

    centred = (values - values.mean()) / np.ptp(values)
    centred -= centred.mean()
    return np.asarray(centred / np.linalg.norm(centred), dtype=np.float64)


def _factor(
    name: str, target: "NDArray[np.float64]", others: "list[NDArray[np.float64]]", rounding: float
) -> Value:
    """Return 1 over the share of the target that the others leave unexplained."""
    import numpy as np

    if not others:
        return 1.0
    basis, sizes, _ = np.linalg.svd(np.column_stack(others), full_matrices=False)
    basis = basis[:, sizes > sizes[0] * 1e-12]
    residual = target - basis @ (basis.T @ target)
    residual -= basis @ (basis.T @ residual)  # once more, against cancellation
    left = float(np.linalg.norm(residual))
    if left < max(1e-10, rounding):
        return Undefined(f"infinite: predictor {name!r} is collinear with the others", infinite=True)
    return max(1.0 / left**2, 1.0)
