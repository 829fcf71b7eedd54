"""The consolidated matrix: what its analysis needs of it, checked value by value."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from swe_assets.errors import MatrixError
from swe_assets.patch_quality.analysis.labels import Labels, labels_of_frame
from swe_assets.patch_quality.analysis.table import read_table
from swe_assets.statistics.numeric import Number, as_float, is_missing, to_number

if TYPE_CHECKING:
    import pandas as pd

KEY = "instance_id"
OUTCOME = "pass@1"
METRICS = (
    OUTCOME,
    "M_profundidade",
    "M_integridade",
    "M_defesa",
    "cognitive_complexity",
    "complexity",
    "ncloc",
    "sqale_index",
    "violations",
)
MEASURED = METRICS[4:]
SIDES = ("base", "delta")
REPO = "repo"
SHOWN = 5


@dataclass(frozen=True)
class Matrix:
    """The nine metrics of each instance, in the order of rows, and the labels its columns call for.

    ``sides`` holds the columns base_* and delta_* that are there, NaN where a cell is empty; ``repos`` the
    repository of each instance where the matrix has such a column.
    """

    ids: tuple[str, ...]
    columns: Mapping[str, tuple[Number, ...]]
    labels: Labels
    sides: Mapping[str, tuple[Number, ...]] = field(default_factory=dict)
    repos: tuple[str, ...] = ()

    @property
    def n(self) -> int:
        """Return the number of instances."""
        return len(self.ids)

    @property
    def resolved(self) -> int:
        """Return the number of instances whose pass@1 is 1."""
        return int(sum(self.columns[OUTCOME]))

    def labelled(self, labels: Labels) -> "Matrix":
        """Return the matrix with labels added to its own."""
        return replace(self, labels=self.labels | labels)


def read_matrix(path: Path) -> Matrix:
    """Return the consolidated matrix of a CSV file.

    Raises MatrixError for a file that is no such CSV (see ``read_table``) or whose rows are not usable
    (see ``matrix_of``).
    """
    return matrix_of(read_table(path))


def matrix_of(frame: "pd.DataFrame | Matrix") -> Matrix:
    """Return a frame with instance_id and the nine metrics as a checked matrix; a matrix stays as it is.

    Columns judge, analyser, rehearsal and marks, where present, set the labels; base_* and delta_* of the
    five measures and repo are kept where present; other columns are ignored. Numbers may come as text
    (``88.0``).
    Raises MatrixError that names the column, row and value where a column is missing, an instance_id is
    empty or there twice, there are no rows, or a value is missing, infinite, negative or no number, or
    pass@1 is not 0 or 1. In base_* and delta_* a value may be missing, in delta_* negative.
    """
    if isinstance(frame, Matrix):
        return frame
    absent = [name for name in (KEY, *METRICS) if name not in frame.columns]
    if absent:
        found = ", ".join(map(str, frame.columns))
        raise MatrixError(f"the matrix lacks column(s) {', '.join(absent)}; it has: {found}")
    if len(frame) == 0:
        raise MatrixError("the matrix has no rows, only a header; consolidate some instances first")
    ids = _ids(frame[KEY].tolist())
    columns = {name: _column(name, frame[name].tolist(), ids) for name in METRICS}
    return Matrix(ids, columns, labels_of_frame(frame), _sides(frame, ids), _repos(frame))


def _ids(values: Sequence[object]) -> tuple[str, ...]:
    """Return the instance ids, none empty and none twice."""
    rows: dict[str, int] = {}
    doubled = []
    for row, value in enumerate(values, start=1):
        name = value if isinstance(value, str) else _id_text(value)
        if not name.strip():
            raise MatrixError(f"{KEY}, row {row}: {value!r} is empty; every row needs its id")
        if name in rows:
            doubled.append(f"{name!r} (rows {rows[name]} and {row})")
        rows.setdefault(name, row)
    if doubled:
        more = f" and {len(doubled) - SHOWN} more" if len(doubled) > SHOWN else ""
        raise MatrixError(f"{KEY} occurs twice: {', '.join(doubled[:SHOWN])}{more}; keep one row an instance")
    return tuple(rows)


def _id_text(value: object) -> str:
    """Return an id that is no text as text, a missing one as an empty text."""
    number = to_number(value)
    return "" if number is not None and is_missing(number) else str(value)


def _column(name: str, values: Sequence[object], ids: Sequence[str]) -> tuple[Number, ...]:
    """Return one metric as numbers; the first unusable value is named with its row and instance."""
    cast = []
    for row, (value, instance) in enumerate(zip(values, ids, strict=True), start=1):
        number = to_number(value)
        fault = _fault(name, number)
        if number is None or fault:
            raise MatrixError(
                f"column {name!r}, row {row} ({instance!r}): {value!r} {fault}; mend or drop the row"
            )
        cast.append(number)
    return tuple(cast)


def _fault(name: str, number: Number | None) -> str:
    """Return what is wrong with a value of a metric, or an empty text."""
    side = name.partition("_")[0]
    if number is None:
        return "is not a number"
    if is_missing(number):
        return "" if side in SIDES else "is no value"
    if math.isinf(as_float(number)):
        return "is infinite"
    if name == OUTCOME and number not in (0, 1):
        return "is neither 0 nor 1"
    return "is negative" if number < 0 and side != "delta" else ""


def _sides(frame: "pd.DataFrame", ids: Sequence[str]) -> dict[str, tuple[Number, ...]]:
    """Return the columns base_* and delta_* of the measures that are there, missing values as NaN."""
    names = [f"{side}_{metric}" for side in SIDES for metric in MEASURED]
    return {name: _column(name, frame[name].tolist(), ids) for name in names if name in frame.columns}


def _repos(frame: "pd.DataFrame") -> tuple[str, ...]:
    """Return the repository of each row, or nothing where no column says it."""
    return tuple(map(_id_text, frame[REPO].tolist())) if REPO in frame.columns else ()
