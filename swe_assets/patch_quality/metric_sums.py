"""From measures of files to measures of an instance: sums over the files present on each side."""

from collections.abc import Mapping, Sequence
from typing import Any

METRICS = (
    "cognitive_complexity",
    "complexity",
    "ncloc",
    "sqale_index",
    "violations",
    "lines",
    "comment_lines",
    "statements",
    "functions",
    "classes",
)
STUDY_METRICS = METRICS[:5]
"""The metrics that a row of the matrix cannot do without."""


def side_sums(files: Sequence[Mapping[str, Any]]) -> dict[str, int | None]:
    """Sum each metric over one side's files; None where a file lacks it, 0 where there is no file."""
    sums: dict[str, int | None] = {}
    for metric in METRICS:
        values = [file["measures"].get(metric) for file in files]
        sums[metric] = None if None in values else sum(values)
    return sums


def instance_measures(files: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return files, n_files_base, n_files_patched, and base, patched and delta by metric.

    A delta is patched minus base, None where either side lacks the metric: a file that is not measured
    never counts as zero.
    """
    base = [file for file in files if file["side"] == "base"]
    patched = [file for file in files if file["side"] == "patched"]
    before, after = side_sums(base), side_sums(patched)
    return {
        "files": list(files),
        "n_files_base": len(base),
        "n_files_patched": len(patched),
        "base": before,
        "patched": after,
        "delta": {metric: _minus(after[metric], before[metric]) for metric in METRICS},
    }


def _minus(after: int | None, before: int | None) -> int | None:
    return None if after is None or before is None else after - before
