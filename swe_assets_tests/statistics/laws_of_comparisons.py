"""The laws of comparisons: many tests, pairs, games, ranks, and a judge corrected by people."""

from itertools import combinations

import numpy as np
import pytest
import scipy.stats
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from swe_assets.statistics import (
    Undefined,
    benjamini_hochberg,
    bradley_terry,
    bradley_terry_interval,
    clustered_mean,
    holm,
    mcnemar_exact,
    needs_adjudication,
    paired_difference,
    prediction_powered_mean,
    rank_intervals,
    swapped_verdict,
    technical_tie,
)
from swe_assets.statistics.bootstrap import Bootstrap
from swe_assets.statistics.bradley_terry import BradleyTerry
from swe_assets.statistics.clustered_mean import ClusteredMean
from swe_assets.statistics.connectedness import Unranked
from swe_assets.statistics.estimate import Estimate
from swe_assets.statistics.multiple_tests import Adjusted
from swe_assets.statistics.paired import McNemar, PairedDifference
from swe_assets.statistics.rating_bootstrap import Battle, Ratings
from swe_assets_tests.statistics.law import Laws, holds_for
from swe_assets_tests.statistics.numbers_found import answer, numbers_of
from swe_assets_tests.statistics.samples import Sample, games, p_values

Games = tuple[tuple[str, str, int], ...]
cells = st.tuples(*[st.integers(0, 30)] * 4).filter(any)
QUICK = Bootstrap(method="percentile", draws=150)


def adjusted_laws(found: Adjusted, p: tuple[float, ...], name: str) -> None:
    """Check against statsmodels: at least the raw p, at most 1, in the same order."""
    if p:
        assert list(found.adjusted) == pytest.approx(multipletests(p, method=name)[1], abs=1e-12)
    assert all(raw <= adjusted + 1e-12 for raw, adjusted in zip(p, found.adjusted, strict=True))  # type: ignore[operator] # no p is undefined


@holds_for(p_values)
def holm_reference(p: tuple[float, ...]) -> None:
    """Statsmodels gives the same, and an undefined p beside them changes nothing."""
    adjusted_laws(holm(p), p, "holm")
    gone = Undefined("no test")
    assert holm((gone, *p)).adjusted == (gone, *holm(p).adjusted)


@holds_for(p_values)
def benjamini_hochberg_reference(p: tuple[float, ...]) -> None:
    """Statsmodels gives the same, and whatever Holm rejects is rejected."""
    found = benjamini_hochberg(p)
    adjusted_laws(found, p, "fdr_bh")
    assert all(found.rejected[at] for at, rejected in enumerate(holm(p).rejected) if rejected)


def paired_reference(s: Sample) -> None:
    """SciPy's paired t test gives the same p; exchanging the sides turns the sign alone."""
    found, turned = paired_difference(s.x, s.z), paired_difference(s.z, s.x)
    assert isinstance(found, PairedDifference) and isinstance(turned, PairedDifference)
    assert turned.mean == pytest.approx(-found.mean)
    if isinstance(found.p, Undefined):
        assert len({x - z for x, z in zip(s.x, s.z, strict=True)}) == 1
        return
    reference = scipy.stats.ttest_rel(s.x, s.z)
    assert found.p == pytest.approx(reference.pvalue)
    wanted = reference.confidence_interval()
    assert [found.low, found.high] == pytest.approx([wanted.low, wanted.high])


@holds_for(cells)
def mcnemar_reference(counts: tuple[int, int, int, int]) -> None:
    """Statsmodels gives the same exact p; exchanging the two mirrors the interval around the difference."""
    both, a, b, neither = counts
    found, turned = mcnemar_exact(*counts), mcnemar_exact(both, b, a, neither)
    assert isinstance(found, McNemar) and isinstance(turned, McNemar)
    assert found.p == pytest.approx(min(mcnemar([[both, a], [b, neither]], exact=True).pvalue, 1.0))
    assert [turned.low, turned.high] == pytest.approx([-found.high, -found.low], abs=1e-12)
    assert -1 <= found.low <= found.difference + 1e-12 and found.difference - 1e-12 <= found.high <= 1


def clusters_of_one(s: Sample) -> None:
    """With every score its own cluster the robust error is the naive one; order and names do not matter."""
    found = clustered_mean(s.x, range(len(s.x)))
    assert isinstance(found, ClusteredMean)
    assert found.cr1 == pytest.approx(found.naive_se)
    pairs, shuffled = (
        clustered_mean(s.x, s.z),
        clustered_mean(s.shuffled().x, [f"c{z}" for z in s.shuffled().z]),
    )
    if isinstance(pairs, ClusteredMean) and not isinstance(pairs.cr0, Undefined):
        assert answer(shuffled).cr0 == pytest.approx(pairs.cr0)


def judge_without_weight(s: Sample) -> None:
    """With weight 0 people alone speak; a judge equal to people, weight 1, makes the mean of all."""
    alone = prediction_powered_mean(s.x, s.z, s.z, weight=0)
    assert numbers_of(alone).value == pytest.approx(np.mean(s.x))
    agreed = prediction_powered_mean(s.x, s.x, s.z, weight=1)
    assert numbers_of(agreed).value == pytest.approx(np.mean(s.z))
    best = prediction_powered_mean(s.x, s.z, s.z)
    assert isinstance(best, Estimate)


def adjudication_grows(s: Sample) -> None:
    """Order does not matter, tenths are exact, and a larger threshold asks for fewer."""
    tenths = [x / 10 for x in s.x]
    width = (max(s.x) - min(s.x)) / 10
    assert needs_adjudication(tenths, width) is needs_adjudication(tenths[::-1], width) is False
    assert needs_adjudication(tenths, (max(s.x) - min(s.x) - 1) / 10) is True


@holds_for(st.tuples(*[st.sampled_from(("first", "second", "tie"))] * 2))
def verdict_mirrored(shown: tuple[str, str]) -> None:
    """Naming the competitors the other way round turns the verdict and keeps the consistency."""
    verdict, consistent = swapped_verdict(*shown)  # type: ignore[arg-type] # drawn from the three words
    turned, same = swapped_verdict(shown[1], shown[0])  # type: ignore[arg-type] # likewise
    assert turned == {"A": "B", "B": "A", "tie": "tie"}[verdict]
    assert same == consistent


def tie_is_mutual(s: Sample) -> None:
    """The rule is symmetric, blind to a common shift, and a result ties with itself."""

    def result(value: float, half: float) -> Estimate:
        return Estimate(value=value, low=value - half, high=value + half, n=9, method="t")

    a, b = result(s.x[0], abs(s.x[1]) + 1), result(s.z[0], abs(s.z[1]) + 1)
    assert technical_tie(a, a) is True
    assert technical_tie(a, b) is technical_tie(b, a)
    gap, half = abs(s.x[0] - s.z[0]), (abs(s.x[1]) + abs(s.z[1]) + 2) / 2
    assert technical_tie(a, b) is (gap < half)


@holds_for(games())
def strengths_balance(rows: Games) -> None:
    """At the maximum each competitor wins as often as expected; strengths have mean zero."""
    found = bradley_terry(rows)
    if isinstance(found, Unranked):
        return
    assert isinstance(found, BradleyTerry)
    assert sum(found.strengths.values()) == pytest.approx(0, abs=1e-9)
    for name in found.strengths:
        won = sum(count for winner, _, count in rows if winner == name)
        due = sum(c * found.chance(name, b if a == name else a) for a, b, c in rows if name in (a, b))
        assert won == pytest.approx(due, abs=1e-6)


@holds_for(games())
def strengths_symmetry(rows: Games) -> None:
    """Turning every result turns the signs; order of rows, and splitting counts, change nothing."""
    found, turned = bradley_terry(rows), bradley_terry([(b, a, c) for a, b, c in rows[::-1]])
    single = bradley_terry([(a, b, 1) for a, b, c in rows for _ in range(c)])
    if isinstance(found, Unranked):
        assert isinstance(turned, Unranked) and turned.flag == found.flag and single == found
        return
    strengths = answer(found).strengths
    for other, sign in ((turned, -1), (single, 1)):
        assert {n: sign * v for n, v in answer(other).strengths.items()} == pytest.approx(strengths, abs=1e-6)


@holds_for(games())
def connected_by_paths(rows: Games) -> None:
    """Strengths are told just where each competitor can be reached from each by a chain of wins."""
    names = {name for a, b, _ in rows for name in (a, b)}
    reach = {name: {name} for name in names}
    for _ in names:
        for winner, loser, _ in rows:
            for reached in reach.values():
                if winner in reached:
                    reached.add(loser)
    connected = all(reached == names for reached in reach.values())
    assert isinstance(bradley_terry(rows), BradleyTerry) == connected
    assert isinstance(bradley_terry(rows, prior=0.5), BradleyTerry) == (
        not isinstance(found := bradley_terry(rows), Unranked) or found.flag == "one-sided"
    )


@holds_for(games(), examples=10)
def rating_draws_are_fits(rows: Games) -> None:
    """Each draw's strengths are those of the games drawn; with a prior every one has them."""
    units = [(a, b, at) for at, (a, b, count) in enumerate(rows) for _ in range(count)]
    battles: list[Battle] = [(a, b, "a", at) for a, b, at in units]
    found = bradley_terry_interval(battles, prior=0.5, how=Bootstrap(method="percentile", draws=20, seed=2))
    if not isinstance(found, Ratings):
        assert isinstance(bradley_terry(rows, prior=0.5), Unranked)
        return
    drawn = np.random.default_rng(2).integers(0, len(rows), (20, len(rows)))
    pairs = {frozenset(row[:2]) for row in rows}
    prior = [(a, b, 0.5) for pair in pairs for a, b in (tuple(pair), tuple(pair)[::-1])]
    fits = [answer(bradley_terry([*[rows[i] for i in draw], *prior])).strengths for draw in drawn]
    for name in found.fit.strengths:
        interval = found.intervals[name]
        if isinstance(interval, Estimate):
            wanted = np.quantile([fit[name] for fit in fits], (0.025, 0.975))
            assert [interval.low, interval.high] == pytest.approx(wanted, abs=1e-6)


@holds_for(st.lists(st.lists(st.integers(0, 9), min_size=6, max_size=6), min_size=2, max_size=5))
def ranks_hold_the_rank(scores: list[list[int]]) -> None:
    """The interval holds the rank of the mean; a rising line through all scores changes none."""
    named = {f"m{at}": row for at, row in enumerate(scores)}
    found = answer(rank_intervals(named, how=QUICK))
    moved = answer(rank_intervals({name: [3 + 2 * x for x in row] for name, row in named.items()}, how=QUICK))
    for name, rank in found.items():
        assert rank.rank == 1 + sum(np.mean(row) > np.mean(named[name]) for row in scores)
        assert 1 <= rank.low <= rank.rank <= rank.high <= len(scores)
        assert (moved[name].low, moved[name].high) == (rank.low, rank.high)
    for a, b in combinations(named, 2):
        assert named[a] != named[b] or found[a] == found[b]


LAWS: Laws = {
    "benjamini_hochberg": [benjamini_hochberg_reference],
    "bradley_terry": [strengths_balance, strengths_symmetry, connected_by_paths],
    "bradley_terry_interval": [rating_draws_are_fits],
    "clustered_mean": [clusters_of_one],
    "holm": [holm_reference],
    "mcnemar_exact": [mcnemar_reference],
    "needs_adjudication": [adjudication_grows],
    "paired_difference": [paired_reference],
    "prediction_powered_mean": [judge_without_weight],
    "rank_intervals": [ranks_hold_the_rank],
    "swapped_verdict": [verdict_mirrored],
    "technical_tie": [tie_is_mutual],
}
