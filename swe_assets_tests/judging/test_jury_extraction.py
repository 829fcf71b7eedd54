"""A jury's M_* are the lower medians of its judges', each with its words and where it came from."""

from typing import Any

import pytest

from swe_assets.errors import JudgeError
from swe_assets.judging.extraction import FALLBACK, Extraction
from swe_assets.judging.jury_extraction import extraction_entry, joint_extraction

VERDICT = {"resolve_issue": True, "score_confianca": 2.0}


def entry(name: str, values: tuple[int, int, int], origins: str = "sss") -> dict[str, Any]:
    """Return one judge's extraction: values in the order of the metrics, origins s(tated) or f(allback)."""
    metrics = dict(zip(FALLBACK, values, strict=True))
    words = {f"just_{metric.removeprefix('M_')}": f"{name} diz" for metric in FALLBACK}
    said = {"s": "stated", "f": "fallback"}
    where = {metric: said[letter] for metric, letter in zip(FALLBACK, origins, strict=True)}
    record = {"instance_id": "x-1", "LLM_Judge_Metrics": {**metrics, **words}, "Metadata_Metrics": {}}
    judge = {"model": name, "rehearsal": False, "attempts": 1, "tokens_in": 1, "tokens_out": 1}
    return extraction_entry(name, Extraction(record, where, (f"nota de {name}",), judge))  # type: ignore[arg-type] # origins are literals


def test_one_judge_s_record_stays_as_it_is() -> None:
    """Of one judge the record, origins, notes and judge are that judge's own."""
    alone = entry("a", (1, 2, 3))
    found = joint_extraction("x-1", VERDICT, [alone])
    assert found == {name: alone[name] for name in ("record", "origins", "notes", "judge")}


def test_medians_words_and_origins() -> None:
    """Values are lower medians; words and origin come from the first judge that stated that value."""
    jury = [entry("a", (2, 3, 1), "fss"), entry("b", (2, 1, 2), "ssf"), entry("c", (3, 1, 3), "sss")]
    found = joint_extraction("x-1", VERDICT, jury)
    metrics = found["record"]["LLM_Judge_Metrics"]
    assert [metrics[name] for name in FALLBACK] == [2, 1, 2]
    assert metrics["just_profundidade"] == "b diz"
    assert found["origins"] == {"M_profundidade": "stated", "M_integridade": "stated", "M_defesa": "fallback"}
    assert found["notes"] == ["a: nota de a", "b: nota de b", "c: nota de c"]


def test_the_shape_is_the_study_s() -> None:
    """The record has the study's blocks and keys in order, M_coerencia from the joint verdict."""
    found = joint_extraction("x-1", VERDICT, [entry("a", (1, 1, 1)), entry("b", (2, 2, 2))])["record"]
    assert list(found) == ["instance_id", "LLM_Judge_Metrics", "Metadata_Metrics"]
    assert list(found["LLM_Judge_Metrics"])[:4] == [*FALLBACK, "just_profundidade"]
    assert found["Metadata_Metrics"] == {
        "M_coerencia": 0,
        "resolve_issue_original": True,
        "score_confianca_original": 2.0,
    }


def test_no_judge_has_no_values() -> None:
    """An empty jury is refused, never the fallback values."""
    with pytest.raises(JudgeError):
        joint_extraction("x-1", VERDICT, [])
