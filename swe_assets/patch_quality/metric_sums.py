"""From measures of files to measures of an instance: sums over the files present on each side."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from swe_assets.analysers.projects import SIDES, SideMeasures
from swe_assets.analysers.protocol import Number

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


def side_sums(files: Sequence[Mapping[str, Any]]) -> dict[str, Number | None]:
    """Sum each metric over one side's files; None where a file lacks it, 0 where there is no file."""
    sums: dict[str, Number | None] = {}
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


def server_measures(payload: Mapping[str, Any], sides: Mapping[str, SideMeasures]) -> dict[str, Any]:
    """Return base, patched and delta with all other metrics of an analyser that measures whole sides too.

    A count is the sum over a side's files, 0 where the side has none; a rating, density or other ratio is
    the analyser's own number for the side, None where it gave none. `own` keeps those numbers and `additive`
    the keys that are sums. Empty for an analyser that measures files alone.
    """
    if not any(side.own for side in sides.values()):
        return {}
    additive = next(side.additive for side in sides.values() if side.own)
    keys = sorted({key for side in sides.values() for key in _known(side)} - set(METRICS))
    totals = {
        side: {**payload[side], **{key: _total(found, key, additive) for key in keys}}
        for side, found in sides.items()
    }
    before, after = (totals[side] for side in SIDES)
    return {
        **totals,
        "delta": {key: _minus(after[key], before[key]) for key in after},
        "own": {side: dict(found.own) for side, found in sides.items()},
        "additive": list(additive),
    }


def _known(side: SideMeasures) -> Iterable[str]:
    """Return the metrics that a side has a number of somewhere."""
    return {*side.own, *(key for file in side.files for key in file.measures)}


def _total(side: SideMeasures, key: str, additive: Sequence[str]) -> Number | None:
    """Return one metric of a side, None where a file did not parse or the analyser has no number."""
    if key not in additive:
        return side.own.get(key)
    if any(key in file.not_measured for file in side.files):
        return None
    values = [file.measures[key] for file in side.files if key in file.measures]
    return sum(values) if values or not side.files else None


def _minus(after: Number | None, before: Number | None) -> Number | None:
    if isinstance(after, float) or isinstance(before, float):
        return None if after is None or before is None else round(after - before, 6)
    return None if after is None or before is None else after - before
