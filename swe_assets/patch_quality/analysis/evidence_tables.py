"""The evidence's own tables as CSV: one line an instance, one line a judge's verdict."""

import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from swe_assets.errors import MatrixError
from swe_assets.patch_quality.analysis.evidence import IN_MATRIX, InstanceLine, Judgement
from swe_assets.patch_quality.analysis.instance_table import VALUES
from swe_assets.patch_quality.analysis.matrix import KEY, OUTCOME, REPO, Matrix
from swe_assets.patch_quality.analysis.table import read_table
from swe_assets.reporting.tables import MARKS
from swe_assets.statistics.numeric import Number, as_float, to_number
from swe_assets.storage.csv_text import csv_text

if TYPE_CHECKING:
    import pandas as pd

LINE_COLUMNS = (KEY, "repo", "place", "stage", "reason", "outcome", OUTCOME, *VALUES)
JUDGEMENT_COLUMNS = (KEY, "judge", "resolve_issue", "score_confianca")


def instances_csv(lines: Iterable[InstanceLine], marks: Iterable[str] = ()) -> bytes:
    """Return the instances as CSV, an empty cell where nothing is known; marks in a column of their own."""
    borne = " ".join(sorted(marks))
    rows = (
        (
            line.instance_id, line.repo, line.place, line.stage, line.reason, line.outcome,
            None if line.resolved is None else int(line.resolved),
            *(line.known.get(name) for name in VALUES), *([borne] if borne else []),
        )
        for line in lines
    )  # fmt: skip
    header = (*LINE_COLUMNS, *([MARKS] if borne else []))
    return csv_text(header, rows).encode("utf-8", "backslashreplace")


def read_instances(path: Path) -> tuple[InstanceLine, ...]:
    """Return the instances of a CSV: instance_id, and any of repo, place, stage, reason, outcome, pass@1.

    Without a column place every row is in the matrix; measures may be there for rows that are not.
    Raises MatrixError where the file is no such table, an id is empty or there twice, or a value is no
    number or out of range.
    """
    frame = read_table(path)
    rows = _rows(path, frame, (KEY,))
    return tuple(_line(path, row) for row in rows)


def matrix_csv(matrix: Matrix) -> bytes:
    """Return a matrix as CSV: its nine metrics, base_* and delta_*, and the repository where it is said."""
    columns = {**matrix.columns, **matrix.sides, **({REPO: matrix.repos} if matrix.repos else {})}
    header = (KEY, *columns)
    rows = zip(matrix.ids, *([_blank(v) for v in column] for column in columns.values()), strict=True)
    return csv_text(header, rows).encode("utf-8", "backslashreplace")


def judgements_csv(judgements: Iterable[Judgement]) -> bytes:
    """Return the judges' verdicts as CSV."""
    rows = ((j.instance_id, j.judge, int(j.resolve_issue), j.score_confianca) for j in judgements)
    return csv_text(JUDGEMENT_COLUMNS, rows).encode("utf-8", "backslashreplace")


def read_judgements(path: Path) -> tuple[Judgement, ...]:
    """Return the verdicts of a CSV file: instance_id, judge, resolve_issue (0, 1), score_confianca (1 to 5).

    Raises MatrixError where a column is missing, a value is none of these, or a judge judges an instance
    twice.
    """
    frame = read_table(path)
    found = {}
    for row in _rows(path, frame, JUDGEMENT_COLUMNS, unique=False):
        said, score = (_number(path, row, name) for name in JUDGEMENT_COLUMNS[2:])
        key = row[KEY], row["judge"]
        if not row["judge"].strip():
            raise MatrixError(f"{str(path)!r}, {row[KEY]!r}: the judge has no name")
        if said not in (0, 1) or score not in (1, 2, 3, 4, 5) or key in found:
            raise MatrixError(
                f"{str(path)!r}, {row[KEY]!r}, judge {row['judge']!r}: resolve_issue {said!r}, "
                f"score_confianca {score!r}; give 0 or 1 and 1 to 5, once a judge and instance"
            )
        found[key] = Judgement(row[KEY], row["judge"], bool(said), int(score))
    return tuple(found.values())


def _line(path: Path, row: Mapping[str, Any]) -> InstanceLine:
    outcome = _number(path, row, OUTCOME)
    if outcome not in (None, 0, 1):
        raise MatrixError(f"{str(path)!r}, {row[KEY]!r}: pass@1 is {row[OUTCOME]!r}, neither 0 nor 1")
    known = {name: value for name in VALUES if (value := _number(path, row, name)) is not None}
    for name, value in known.items():
        if value < 0 and not name.startswith("delta_"):
            raise MatrixError(f"{str(path)!r}, {row[KEY]!r}, column {name!r}: {value!r} is negative")
    return InstanceLine(
        instance_id=row[KEY],
        repo=row.get("repo") or None,
        place=row.get("place") or IN_MATRIX,
        stage=row.get("stage", ""),
        reason=row.get("reason", ""),
        outcome=row.get("outcome", ""),
        resolved=None if outcome is None else bool(outcome),
        known=known,
    )


def _blank(value: object) -> object:
    """Return a cell of a matrix, None where it is missing (NaN)."""
    return None if isinstance(value, float) and math.isnan(value) else value


def _rows(
    path: Path, frame: "pd.DataFrame", needed: Iterable[str], *, unique: bool = True
) -> list[dict[str, Any]]:
    absent = [name for name in needed if name not in frame.columns]
    if absent:
        raise MatrixError(f"{str(path)!r} lacks column(s) {', '.join(absent)}; it has {list(frame.columns)}")
    rows = [{str(name): cell for name, cell in row.items()} for row in frame.to_dict("records")]
    ids = [str(row[KEY]) for row in rows]
    if not all(map(str.strip, ids)) or (unique and len(set(ids)) < len(ids)):
        raise MatrixError(f"{str(path)!r}: an {KEY} is empty or occurs twice; keep one row an instance")
    return rows


def _number(path: Path, row: Mapping[str, Any], name: str) -> Number | None:
    """Return a cell as a number, None where it is empty or its column is not there."""
    number = to_number(row.get(name, ""))
    value = math.inf if number is None else as_float(number)
    if math.isinf(value):
        raise MatrixError(f"{str(path)!r}, {row[KEY]!r}, column {name!r}: {row[name]!r} is no finite number")
    return None if math.isnan(value) else number
