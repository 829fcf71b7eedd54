"""Consolidated matrices for tests: one that has every result, and ways to change it."""

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from swe_assets.patch_quality.analysis.matrix import METRICS, OUTCOME

STAND_IN = "embedded (violations and sqale_index by Ruff 0.17.6)"


def frame(n: int = 160, **constant: Any) -> pd.DataFrame:
    """Return n rows with overlapping outcomes and related metrics; named columns are set to one value."""
    random = np.random.default_rng(11)
    ncloc = np.exp(random.normal(5, 1, n)).astype(int) + 3
    complexity = (ncloc * random.uniform(0.1, 0.4, n)).astype(int) + 1
    depth = random.integers(1, 4, n)
    chance = 1 / (1 + np.exp(3 - depth - 0.1 * np.log(ncloc)))
    columns = {
        "instance_id": [f"demo__pkg-{number}" for number in range(n)],
        OUTCOME: (random.random(n) < chance).astype(int),
        "M_profundidade": depth,
        "M_integridade": random.integers(1, 4, n),
        "M_defesa": np.clip(depth + random.integers(-1, 2, n), 1, 3),
        "cognitive_complexity": (complexity * random.uniform(0, 2, n)).astype(int),
        "complexity": complexity,
        "ncloc": ncloc,
        "sqale_index": 5 * random.poisson(ncloc / 50) + random.poisson(2, n),
        "violations": random.poisson(ncloc / 50),
    }
    return pd.DataFrame(columns).assign(**constant)


def with_value(table: pd.DataFrame, row: int, column: str, value: object) -> pd.DataFrame:
    """Return a matrix with one value replaced, whatever its type; rows are counted from 0."""
    values = table[column].tolist()
    values[row] = value
    return table.assign(**{column: pd.Series(values, dtype=object)})


def labelled(n: int = 160) -> pd.DataFrame:
    """Return the matrix as a study on embedded defaults has it, with judge and analyser at its end."""
    return frame(n, judge="rehearsal", analyser=STAND_IN)


def separated() -> pd.DataFrame:
    """Return the matrix with the long files failed and the short ones resolved: complete separation."""
    table = frame()
    return table.assign(**{OUTCOME: (table["ncloc"] < 150).astype(int)})


def saved(table: pd.DataFrame, path: Path) -> Path:
    """Write a matrix as CSV and return its path."""
    table.to_csv(path, index=False, lineterminator="\n")
    return path


def read_rows(path: Path) -> list[dict[str, str]]:
    """Return a CSV file's rows by column."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def read_square(path: Path) -> dict[tuple[str, str], str]:
    """Return the cells of a square CSV by row and column; both must be the nine metrics in order."""
    with path.open(encoding="utf-8", newline="") as stream:
        header, *rows = list(csv.reader(stream))
    assert tuple(header[1:]) == tuple(row[0] for row in rows) == METRICS
    return {(row[0], name): cell for row in rows for name, cell in zip(METRICS, row[1:], strict=True)}
