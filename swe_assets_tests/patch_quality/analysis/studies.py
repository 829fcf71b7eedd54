"""A study's evidence for tests: a matrix with both sides, lost instances, and a judge's verdicts."""

import numpy as np
import pandas as pd

from swe_assets.patch_quality.analysis.evidence import Evidence, InstanceLine, Judgement, Settings
from swe_assets.patch_quality.analysis.labels import Labels
from swe_assets.patch_quality.analysis.matrix import matrix_of
from swe_assets.statistics.numeric import Number
from swe_assets_tests.patch_quality.analysis.matrices import frame

FEW = Settings(draws=200, permutations=200, folds=5)
STAGES = ("arquivos_reconstruidos", "evaluation_results")


def sided(n: int = 90) -> pd.DataFrame:
    """Return a matrix with base_* and delta_* of every measure, and eight repositories."""
    table, random = frame(n), np.random.default_rng(5)
    for metric in table.columns[5:]:
        table[f"delta_{metric}"] = random.integers(-3, 9, n)
        table[f"base_{metric}"] = np.maximum(table[metric] - table[f"delta_{metric}"], 0)
    table["instance_id"] = [f"demo__pkg{number % 8}-{number}" for number in range(n)]
    return table


def lost() -> tuple[InstanceLine, ...]:
    """Return ten instances that are not in the matrix: eight whose patch is empty, two whose judge failed."""
    known: dict[str, Number] = {"ncloc": 7, "base_ncloc": 5}
    empty = [
        InstanceLine(f"o__n-{k}", "o/n", "excluded", STAGES[0], "empty", "empty", resolved=False)
        for k in range(8)
    ]
    failed = [
        InstanceLine(
            f"o__m-{k}", "o/m", "missing", STAGES[1], f"failed: {k}", "strict", resolved=True, known=known
        )
        for k in range(2)
    ]
    return (*empty, *failed)


def study(table: pd.DataFrame | None = None, *, labels: Labels | None = None) -> Evidence:
    """Return the evidence of a whole study; the judge is right of four in five."""
    matrix = matrix_of(sided() if table is None else table).labelled(labels or Labels())
    outcomes = zip(matrix.ids, matrix.columns["pass@1"], strict=True)
    inside = tuple(InstanceLine(key, resolved=bool(value)) for key, value in outcomes)
    verdicts = tuple(
        Judgement(line.instance_id, "judge-a", bool(line.resolved) is (at % 5 > 0), 1 + at % 5)
        for at, line in enumerate(inside)
    )
    texts = {"o__n-0": {"patch": "+x"}}
    return Evidence("estudo", matrix, (*inside, *lost()), verdicts, STAGES, texts, settings=FEW)
