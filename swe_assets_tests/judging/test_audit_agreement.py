"""Agreement and disagreements: hand-made values, and what is undefined is said."""

import pytest

from swe_assets.judging.audit_agreement import group_agreement, on_step, pair_agreement
from swe_assets.judging.audit_disagreements import disagreements
from swe_assets.judging.audit_form import Scale
from swe_assets.statistics.agreement import krippendorff_alpha
from swe_assets.statistics.estimate import Estimate
from swe_assets.statistics.kappa import Kappa
from swe_assets.statistics.undefined import Undefined

THREE = Scale("M", 1, 3)
SOLVED = Scale("solved", yes_no=True)
ANY = Scale("any", 0, 10, step=None)


def scores(values: list[float | None], scale: Scale = THREE) -> dict[str, dict[str, float]]:
    """Return a rater's scores of the items i0, i1, …; None is left out."""
    return {f"i{n}": {} if value is None else {scale.name: value} for n, value in enumerate(values)}


def test_hand_made_pair() -> None:
    """Five pairs by hand: three equal, quadratic kappa 0.642857, ordinal alpha as the statistic gives it."""
    a, b = [1.0, 2.0, 3.0, 3.0, 2.0], [1.0, 2.0, 3.0, 2.0, 3.0]
    found = pair_agreement(THREE, ("ana", scores([*a, None])), ("judge", scores([*b, 1.0])), draws=200)
    assert (found.pair.n, found.pair.same, found.difference) == (5, 3, 0.0)
    assert found.confusion == ((1, 1, 1), (2, 2, 1), (2, 3, 1), (3, 2, 1), (3, 3, 1))
    assert isinstance(found.pair.kappa, Kappa) and found.pair.kappa.value == pytest.approx(0.642857, abs=1e-6)
    alpha = krippendorff_alpha([a, b], "ordinal")
    assert isinstance(found.alpha, Estimate) and not isinstance(alpha, Undefined)
    assert found.alpha.value == pytest.approx(alpha.value)


def test_jury_mean_counts_as_its_nearest_step() -> None:
    """A mean between two steps counts as the nearer, of two the upper; its difference is that of the mean."""
    assert [on_step(THREE, value) for value in (1.4, 1.5, 2.5, 3.0)] == [1, 2, 3, 3]
    found = pair_agreement(THREE, ("ana", scores([2, 3])), ("jury", scores([1.5, 2.5])), draws=50)
    assert (found.pair.same, found.difference) == (2, 0.5)


def test_undefined_is_said() -> None:
    """No common item, one category throughout and a scale without steps give reasons, not numbers."""
    apart = pair_agreement(THREE, ("ana", scores([2, None])), ("judge", scores([None, 2])), draws=50)
    assert apart.pair.n == 0 and all(
        isinstance(v, Undefined) for v in (apart.difference, apart.pair.kappa, apart.alpha)
    )
    same = pair_agreement(THREE, ("ana", scores([2, 2])), ("judge", scores([2, 2])), draws=50)
    assert (
        same.pair.same == 2 and isinstance(same.pair.kappa, Undefined) and isinstance(same.alpha, Undefined)
    )
    free = pair_agreement(ANY, ("ana", scores([2.5, 7], ANY)), ("judge", scores([2, 9], ANY)), draws=50)
    assert (
        isinstance(free.pair.kappa, Undefined) and free.confusion == () and isinstance(free.alpha, Estimate)
    )


def test_alpha_outlives_its_interval() -> None:
    """Where one item of forty differs, many draws have no alpha: the value stays, its bounds say why."""
    a: list[float | None] = [*[2.0] * 39, 3.0]
    b: list[float | None] = [*[2.0] * 39, 1.0]
    whole = krippendorff_alpha([a, b], "ordinal")
    pair = pair_agreement(THREE, ("ana", scores(a)), ("judge", scores(b)), draws=200)
    group = group_agreement(THREE, {"ana": scores(a), "eva": scores(b)}, draws=200)
    for alpha in (pair.alpha, group.alpha):
        assert isinstance(alpha, Estimate) and not isinstance(whole, Undefined)
        assert alpha.value == whole.value and isinstance(alpha.low, Undefined)


def test_group_of_auditors() -> None:
    """The alpha of three auditors, one of whom left items out, is that of their ratings."""
    rows: list[list[float | None]] = [[1, 2, 3, 3, None], [1, 2, 3, 2, 1], [None, 2, 3, 3, 1]]
    found = group_agreement(THREE, {f"r{n}": scores(row) for n, row in enumerate(rows)}, draws=100)
    assert isinstance(found.alpha, Estimate) and found.alpha.value == pytest.approx(0.884615, abs=1e-6)


def test_disagreements_by_size() -> None:
    """The largest part of its scale comes first; beyond 1.0 and contrary verdicts are flagged."""
    human = {"a": {"M": 3.0, "solved": 1.0}, "b": {"M": 1.0, "solved": 0.0}, "c": {"M": 2.0}}
    judged = {"a": {"M": 2.0, "solved": 1.0}, "b": {"M": 3.0, "solved": 1.0}, "c": {"M": 2.0, "solved": 1.0}}
    found = disagreements((THREE, SOLVED), {"ana": human}, {"judge": judged})
    assert [(d.item_id, d.scale, d.difference, d.part, d.flagged) for d in found] == [
        ("b", "M", -2.0, 1.0, True),
        ("b", "solved", -1.0, 1.0, True),
        ("a", "M", 1.0, 0.5, False),
    ]


@pytest.mark.parametrize(
    ("threshold", "flagged"), [(0.5, [True, True]), (1.0, [True, False]), (2.0, [False, False])]
)
def test_threshold_is_a_parameter(threshold: float, flagged: list[bool]) -> None:
    """The bound above which a difference is flagged can be chosen."""
    human, judged = scores([3, 3]), scores([1, 2])
    found = disagreements((THREE,), {"ana": human}, {"judge": judged}, threshold=threshold)
    assert [one.flagged for one in found] == flagged
