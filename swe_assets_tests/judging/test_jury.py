"""A jury's verdict follows from its judges' by hand-checked arithmetic."""

from itertools import permutations
from typing import Any

import pytest

from swe_assets.errors import JudgeError
from swe_assets.judging.coherence import m_coerencia
from swe_assets.judging.jury import (
    joint_evaluation,
    jury_flags,
    lower_median,
    majority,
    mean,
    spokesperson,
    spread,
)


def judge(name: str, resolved: bool, score: int, **told: Any) -> dict[str, Any]:
    """Return one judge's entry, its reasoning its own name."""
    who = {"model": name, "served_model": f"{name}-1", "rehearsal": False, "attempts": 1, "tokens_in": 10}
    return {
        "judge_id": name,
        "resolve_issue": resolved,
        "score_confianca": score,
        "raciocinio_analitico": f"parecer de {name}",
        "judge": {**who, "tokens_out": 5, **told},
    }


SPLIT = [judge("a", True, 5), judge("b", False, 1), judge("c", True, 3)]


@pytest.mark.parametrize(
    ("votes", "expected"),
    [
        ([True], True),
        ([False], False),
        ([True, False], None),
        ([True, True, False], True),
        ([True, False, False], False),
        ([True, True, False, False], None),
        ([True, True, True, False], True),
    ],
)
def test_a_majority_is_more_than_half(votes: list[bool], expected: bool | None) -> None:
    """More than half of the votes decide, and even votes decide nothing."""
    assert majority(votes) is expected


def test_mean_and_spread_by_hand() -> None:
    """The mean of 5, 1 and 3 is 3 and their spread 4."""
    assert (mean([5, 1, 3]), spread([5, 1, 3])) == (3.0, 4)


@pytest.mark.parametrize(
    ("values", "expected"), [([3], 3), ([1, 3], 1), ([3, 1, 2], 2), ([1, 2, 3, 3], 2), ([2, 2, 3, 1, 1], 2)]
)
def test_the_median_is_a_value_that_was_given(values: list[int], expected: int) -> None:
    """Of an even number of values the lower of the two in the middle counts, in whatever order they come."""
    assert {lower_median(order) for order in permutations(values)} == {expected}


@pytest.mark.parametrize("rule", [majority, mean, spread, lower_median])
def test_nobody_says_nothing(rule: Any) -> None:
    """A jury of nobody is refused, never given a default."""
    with pytest.raises(JudgeError, match="at least one judge"):
        rule([])


def test_one_judge_is_its_own_jury() -> None:
    """The evaluation of one judge is that judge's, word by word, and a whole score stays whole."""
    found = joint_evaluation(SPLIT[:1])
    assert found == {name: value for name, value in SPLIT[0].items() if name != "judge_id"}
    assert type(found["score_confianca"]) is int


def test_a_split_jury_follows_its_majority() -> None:
    """Two against one: the majority's verdict, the mean of all scores, the reasoning nearest that mean."""
    found = joint_evaluation(SPLIT)
    assert (found["resolve_issue"], found["score_confianca"], found["spread"]) == (True, 3.0, 4)
    assert found["raciocinio_analitico"] == "parecer de c"
    assert found["votes"] == {"resolved": 2, "of": 3}
    assert jury_flags(SPLIT) == []


def test_a_tie_is_not_resolved_and_is_flagged() -> None:
    """Even votes make a verdict of not resolved, spoken for by one who said so, with the flag tie."""
    found = joint_evaluation(SPLIT[:2])
    assert (found["resolve_issue"], found["raciocinio_analitico"]) == (False, "parecer de b")
    assert jury_flags(SPLIT[:2]) == ["tie"]


def test_the_first_of_equally_near_judges_speaks() -> None:
    """Where two of the majority are as near to the mean, the study's order decides."""
    jury = [judge("a", True, 2), judge("b", True, 4), judge("c", False, 3)]
    assert spokesperson(jury, True)["judge_id"] == "a"


def test_a_jury_tells_what_its_calls_took() -> None:
    """Counts are summed, a count that one judge lacks is not known, and one rehearsal marks the jury."""
    told = joint_evaluation([*SPLIT, judge("d", True, 4, tokens_in=None, rehearsal=True)])["judge"]
    assert (told["attempts"], told["tokens_out"]) == (4, 20)
    assert (told["tokens_in"], told["rehearsal"]) == (None, True)
    assert told["model"] == "jury of 4: a, b, c, d"


@pytest.mark.parametrize(("score", "expected"), [(2.0, 0), (2.01, 1), (1.5, 0), (3.6667, 1)])
def test_coherence_of_a_mean(score: float, expected: int) -> None:
    """M_coerencia of a jury asks whether the mean confidence is above 2."""
    assert m_coerencia(True, score) == expected
