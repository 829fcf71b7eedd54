"""The same model of pass@1 on three kinds of measures: whole files after the patch, before it, the change."""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from swe_assets.patch_quality.analysis.evidence import Evidence
from swe_assets.patch_quality.analysis.fitted_outcome import AS_IS, LOGGED, predictors_of
from swe_assets.patch_quality.analysis.matrix import OUTCOME
from swe_assets.statistics.numeric import Number, as_float

Side = Literal["total", "base", "delta"]


@dataclass(frozen=True)
class Model:
    """Outcome and predictors of one model over the rows that have them all; ``n_absent`` rows lack one."""

    name: Side
    ids: tuple[str, ...]
    repos: tuple[str | None, ...]
    outcome: tuple[int, ...]
    predictors: Mapping[str, tuple[float, ...]]
    n_absent: int

    @property
    def clusters(self) -> Sequence[Hashable] | None:
        """Return the repository of each row, or None where one is not known."""
        return None if None in self.repos else self.repos

    @property
    def resolved(self) -> int:
        """Return how many of the rows are resolved."""
        return sum(self.outcome)


def models(evidence: Evidence) -> list[Model]:
    """Return the models that the matrix has columns and rows for, total first.

    Predictors: M_profundidade, M_defesa, and cognitive_complexity and ncloc as log(1 + x); a change, which
    may be negative, as sign(x) log(1 + abs(x)), so that 0 stays 0.
    """
    matrix = evidence.matrix
    found = [_model(evidence, "total", predictors_of(matrix))]
    rated: dict[str, Sequence[Number]] = {name: matrix.columns[name] for name in AS_IS}
    sides: tuple[Side, ...] = ("base", "delta")
    for side in sides:
        names = [f"{side}_{metric}" for metric in LOGGED]
        if all(name in matrix.sides for name in names):
            logged = {f"{name}_log": [signed_log(v) for v in matrix.sides[name]] for name in names}
            found.append(_model(evidence, side, {**rated, **logged}))
    return [model for model in found if model.ids]


def signed_log(value: Number) -> float:
    """Return sign(x) log(1 + abs(x)); NaN stays NaN.

    >>> signed_log(-3) == -signed_log(3), signed_log(0)
    (True, 0.0)
    """
    number = as_float(value)
    return number if math.isnan(number) else math.copysign(math.log1p(abs(number)), number)


def _model(evidence: Evidence, name: Side, predictors: Mapping[str, Sequence[Number]]) -> Model:
    matrix, repos = evidence.matrix, evidence.repos
    columns = {term: [as_float(value) for value in values] for term, values in predictors.items()}
    kept = [row for row in range(matrix.n) if all(math.isfinite(column[row]) for column in columns.values())]
    return Model(
        name=name,
        ids=tuple(matrix.ids[row] for row in kept),
        repos=tuple(repos[row] for row in kept),
        outcome=tuple(int(matrix.columns[OUTCOME][row]) for row in kept),
        predictors={term: tuple(column[row] for row in kept) for term, column in columns.items()},
        n_absent=matrix.n - len(kept),
    )
