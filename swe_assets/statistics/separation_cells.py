"""Where separation comes from: the values of a predictor at which only one outcome occurs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from swe_assets.statistics.design import INTERCEPT, Design, design
from swe_assets.statistics.separation import Separation, separation_of
from swe_assets.statistics.undefined import Undefined

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FEW_VALUES = 10  # up to so many, each value is a cell; beyond, each end of the scale


@dataclass(frozen=True)
class Cell:
    """Rows with a predictor from low to high: how many have outcome 1 and how many 0, one of them none."""

    term: str
    low: float
    high: float
    ones: int
    zeros: int
    defined: ClassVar[bool] = True

    def __str__(self) -> str:
        """Return the cell in words."""
        place = f"= {self.low:g}" if self.low == self.high else f"from {self.low:g} to {self.high:g}"
        return f"{self.term} {place}: {self.ones} of {self.ones + self.zeros} rows have outcome 1"


def separation_cells(
    outcome: Iterable[object], predictors: Mapping[str, Iterable[object]]
) -> tuple[Cell, ...] | Undefined:
    """Return, for each predictor without a finite estimate, the cells of its values with one outcome only.

    Formula: for the terms of ``detect_separation``: with up to 10 distinct values each value is a cell; with
    more, the lowest and the highest run of values with a single outcome. Cells of one class only are given.
    Reading: these rows are why no estimate exists: an empty cell, or an end of the scale with one outcome.
    Where several predictors separate only together, the cells show each one's part and may be none.
    Undefined: as ``detect_separation``. Without separation there are no cells.
    Raises InputError as ``design`` does.
    Reference: A. Albert, J. A. Anderson (1984), doi:10.1093/biomet/71.1.1.

    >>> found = separation_cells([1, 1, 1, 0, 1, 0], {"flag": [1, 1, 1, 0, 0, 0]})
    >>> [str(cell) for cell in found]
    ['flag = 1: 3 of 3 rows have outcome 1']
    """
    data = design(outcome, predictors)
    found = separation_of(data)
    if not isinstance(found, Separation):
        return found
    places = [(at, term) for at, term in enumerate(data.terms) if term in found.terms and term != INTERCEPT]
    return tuple(cell for at, term in places for cell in _cells(data, at, term))


def _cells(data: Design, at: int, term: str) -> list[Cell]:
    """Return one predictor's cells of a single outcome."""
    import numpy as np

    values = np.unique(data.matrix[:, at])
    ones = [data.outcome[data.matrix[:, at] == value] for value in values]
    if len(values) <= FEW_VALUES:
        return [
            Cell(term, float(value), float(value), int(each.sum()), int(len(each) - each.sum()))
            for value, each in zip(values, ones, strict=True)
            if each.sum() in (0, len(each))
        ]
    cells = [_run(term, list(values), ones), _run(term, list(values[::-1]), ones[::-1])]
    return [cell for cell in cells if cell is not None]


def _run(term: str, values: "list[float]", outcomes: "list[NDArray[np.float64]]") -> Cell | None:
    """Return the first values that all have one outcome, or None where the first has both."""
    total, rows, last = 0, 0, None
    for value, each in zip(values, outcomes, strict=True):
        more, count = total + int(each.sum()), rows + len(each)
        if more not in (0, count):
            break
        total, rows, last = more, count, value
    if last is None:
        return None
    low, high = sorted((float(values[0]), float(last)))
    return Cell(term, low, high, total, rows - total)
