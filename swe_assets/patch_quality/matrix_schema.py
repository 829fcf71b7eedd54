"""The schema of the consolidated matrix, checked with pandera, all faults at once."""

from collections.abc import Mapping, Sequence
from typing import Any

from swe_assets.patch_quality.matriz_consolidada import COLUMNS, JUDGE_COLUMNS
from swe_assets.patch_quality.metric_sums import METRICS, STUDY_METRICS


def schema_faults(rows: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return what is wrong by instance id (or by column where the whole column is at fault)."""
    import pandas as pd
    import pandera.pandas as pa

    frame = pd.DataFrame([dict(row) for row in rows], columns=list(COLUMNS))
    whole = {
        "pass@1": pa.Column(int, pa.Check.isin([0, 1])),
        **{name: pa.Column(int, pa.Check.isin([1, 2, 3])) for name in JUDGE_COLUMNS},
        **{name: pa.Column(int, pa.Check.ge(0)) for name in STUDY_METRICS},
        "n_files_base": pa.Column(int, pa.Check.ge(0)),
        "n_files_patched": pa.Column(int, pa.Check.ge(0)),
        "judge": pa.Column(str, pa.Check.str_length(min_value=1)),
        "analyser": pa.Column(str, pa.Check.str_length(min_value=1)),
    }
    ids = pa.Column(str, unique=True)
    sides = {
        **{f"base_{m}": pa.Column("Int64", pa.Check.ge(0), nullable=True) for m in METRICS},
        **{f"delta_{m}": pa.Column("Int64", nullable=True) for m in METRICS},
    }
    for name in sides:
        frame[name] = pd.to_numeric(frame[name], errors="coerce").astype("Int64")
    schema = pa.DataFrameSchema({"instance_id": ids, **whole, **sides}, strict=True)
    if frame.empty:
        return {"(matrix)": "no instance is in the matrix"}
    try:
        schema.validate(frame, lazy=True)
    except pa.errors.SchemaErrors as found:
        return _named(found.failure_cases, list(frame["instance_id"]))
    return _wrong_deltas(rows)


def _wrong_deltas(rows: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return the instances where a delta is not patched minus base."""
    wrong: dict[str, str] = {}
    for row in rows:
        for metric in STUDY_METRICS:
            base = row[f"base_{metric}"]
            if base is not None and row[f"delta_{metric}"] != row[metric] - base:
                wrong[row["instance_id"]] = f"delta_{metric} is not {metric} - base_{metric}"
    return wrong


def _named(cases: Any, ids: Sequence[str]) -> dict[str, str]:
    faults: dict[str, str] = {}
    for case in cases.to_dict("records"):
        index = case["index"]
        known = index is not None and index == index and int(index) < len(ids)  # NaN is not itself
        key = ids[int(index)] if known else f"(column {case['column']})"
        text = f"{case['column']} = {case['failure_case']!r} breaks {case['check']}"
        faults[key] = f"{faults[key]}; {text}" if key in faults else text
    return faults
