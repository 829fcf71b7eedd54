"""How steady a judge is, counted by hand over repeats and forms."""

import pytest

from swe_assets.judging.jury_consistency import Answer, answers_of, form, repeats
from swe_assets.judging.wording import BASE, ORDER
from swe_assets.statistics.estimate import Estimate
from swe_assets.statistics.undefined import Undefined


def given(instance_id: str, *verdicts: tuple[bool, int] | None) -> list[Answer]:
    """Return an instance's answers to the same question, None where the call failed."""
    names = [BASE, *(f"repeat-{at}" for at in range(2, len(verdicts) + 1))]
    return [
        Answer(instance_id, name, error="refused: no") if one is None else Answer(instance_id, name, *one)
        for name, one in zip(names, verdicts, strict=True)
    ]


STEADY = given("x-1", (True, 4), (True, 4), (True, 4))
FLIPPING = given("x-2", (True, 4), (False, 2), (True, 5))
FAILED = given("x-3", (False, 3), None, None)


def test_flips_spread_and_failures() -> None:
    """One of two instances flips, the spreads 0 and 3 have mean 1.5, and two calls had no verdict."""
    found = repeats("a", [*STEADY, *FLIPPING, *FAILED])
    assert (found.n, found.verdicts, found.failed) == (2, 6, 2)
    assert isinstance(found.flipped, Estimate)
    assert (found.flipped.value, found.spread) == (0.5, 1.5)


def test_perfect_repeats_have_alpha_one() -> None:
    """Judgements that differ between instances and never within them have alpha 1 on both measures."""
    found = repeats("a", [*STEADY, *given("x-4", (False, 1), (False, 1), (False, 1))])
    assert isinstance(found.resolve, Estimate)
    assert isinstance(found.confidence, Estimate)
    assert found.resolve.value == found.confidence.value == pytest.approx(1.0)


def test_no_second_verdict_is_undefined() -> None:
    """Where no instance has two verdicts nothing can be said, and every number says so."""
    found = repeats("a", FAILED)
    assert found.n == 0
    for value in (found.flipped, found.resolve, found.confidence, found.spread):
        assert isinstance(value, Undefined)


def test_another_form_beside_the_study_s_own() -> None:
    """Of three pairs one flips to resolved and one away; a failed answer is counted and left out."""
    base = [
        *given("x-1", (True, 5)),
        *given("x-2", (False, 5)),
        *given("x-3", (True, 3)),
        *given("x-4", (True, 3)),
    ]
    other = [
        Answer("x-1", ORDER, False, 5),
        Answer("x-2", ORDER, True, 5),
        Answer("x-3", ORDER, True, 3),
        Answer("x-4", ORDER, error="blocked: SAFETY"),
    ]
    found = form("a", ORDER, [*base, *other])
    assert (found.n, found.failed, found.to_resolved, found.to_not) == (3, 1, 1, 1)
    assert found.shift == pytest.approx(0.0)
    assert isinstance(found.flipped, Estimate)
    assert found.flipped.value == pytest.approx(2 / 3)


def test_a_form_is_no_repeat() -> None:
    """The answers in another form count among the repeats of the study's own question neither way."""
    assert repeats("a", [*STEADY, Answer("x-1", ORDER, False, 1)]) == repeats("a", STEADY)


def test_errors_are_told_and_never_a_verdict() -> None:
    """A variant's error is an answer without verdict and confidence."""
    results: list[dict[str, object]] = [
        {"variant": BASE, "resolve_issue": True, "score_confianca": 4, "cached": False},
        {"variant": ORDER, "error": "invalid: x"},
    ]
    assert answers_of("x-1", results) == [
        Answer("x-1", BASE, True, 4),
        Answer("x-1", ORDER, None, None, "invalid: x"),
    ]
