"""What the assets about judges read of an instance."""

import pytest

from swe_assets.judging.jury_agreement import MEASURES, agreement
from swe_assets.patch_quality.analysis.labels import labels_of
from swe_assets.patch_quality.judged import Judged, judge_marks, why_unmeasured
from swe_assets.patch_quality.matriz_consolidada import judge_label


@pytest.mark.parametrize(
    ("reason", "only_tests", "expected"),
    [
        ("only_tests", True, "only_tests"),
        ("only_tests", False, "only_tests_in_python"),
        ("no_python", False, "no_python"),
        ("", False, ""),
    ],
)
def test_of_tests_alone_is_a_patch_of_no_other_file(reason: str, only_tests: bool, expected: str) -> None:
    """A patch of Python tests and, say, a C file can pass, and is not counted among those of tests alone."""
    assert why_unmeasured(reason, {"flags": {"only_tests": only_tests}}) == expected


def judged(number: int, value: int, origin: str) -> Judged:
    """Return an instance of which judges a and b say the same, from one origin."""
    verdict = {"resolve_issue": True, "score_confianca": 3}
    said = {name: {"M_profundidade": value} for name in "ab"}
    origins = {name: {"M_profundidade": origin} for name in "ab"}
    return Judged(f"x-{number}", dict.fromkeys("ab", verdict), said, verdict, (), True, "", origins)


def test_silence_is_no_agreement() -> None:
    """Two judges that fell back on twenty instances and stated two values agree on those two alone."""
    rows = [*(judged(n, 2, "fallback") for n in range(20)), judged(20, 1, "stated"), judged(21, 3, "stated")]
    measure = MEASURES[2]
    found = agreement({name: [row.value(name, measure) for row in rows] for name in "ab"}, measure, draws=50)
    assert (found.n, found.stated, found.pairs[0].same) == (2, 4, 2)
    assert rows[0].value("a", MEASURES[1]) == 3


@pytest.mark.parametrize(
    ("model", "rehearsal", "marks"),
    [
        ("gemini-2.5-flash", False, []),
        ("rehearsal", True, ["rehearsal"]),
        ("smollm2-135m-plumbing-check-not-a-judge", False, ["small_model"]),
    ],
)
def test_one_judge_of_a_jury_marks_its_verdicts(model: str, rehearsal: bool, marks: list[str]) -> None:
    """A rehearsal's verdicts and the small model's bear their marks, be it one judge of two."""
    real = {"judge": {"model": "gemini-2.5-flash", "rehearsal": False}}
    verdicts = {"a": real, "b": {"judge": {"model": model, "rehearsal": rehearsal}}}
    assert judge_marks([Judged("x-1", verdicts, {}, {}, (), True, "")]) == frozenset(marks)


def test_the_small_model_is_known_in_the_matrix_under_any_name() -> None:
    """Judged by a jury one of whose services is the small model, a row of the matrix calls for its mark."""
    served = {"model": "jury of 2: a, b", "served_model": "gemini-2.5-flash, smol-plumbing-check"}
    assert labels_of([judge_label({**served, "rehearsal": False})], (), ()).small_model
    real = {"model": "a", "served_model": "gemini-2.5-flash", "rehearsal": False}
    assert judge_label(real) == "a" and judge_label({**real, "rehearsal": True}) == "a (rehearsal)"
