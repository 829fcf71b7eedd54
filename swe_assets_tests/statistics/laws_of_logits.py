"""The laws of what surrounds a logit: rows left out, clusters, exact results, held-out chances, cells."""

from itertools import combinations

import numpy as np
import pytest
import scipy.stats
from statsmodels.discrete.discrete_model import Logit as Reference

from swe_assets.statistics import (
    Undefined,
    cluster_logit,
    cross_validated,
    detect_separation,
    exact_logit,
    firth_logit,
    firth_test,
    leave_one_out,
    logit,
    mixed_logit,
    separation_cells,
)
from swe_assets.statistics.cluster_logit import ClusteredLogit
from swe_assets.statistics.cross_validation import HeldOut
from swe_assets.statistics.exact_logit import ExactLogit
from swe_assets.statistics.firth import Firth, FirthTest
from swe_assets.statistics.influence import Influence
from swe_assets.statistics.logistic import Logit
from swe_assets.statistics.mixed_logit import MixedLogit
from swe_assets.statistics.separation import Separation
from swe_assets_tests.statistics.law import Laws, holds_for
from swe_assets_tests.statistics.numbers_found import answer, number
from swe_assets_tests.statistics.samples import Sample, samples


def without(s: Sample, row: int) -> tuple[list[int], dict[str, list[int]]]:
    """Return a sample's outcome and predictors less one row."""
    kept = [at for at in range(len(s.x)) if at != row]
    return [s.outcome[at] for at in kept], {"x": [s.x[at] for at in kept], "z": [s.z[at] for at in kept]}


@holds_for(samples(), examples=25)
def left_out_is_a_fit_of_the_rest(s: Sample) -> None:
    """The lowest and highest coefficients are those of fits without the row; what turns, turns there."""
    found = leave_one_out(s.outcome, s.predictors)
    assert isinstance(found, Influence) == isinstance(logit(s.outcome, s.predictors), Logit)
    if not isinstance(found, Influence):
        return
    fits = {row: logit(*without(s, row)) for row in range(len(s.x))}
    gone = {row for row, fit in fits.items() if not isinstance(fit, Logit)}
    for at, term in enumerate(found.terms):
        rest = {row: fit.terms[at] for row, fit in fits.items() if isinstance(fit, Logit)}
        if rest:
            lowest = min(each.coef for each in rest.values())
            assert term.lowest and term.lowest.coef == pytest.approx(lowest, rel=1e-5, abs=1e-5)
        crossed = {row for row, each in rest.items() if (each.p <= 0.05) != (term.p <= 0.05)}
        assert {each.row for each in term.turning if isinstance(each.coef, Undefined)} == gone
        assert crossed <= {each.row for each in term.turning}


@holds_for(samples(), examples=4)
def left_out_of_firth(s: Sample) -> None:
    """Under the penalty each row left out leaves a fit: that of the rest, with its likelihood-ratio p."""
    found = leave_one_out(s.outcome, s.predictors, method="firth")
    if not isinstance(found, Influence):
        return
    for term_at in (0, 1):
        each = found.terms[term_at].highest
        assert each
        rest = firth_logit(*without(s, each.row))
        if isinstance(rest, Firth):
            assert each.coef == pytest.approx(rest.terms[term_at].coef, rel=1e-4, abs=1e-4)
            assert each.p == pytest.approx(rest.terms[term_at].lr_p, rel=1e-4, abs=1e-6)


def robust_reference(s: Sample) -> None:
    """Statsmodels has the same cluster-robust errors, for rows and for groups of rows as clusters."""
    for clusters in (list(range(len(s.x))), [x + 5 * (z > 0) for x, z in zip(s.x, s.z, strict=True)]):
        found = cluster_logit(s.outcome, s.predictors, clusters)
        if not isinstance(found, ClusteredLogit):
            assert len(set(clusters)) <= 3 or not isinstance(logit(s.outcome, s.predictors), Logit)
            continue
        matrix = np.column_stack([np.ones(len(s.x)), s.x, s.z])
        model = Reference(np.array(s.outcome), matrix)
        coef = [term.coef for term in found.terms]
        options = {"groups": np.unique(clusters, return_inverse=True)[1]}
        fit = model.fit(start_params=coef, disp=0, cov_type="cluster", cov_kwds=options)
        assert [term.se for term in found.terms] == pytest.approx(fit.bse, rel=1e-4, abs=1e-9)


@holds_for(samples(), examples=25)
def exact_brute_force(s: Sample) -> None:
    """P is the share of all outcomes with the same other sums that are no likelier, by running over them."""
    y, x, z = s.outcome[:9], s.x[:9], s.z[:9]
    found = exact_logit(y, {"x": x, "z": z})
    assert isinstance(found, ExactLogit)
    sums = [
        (sum(x[i] for i in ones), sum(z[i] for i in ones)) for ones in combinations(range(len(y)), sum(y))
    ]
    seen = (sum(a for a, b in zip(x, y, strict=True) if b), sum(a for a, b in zip(z, y, strict=True) if b))
    line = [first for first, second in sums if second == seen[1]]
    count = {value: line.count(value) for value in line}
    wanted = sum(each for each in count.values() if each <= count[seen[0]]) / len(line)
    if len(count) > 1:
        assert found.terms[0].p == pytest.approx(wanted)
    else:
        assert isinstance(found.terms[0].p, Undefined)


def exact_is_fisher(s: Sample) -> None:
    """For a 2 x 2 table p, estimate and interval are those of Fisher's exact test in SciPy."""
    flag = [int(x > 0) for x in s.x]
    found = exact_logit(s.outcome, {"flag": flag})
    term = answer(found).terms[0]
    table = np.zeros((2, 2), dtype=int)
    np.add.at(table, (np.array(s.outcome), np.array(flag)), 1)
    if isinstance(term.p, Undefined):
        assert len(set(flag)) == 1
        return
    assert term.p == pytest.approx(scipy.stats.fisher_exact(table).pvalue, rel=1e-6)
    reference = scipy.stats.contingency.odds_ratio(table, kind="conditional")
    interval = reference.confidence_interval(0.95)
    wanted = (reference.statistic, interval.low, interval.high)
    for ours, theirs in zip((term.estimate, term.low, term.high), wanted, strict=True):
        if theirs in (0, np.inf):
            assert isinstance(ours, Undefined) and ours.infinite
        else:
            assert np.exp(number(ours)) == pytest.approx(theirs, rel=1e-4)


@holds_for(samples(), examples=20)
def held_out_by_hand(s: Sample) -> None:
    """Each row's chance is that of the logit fitted to the other folds."""
    found = cross_validated(s.outcome, s.predictors, folds=2)
    if not isinstance(found, HeldOut):
        return
    for fold in (0, 1):
        kept = [at for at in range(len(s.x)) if found.folds[at] != fold]
        columns = {name: [column[i] for i in kept] for name, column in s.predictors.items()}
        fit = answer(logit([s.outcome[i] for i in kept], columns))
        b = [term.coef for term in fit.terms]
        for at in set(range(len(s.x))) - set(kept):
            chance = 1 / (1 + np.exp(-(b[0] + b[1] * s.x[at] + b[2] * s.z[at])))
            assert found.chances[at] == pytest.approx(chance, abs=1e-6)


def cells_hold_one_outcome(s: Sample) -> None:
    """Each cell's counts are those of its rows, one of them 0; terms are those that separation names."""
    found, separation = separation_cells(s.outcome, s.predictors), detect_separation(s.outcome, s.predictors)
    if isinstance(found, Undefined):
        assert isinstance(separation, Undefined)
        return
    assert isinstance(separation, Separation)
    assert separation.kind != "none" or found == ()
    for cell in found:
        assert cell.term in separation.terms
        values = s.predictors[cell.term]
        ys = [y for y, v in zip(s.outcome, values, strict=True) if cell.low <= v <= cell.high]
        assert (cell.ones, cell.zeros) == (sum(ys), len(ys) - sum(ys))
        assert min(cell.ones, cell.zeros) == 0 < len(ys)


@holds_for(samples(), examples=10)
def penalised_test_of_one_term(s: Sample) -> None:
    """Testing one term is firth_logit's own p; testing more never has a smaller ratio."""
    fit, one, both = (
        firth_logit(s.outcome, s.predictors),
        firth_test(s.outcome, s.predictors, ["x"]),
        firth_test(s.outcome, s.predictors),
    )
    if not isinstance(fit, Firth):
        assert isinstance(one, Undefined)
        return
    assert isinstance(one, FirthTest) and isinstance(both, FirthTest)
    assert one.p == pytest.approx(fit.terms[1].lr_p, rel=1e-5, abs=1e-9)
    assert (both.df, one.df) == (2, 1)
    assert both.lr >= one.lr - 1e-9


@holds_for(samples(), examples=20)
def mixed_symmetry(s: Sample) -> None:
    """Order of rows and names of levels do not matter; exchanging the classes turns the signs."""
    levels = [at % 4 for at in range(len(s.x))]
    found = mixed_logit(s.outcome, s.predictors, {"g": levels})
    order = s.order
    other = mixed_logit(
        [1 - s.outcome[i] for i in order],
        {"x": [s.x[i] for i in order], "z": [s.z[i] for i in order]},
        {"g": [f"level {levels[i]}" for i in order]},
    )
    if not isinstance(found, MixedLogit) or not isinstance(other, MixedLogit):
        assert isinstance(found, Undefined) and isinstance(other, Undefined)
        return
    assert [-t.coef for t in other.terms] == pytest.approx([t.coef for t in found.terms], rel=1e-3, abs=1e-3)
    assert other.intercepts["g"].sd == pytest.approx(found.intercepts["g"].sd, rel=1e-3, abs=1e-3)
    assert other.loglik == pytest.approx(found.loglik, abs=1e-6)


LAWS: Laws = {
    "cluster_logit": [robust_reference],
    "cross_validated": [held_out_by_hand],
    "exact_logit": [exact_brute_force, exact_is_fisher],
    "firth_test": [penalised_test_of_one_term],
    "leave_one_out": [left_out_is_a_fit_of_the_rest, left_out_of_firth],
    "mixed_logit": [mixed_symmetry],
    "separation_cells": [cells_hold_one_outcome],
}
