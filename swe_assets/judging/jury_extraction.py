"""A jury's M_* from its judges' own extractions: the lower median, and beside it what each of them said."""

from collections.abc import Mapping, Sequence
from typing import Any

from swe_assets.judging.coherence import m_coerencia
from swe_assets.judging.extraction import FALLBACK, Extraction
from swe_assets.judging.jury import lower_median, together

STATED, FELL_BACK, CALL_FAILED = "stated", "fallback", "call failed"
"""Where a value of M_* comes from; of a call that failed there is an error and no value."""


def extraction_entry(judge_id: str, found: Extraction) -> dict[str, Any]:
    """Return one judge's extraction as a record holds it: {judge_id, record, origins, notes, judge}."""
    return {
        "judge_id": judge_id,
        "record": found.record,
        "origins": dict(found.origins),
        "notes": list(found.notes),
        "judge": found.judge,
    }


def joint_extraction(
    instance_id: str, evaluation: Mapping[str, Any], jury: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return {record, origins, notes, judge} of a jury; of one judge these are that judge's own.

    Each M_* is the lower median of the judges' values; its just_* and its origin are those of the first
    judge with that value, one that stated it before one that fell back. M_coerencia comes from the joint
    verdict. Raises JudgeError for no judge.
    """
    if len(jury) == 1:
        return {name: jury[0][name] for name in ("record", "origins", "notes", "judge")}
    values: dict[str, Any] = {}
    words: dict[str, str] = {}
    origins: dict[str, str] = {}
    for metric in FALLBACK:
        said = [judge["record"]["LLM_Judge_Metrics"] for judge in jury]
        values[metric] = lower_median([one[metric] for one in said])
        speaks = _speaker(metric, values[metric], jury)
        just = f"just_{metric.removeprefix('M_')}"
        words[just] = speaks["record"]["LLM_Judge_Metrics"][just]
        origins[metric] = speaks["origins"][metric]
    record = {
        "instance_id": instance_id,
        "LLM_Judge_Metrics": {**values, **words},
        "Metadata_Metrics": {
            "M_coerencia": m_coerencia(evaluation["resolve_issue"], evaluation["score_confianca"]),
            "resolve_issue_original": evaluation["resolve_issue"],
            "score_confianca_original": evaluation["score_confianca"],
        },
    }
    notes = [f"{judge['judge_id']}: {note}" for judge in jury for note in judge["notes"]]
    return {"record": record, "origins": origins, "notes": notes, "judge": together(jury)}


def _speaker(metric: str, value: int, jury: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return the first judge that gave the value, those that stated it first."""
    giving = [judge for judge in jury if judge["record"]["LLM_Judge_Metrics"][metric] == value]
    return min(giving, key=lambda judge: judge["origins"][metric] != STATED)
