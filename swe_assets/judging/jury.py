"""A jury's joint verdict from its judges' own: majority, mean, spread and who speaks for it."""

from collections.abc import Mapping, Sequence
from typing import Any

from swe_assets.errors import JudgeError

TIE = "tie"
"""The flag of a joint verdict whose votes were even."""


COUNTS = ("attempts", "tokens_in", "tokens_out")
"""What a jury's calls took together."""


def majority(votes: Sequence[bool]) -> bool | None:
    """Return what more than half of the votes say, or None where they are even.

    Raises JudgeError where there is no vote.

    >>> majority([True, True, False]), majority([True, False])
    (True, None)
    """
    if not votes:
        raise JudgeError("a jury without a vote has no majority: name at least one judge")
    in_favour = sum(votes)
    return None if 2 * in_favour == len(votes) else 2 * in_favour > len(votes)


def mean(scores: Sequence[int]) -> float:
    """Return the arithmetic mean of the scores; JudgeError where there is none.

    >>> mean([5, 4, 2])
    3.6666666666666665
    """
    if not scores:
        raise JudgeError("a jury without a score has no mean: name at least one judge")
    return sum(scores) / len(scores)


def spread(scores: Sequence[int]) -> int:
    """Return the largest score less the smallest; JudgeError where there is none.

    >>> spread([5, 4, 2])
    3
    """
    if not scores:
        raise JudgeError("a jury without a score has no spread: name at least one judge")
    return max(scores) - min(scores)


def lower_median(values: Sequence[int]) -> int:
    """Return the middle value in order, of an even number the lower of the two in the middle.

    It is always a value that some judge gave, so that an ordinal scale stays one. Raises JudgeError where
    there is no value.

    >>> lower_median([3, 1, 2]), lower_median([1, 2, 3, 3])
    (2, 2)
    """
    if not values:
        raise JudgeError("a jury without a value has no median: name at least one judge")
    return sorted(values)[(len(values) - 1) // 2]


def spokesperson(jury: Sequence[Mapping[str, Any]], resolved: bool) -> Mapping[str, Any]:
    """Return the first judge among those of the verdict whose score is nearest the mean of all scores."""
    middle = mean([judge["score_confianca"] for judge in jury])
    agreeing = [judge for judge in jury if judge["resolve_issue"] == resolved]
    return min(agreeing, key=lambda judge: abs(judge["score_confianca"] - middle))


def joint_evaluation(jury: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the evaluation of a jury; of one judge it is that judge's own, word by word.

    ``jury``: {judge_id, resolve_issue, score_confianca, raciocinio_analitico, judge} for each judge, in the
    study's order. resolve_issue is the strict majority's and false where the votes are even; score_confianca
    the mean; raciocinio_analitico the spokesperson's. Beside them stand ``spread`` (largest score less
    smallest), ``votes`` ({resolved, of}) and ``judge``, the jury as a whole. Raises JudgeError for no judge.
    """
    if len(jury) == 1:
        return {name: value for name, value in jury[0].items() if name != "judge_id"}
    scores = [judge["score_confianca"] for judge in jury]
    votes = [judge["resolve_issue"] for judge in jury]
    resolved = majority(votes) is True
    speaks = spokesperson(jury, resolved)
    return {
        "resolve_issue": resolved,
        "score_confianca": mean(scores),
        "raciocinio_analitico": speaks["raciocinio_analitico"],
        "spread": spread(scores),
        "votes": {"resolved": sum(votes), "of": len(votes)},
        "judge": {**together(jury), "spokesperson": speaks["judge_id"]},
    }


def jury_flags(jury: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the flags of a jury's votes: ``tie`` where they were even."""
    return [TIE] if majority([judge["resolve_issue"] for judge in jury]) is None else []


def together(jury: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return who answered as a jury: its judges, whether one only rehearsed, and what their calls took.

    A count that one judge's service did not give is None for the jury.
    """
    told = [judge["judge"] for judge in jury]
    names = ", ".join(str(judge["judge_id"]) for judge in jury)
    return {
        "model": f"jury of {len(jury)}: {names}",
        "served_model": ", ".join(str(one.get("served_model", "")) for one in told),
        "rehearsal": any(one.get("rehearsal", False) for one in told),
        **{name: total([one.get(name) for one in told]) for name in COUNTS},
    }


def total(counts: Sequence[float | None]) -> float | None:
    """Return the sum of the counts, or None where one is not known."""
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None
