"""A judge's quality by hand-made values: confusion, MCC, the map of confidence, refuted verdicts."""

import math
from itertools import pairwise, product

import pytest

from swe_assets.judging.jury_quality import REFUTED, Said, chance_of, jury_chance, quality, refuted
from swe_assets.repositories.reconstruction import Outcome
from swe_assets.statistics.calibration import Brier
from swe_assets.statistics.estimate import Estimate
from swe_assets.statistics.undefined import Undefined


def said(verdicts: str, tests: str, confidence: int = 5, unmeasured: str = "") -> list[Said]:
    """Return what a judge said of as many instances as there are letters, T or F for verdict and outcome."""
    pairs = zip(verdicts, tests, strict=True)
    return [
        Said(f"x-{at}", v == "T", chance_of(v == "T", confidence), t == "T", unmeasured)
        for at, (v, t) in enumerate(pairs)
    ]


def test_chances_keep_the_order_and_the_middle() -> None:
    """From "no, 5" to "yes, 5" ten chances rise by a tenth each, and yes and no of one confidence mirror."""
    order = [(False, c) for c in (5, 4, 3, 2, 1)] + [(True, c) for c in (1, 2, 3, 4, 5)]
    chances = [chance_of(*one) for one in order]
    assert chances[0] == pytest.approx(0.05)
    assert all(math.isclose(after - before, 0.1) for before, after in pairwise(chances))
    for confidence in range(1, 6):
        assert chance_of(True, confidence) + chance_of(False, confidence) == pytest.approx(1)


def test_a_jury_s_chance_is_the_mean_of_its_judges() -> None:
    """Two sure of yes and one sure of no make (0.95 + 0.95 + 0.05) / 3."""
    jury = [{"resolve_issue": vote, "score_confianca": 5} for vote in (True, True, False)]
    assert jury_chance(jury) == pytest.approx(0.65)


def test_confusion_and_mcc_by_hand() -> None:
    """Six right positives, two wrong ones, one miss and three right negatives: MCC (18 - 2) / sqrt(1120)."""
    found = quality("a", said("TTTTTTTTFFFF", "TTTTTTFFTFFF"))
    table = found.confusion
    assert (table.tp, table.fp, table.fn, table.tn) == (6, 2, 1, 3)
    assert isinstance(found.mcc, Estimate)
    assert found.mcc.value == pytest.approx(16 / math.sqrt(8 * 7 * 4 * 5))
    assert found.mcc.low < found.mcc.value < found.mcc.high  # type: ignore[operator] # both are numbers here


def test_the_same_verdicts_give_the_same_interval() -> None:
    """The bootstrap is seeded."""
    rows = said("TTTTTTTTFFFF", "TTTTTTFFTFFF")
    assert quality("a", rows) == quality("a", rows)


def test_a_calibrated_judge_and_an_overconfident_one() -> None:
    """Nineteen of twenty right at confidence 5 is calibrated; ten of twenty at it is 0.45 off."""
    right = quality("a", said("T" * 20, "T" * 19 + "F"))
    wrong = quality("b", said("T" * 20, "T" * 10 + "F" * 10))
    assert right.calibration_error == pytest.approx(0.0)
    assert wrong.calibration_error == pytest.approx(0.45)
    assert isinstance(wrong.brier, Brier)
    assert wrong.brier.score == pytest.approx((0.05**2 + 0.95**2) / 2)


def test_each_verdict_with_its_confidence_has_a_bin_of_its_own() -> None:
    """The reliability table of one judge tells the ten pairs of verdict and confidence apart."""
    pairs = list(product((False, True), range(1, 6)))
    rows = [Said(str(at), v, chance_of(v, c), v) for at, (v, c) in enumerate(pairs)]
    assert [part.n for part in quality("a", rows).reliability] == [1] * 10


def test_one_verdict_throughout_has_no_mcc() -> None:
    """A judge that always says resolved has an undefined MCC, and its other rates stand."""
    found = quality("a", said("TTTT", "TTFF"))
    assert isinstance(found.mcc, Undefined)
    assert isinstance(found.confusion.rate("sensitivity"), Estimate)


def test_nothing_judged_is_undefined_throughout() -> None:
    """Without an instance every number says that there is none."""
    found = quality("a", [])
    assert (found.n, found.reliability) == (0, ())
    for value in (found.mcc, found.auc, found.brier, found.calibration_error, found.refuted[-1].share):
        assert isinstance(value, Undefined)


def test_an_unmeasured_patch_may_be_right() -> None:
    """Patches without Python, binary or refused ones stand in rows of their own, not among the refuted."""
    other = ("no_python", "binary", "refused", "too_large")
    rows = [one for reason in other for one in said("TF", "TF", unmeasured=reason)]
    found = quality("a", [*rows, *said("T", "F", unmeasured="unchanged")])
    assert [(one.reason, one.said, one.n) for one in found.refuted] == [("unchanged", 1, 1), ("all", 1, 1)]
    apart = [(one.reason, one.said, one.n) for one in found.unmeasured]
    assert apart == [(reason, 1, 2) for reason in sorted(other)]


def test_the_reasons_that_refute_are_the_project_s_own() -> None:
    """Each is an outcome of applying a patch, or the word for one that changes nothing or tests alone."""
    assert {*Outcome, "unchanged", "only_tests", "no_python"} > REFUTED
    assert not any(Outcome(reason).applied for reason in REFUTED - {"unchanged", "only_tests"})


def test_resolved_said_of_patches_that_do_nothing() -> None:
    """Each reason is counted by itself and all together, with Wilson's interval."""
    rows = [
        *said("TTF", "FFF", unmeasured="empty"),
        *said("F", "F", unmeasured="only_tests"),
        *said("TT", "TF"),
    ]
    found = {one.reason: one for one in refuted(rows)}
    assert {reason: (one.said, one.n) for reason, one in found.items()} == {
        "empty": (2, 3),
        "only_tests": (0, 1),
        "all": (2, 4),
    }
    whole = found["all"].share
    assert isinstance(whole, Estimate)
    assert (round(float(whole.low), 4), round(float(whole.high), 4)) == (0.15, 0.85)  # type: ignore[arg-type] # Wilson has both
