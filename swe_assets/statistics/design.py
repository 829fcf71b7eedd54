"""The design of a binary regression: outcome, intercept and predictors, checked."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from swe_assets.errors import InputError
from swe_assets.statistics.numeric import equal_length, finite_numbers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

INTERCEPT = "const"


@dataclass(frozen=True)
class Design:
    """A binary outcome (n values) and a design matrix (n rows, the intercept in column 0)."""

    terms: tuple[str, ...]
    matrix: "NDArray[np.float64]"
    outcome: "NDArray[np.float64]"

    @property
    def n(self) -> int:
        """Return the number of rows."""
        return len(self.outcome)

    @property
    def events(self) -> int:
        """Return the number of rows whose outcome is 1."""
        return int(self.outcome.sum())

    def constant(self) -> list[str]:
        """Return the predictors whose values are all equal."""
        alike = self.matrix.max(axis=0) == self.matrix.min(axis=0)
        return [term for term, same in zip(self.terms[1:], alike[1:], strict=True) if same]

    def standardised(self) -> "tuple[NDArray[np.float64], NDArray[np.float64]]":
        """Return the matrix with predictors at mean 0 and sd 1, and T with matrix @ T = standardised matrix.

        Coefficients b of the standardised matrix are ``T @ b`` on the original one. No predictor may be
        constant.
        """
        import numpy as np

        mean, spread = self.matrix[:, 1:].mean(axis=0), self.matrix[:, 1:].std(axis=0)
        transform = np.diag(np.concatenate([[1.0], 1.0 / spread]))
        transform[0, 1:] = -mean / spread
        scaled = np.column_stack([np.ones(self.n), (self.matrix[:, 1:] - mean) / spread])
        return scaled, transform


def design(outcome: Iterable[object], predictors: Mapping[str, Iterable[object]]) -> Design:
    """Return outcome and predictors as a design with an intercept named const.

    Raises InputError for an outcome other than 0 and 1, a missing, infinite or non-numeric value (named
    by column, row and value), columns of different lengths, no rows, no predictor, or a predictor named
    const.
    """
    import numpy as np

    if not predictors or INTERCEPT in predictors:
        raise InputError(f"predictors {list(predictors)!r}: give at least one, none named {INTERCEPT!r}")
    columns = {name: finite_numbers(values, name=name) for name, values in predictors.items()}
    result = binary(outcome)
    if equal_length({"outcome": result, **columns}) == 0:
        raise InputError("no rows: the outcome and its predictors need at least one")
    matrix = np.column_stack([np.ones(len(result)), *columns.values()])
    return Design((INTERCEPT, *columns), matrix, np.array(result))


def binary(outcome: Iterable[object], *, name: str = "outcome") -> list[float]:
    """Return an outcome as 0.0 and 1.0; raises InputError that names row and value for any other."""
    values = finite_numbers(outcome, name=name)
    for row, value in enumerate(values, start=1):
        if value not in (0.0, 1.0):
            raise InputError(f"column {name!r}, row {row}: {value!r} is neither 0 nor 1")
    return values
