"""A study's tables: their values beside scipy, statsmodels and hand counts."""

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import stats

from swe_assets.patch_quality.analysis.chance_tables import chance_tables
from swe_assets.patch_quality.analysis.evidence import Evidence, InstanceLine, Settings
from swe_assets.patch_quality.analysis.labels import Labels
from swe_assets.patch_quality.analysis.logit_tables import fit_table, fitted
from swe_assets.patch_quality.analysis.matrix import METRICS, matrix_of
from swe_assets.patch_quality.analysis.missing_table import missing_table
from swe_assets.patch_quality.analysis.models import models
from swe_assets.patch_quality.analysis.study_tables import study_analysis
from swe_assets.reporting.tables import Analysis
from swe_assets.statistics.logistic import NoLogit, Obstacle
from swe_assets.statistics.undefined import Undefined
from swe_assets_tests.patch_quality.analysis.matrices import STAND_IN, frame
from swe_assets_tests.patch_quality.analysis.studies import FEW, sided, study


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    """Return the analysis of the whole study."""
    return study_analysis(study(labels=Labels(rehearsal=True, stand_in=STAND_IN)), {"m.csv": "ab"})


def rows(analysis: Analysis, name: str, **where: object) -> list[dict[str, Any]]:
    """Return the rows of a table whose cells are as asked."""
    found = analysis.tables[name].records()
    return [row for row in found if all(row[key] == value for key, value in where.items())]


def test_flow_counts_by_hand(analysis: Analysis) -> None:
    """From 100 pinned eight empty patches and two failed judgements are lost, and none twice."""
    flow = [(row["step"], row["reason"], row["n"], row["resolved"]) for row in rows(analysis, "flow")]
    inside = int(sided()["pass@1"].sum())
    assert flow == [
        ("pinned", None, 100, inside + 2),
        ("arquivos_reconstruidos", "empty", 8, 0),
        ("arquivos_reconstruidos", None, 92, inside + 2),
        ("evaluation_results", "missing: failed", 2, 2),
        ("in_matrix", None, 90, inside),
    ]


def test_instances_know_what_is_known(analysis: Analysis) -> None:
    """Every pinned instance has a row: a lost one with the measures that it has, and no others."""
    (row,) = rows(analysis, "instances", instance_id="o__m-1")
    assert (row["ncloc"], row["base_ncloc"], row["M_defesa"], row["pass@1"]) == (7, 5, None, 1)
    assert len(rows(analysis, "instances")) == 100


def test_spearman_is_scipys(analysis: Analysis) -> None:
    """Rho agrees with scipy within 1e-12 and p within 1e-10 relative, for every pair."""
    table = sided()
    for row in rows(analysis, "spearman"):
        rho, p = stats.spearmanr(table[row["a"]], table[row["b"]])
        assert row["rho"] == pytest.approx(rho, abs=1e-12) and row["p"] == pytest.approx(p, rel=1e-10)


def test_corrected_p_are_statsmodels(analysis: Analysis) -> None:
    """Holm's and Benjamini and Hochberg's p over the 36 pairs agree with statsmodels."""
    from statsmodels.stats.multitest import multipletests

    table = analysis.tables["spearman"]
    raw = np.array(table.column("p"), dtype=float)
    assert np.allclose(
        np.array(table.column("p_holm"), float), multipletests(raw, method="holm")[1], rtol=1e-12
    )
    assert np.allclose(
        np.array(table.column("p_bh"), float), multipletests(raw, method="fdr_bh")[1], rtol=1e-12
    )


def test_partial_given_size_by_hand(analysis: Analysis) -> None:
    """The partial rho given ncloc is made of three rank correlations; with ncloc itself there is none."""
    table = sided()
    a, b, z = (stats.rankdata(table[name]) for name in ("pass@1", "complexity", "ncloc"))
    ab, az, bz = (np.corrcoef(x, y)[0, 1] for x, y in ((a, b), (a, z), (b, z)))
    (row,) = rows(analysis, "spearman", a="pass@1", b="complexity")
    expected = (ab - az * bz) / np.sqrt((1 - az**2) * (1 - bz**2))
    assert row["partial_rho_given_size"] == pytest.approx(expected, abs=1e-12)
    assert rows(analysis, "spearman", a="pass@1", b="ncloc")[0]["partial_rho_given_size"] is None


def test_intervals_hold_rho(analysis: Analysis) -> None:
    """Each bootstrap interval holds its rho, and each permutation p is between 1/201 and 1."""
    for row in rows(analysis, "spearman"):
        assert row["ci_low"] < row["rho"] < row["ci_high"] and 1 / 201 <= row["p_permutation"] <= 1


def test_clustered_interval_draws_repositories(analysis: Analysis) -> None:
    """The interval over repositories is that of resampling the eight whole, by its own named stream."""
    table, draws = sided(), np.random.default_rng(FEW.stream("spearman bootstrap of repositories"))
    members = [np.flatnonzero(np.arange(90) % 8 == repo) for repo in range(8)]
    rho = []
    for drawn in draws.integers(0, 8, (FEW.draws, 8)):
        rows_of = np.concatenate([members[repo] for repo in drawn])
        rho.append(stats.spearmanr(table["pass@1"].iloc[rows_of], table["ncloc"].iloc[rows_of])[0])
    (row,) = rows(analysis, "spearman", a="pass@1", b="ncloc")
    assert row["n_repos"] == 8
    assert min(rho) - 1e-9 <= row["repo_low"] < row["repo_high"] <= max(rho) + 1e-9
    assert (
        np.mean(np.array(rho) < row["repo_low"]) <= 0.12 and np.mean(np.array(rho) > row["repo_high"]) <= 0.12
    )


@pytest.mark.parametrize(("repos", "said"), [(3, "3 repositories to draw from"), (0, "is not known")])
def test_too_few_repositories_have_no_interval(repos: int, said: str) -> None:
    """With three repositories, or none known, the clustered interval is undefined and says why."""
    table = sided(40)
    names = [f"demo__pkg{at % repos}-{at}" if repos else f"i{at}" for at in range(40)]
    found = study_analysis(Evidence("m", matrix_of(table.assign(instance_id=names)), settings=FEW), {})
    assert all(said in row["repo_low"].reason for row in rows(found, "spearman"))


def test_no_table_moves_anothers_draws() -> None:
    """Without the judge's verdicts, and their table's draws, correlations and models are the same."""
    whole = study()
    without = Evidence("m", whole.matrix, whole.lines, stages=whole.stages, settings=FEW)
    some, others = study_analysis(whole, {}).tables, study_analysis(without, {}).tables
    assert some["spearman"] == others["spearman"]
    models = [[row for row in t["discrimination"].rows if row[0] != "judge-a"] for t in (some, others)]
    assert models[0] == models[1]


def test_sides_are_scipys(analysis: Analysis) -> None:
    """The correlation of pass@1 with a change is that of its delta column."""
    table = sided()
    (row,) = rows(analysis, "spearman_sides", a="pass@1", b="ncloc")
    assert row["rho_delta"] == pytest.approx(stats.spearmanr(table["pass@1"], table["delta_ncloc"])[0])
    assert row["rho_base"] == pytest.approx(stats.spearmanr(table["pass@1"], table["base_ncloc"])[0])


def test_missing_bounds_by_hand(analysis: Analysis) -> None:
    """At best the unresolved lost get the smallest M_integridade, the resolved the largest."""
    table = sided()
    outcome = [*table["pass@1"], *[0] * 8, *[1] * 2]
    (row,) = rows(analysis, "missing_bounds", a="pass@1", b="M_integridade")
    for name, ends in (("rho_best", (1, 3)), ("rho_worst", (3, 1))):
        filled = [*table["M_integridade"], *[ends[0]] * 8, *[ends[1]] * 2]
        assert row[name] == pytest.approx(stats.spearmanr(outcome, filled)[0], abs=1e-12)


def test_a_scenario_orders_as_many_pairs_as_any() -> None:
    """By brute force over every filling, none puts more or fewer resolved above unresolved than the two."""
    table = frame(12, **{"pass@1": [0, 1] * 6, "ncloc": [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8]})
    lost = [InstanceLine(f"l{k}", "o/n", "excluded", "s", "empty", resolved=k > 0) for k in range(3)]
    inside = [
        InstanceLine(str(key), resolved=bool(y))
        for key, y in zip(table["instance_id"], table["pass@1"], strict=True)
    ]
    evidence = Evidence("m", matrix_of(table), (*inside, *lost), settings=FEW)
    found = missing_table(evidence)
    assert found is not None
    (row,) = [one for one in found.records() if (one["a"], one["b"]) == ("pass@1", "ncloc")]
    outcome, areas, rho = [*table["pass@1"], 0, 1, 1], {}, {}
    for filling in product(sorted(set(table["ncloc"])), repeat=3):
        filled = [*table["ncloc"], *filling]
        ones, zeros = ([x for x, y in zip(filled, outcome, strict=True) if y == kind] for kind in (1, 0))
        areas[filling] = sum((x > y) + (x == y) / 2 for x in ones for y in zeros)
        rho[filling] = stats.spearmanr(outcome, filled)[0]
    best, worst = (1, 9, 9), (9, 1, 1)
    assert (areas[best], areas[worst]) == (max(areas.values()), min(areas.values()))
    assert (row["rho_best"], row["rho_worst"]) == pytest.approx((rho[best], rho[worst]))


def test_power_after_holm(analysis: Analysis) -> None:
    """The smallest rho at 0.05 and at 0.05/36 are Fieller's formula, and power there is what it says."""
    (row,) = rows(analysis, "power", what="rho")
    for name, level in (("effect", 0.05), ("effect_holm", 0.05 / 36)):
        z = stats.norm.isf(level / 2) + stats.norm.ppf(0.8)
        assert row[name] == pytest.approx(np.tanh(z * np.sqrt(1.06 / 87)))
    assert [r["tests"] for r in rows(analysis, "power")] == [36, 4, 4, 4, 4, 1]
    (told,) = [r for r in rows(analysis, "findings", table="power") if "Spearman" in r["en"]]
    assert f"({row['effect_holm']:.3f} to hold after Holm over 36 tests)" in told["en"]


def test_distribution_is_pandas(analysis: Analysis) -> None:
    """Quartiles, mean and sd agree with pandas, and a histogram's bars add up to n."""
    (row,) = rows(analysis, "distributions", column="delta_ncloc")
    told = sided()["delta_ncloc"].describe()
    assert [row[k] for k in ("n", "min", "q1", "median", "q3", "max", "mean", "sd")] == pytest.approx(
        [told[k] for k in ("count", "min", "25%", "50%", "75%", "max", "mean", "std")]
    )
    for column in (*METRICS, "delta_ncloc", "base_violations"):
        assert sum(bar["n"] for bar in rows(analysis, "histograms", column=column)) == 90


def test_logit_by_every_estimator(analysis: Analysis) -> None:
    """Each of the three models has four estimators of five terms, and robust errors are statsmodels'."""
    import statsmodels.api as sm

    assert len(rows(analysis, "logit")) == 3 * 4 * 5
    table = sided()
    logged = [np.log1p(table[name]) for name in ("cognitive_complexity", "ncloc")]
    design = np.column_stack([np.ones(90), table["M_profundidade"], table["M_defesa"], *logged])
    groups = np.arange(90) % 8
    fit = sm.Logit(table["pass@1"], design).fit(disp=0, cov_type="cluster", cov_kwds={"groups": groups})
    robust = rows(analysis, "logit", model="total", kind="cluster")
    assert [row["coef"] for row in robust] == pytest.approx(list(fit.params), rel=1e-6)
    assert [row["se"] for row in robust] == pytest.approx(list(fit.bse), rel=1e-6)


@pytest.mark.parametrize(
    ("obstacle", "said"),
    [
        ("not converged", "none"),
        ("separation unknown", "unknown"),
        ("collinear predictors", "not looked for"),
    ],
)
def test_separation_says_what_was_looked_for(obstacle: Obstacle, said: str) -> None:
    """A fit that did not converge has no separation; an obstacle met before leaves it not looked for."""
    evidence = Evidence("m", matrix_of(frame(60)), settings=FEW)
    fit = replace(fitted(models(evidence)[0]), ml=NoLogit("why", obstacle=obstacle, terms={}))
    (row, *_others) = fit_table(evidence, [fit]).records()
    assert row["separation"] == said


def test_discrimination_is_a_pair_count(analysis: Analysis) -> None:
    """The judge's AUC is the share of pairs that its chances order rightly, ties half."""
    evidence = study()
    passed = {line.instance_id: line.resolved for line in evidence.lines}
    said = [
        (0.5 + (1 if j.resolve_issue else -1) * (2 * j.score_confianca - 1) / 20, passed[j.instance_id])
        for j in evidence.judgements
    ]
    ones, zeros = ([chance for chance, right in said if right is side] for side in (True, False))
    wins = sum((a > b) + (a == b) / 2 for a in ones for b in zeros)
    (row,) = rows(analysis, "discrimination", who="judge-a")
    assert row["auc"] == pytest.approx(wins / (len(ones) * len(zeros)))


def test_probabilities_are_labelled(analysis: Analysis) -> None:
    """A judge's are stated; a model has a row in sample, one cross-validated, one on unseen repositories."""
    table = rows(analysis, "discrimination")
    assert [row["sample"] for row in table if row["who"] == "judge-a"] == ["stated"]
    samples = ["in_sample", "cross_validated", "unseen_repositories"]
    assert [row["sample"] for row in table if row["who"] == "model: total"] == samples
    assert {row["ci_method"] for row in table if row["sample"] in ("stated", "in_sample")} == {"DeLong"}
    validated = [row for row in table if row["sample"] in samples[1:]]
    assert all(row["ci_method"].startswith("bootstrap") and row["low"] < row["auc"] for row in validated)
    assert {row["sample"] for row in rows(analysis, "calibration")} == {"stated", "cross_validated"}


def test_fitted_flatter(analysis: Analysis) -> None:
    """In sample a model's AUC is above the cross-validated one, whose Brier score is above that in sample."""
    one, other, _apart = rows(analysis, "discrimination", who="model: total")
    assert one["auc"] > other["auc"] and one["brier"] < other["brier"]


def test_many_rows_draw_fewer_and_say_so() -> None:
    """Of 2,100 rows fewer than 10,000 resamples are drawn: the tables that drew them say how many."""
    evidence = Evidence("m", matrix_of(frame(2100)), settings=Settings(folds=2))
    _curve, table = chance_tables(evidence, [], [])
    assert table.notes[-1] == {"pt": "9523 reamostras, não 10000.", "en": "9523 resamples, not 10000."}


def test_judge_against_tests_by_hand(analysis: Analysis) -> None:
    """The judge that is right of four in five has an accuracy of 72 in 90."""
    (row,) = rows(analysis, "judge_tests")
    assert row["tp"] + row["tn"] == 72 and row["accuracy"] == pytest.approx(0.8)


def test_marks_are_in_place(analysis: Analysis) -> None:
    """Tables of ratings and of Ruff's measures say so; the flow, which has neither, does not."""
    assert analysis.tables["spearman"].marks == {"rehearsal", "stand_in"}
    assert analysis.tables["judge_tests"].marks == {"rehearsal"}
    assert analysis.tables["flow"].marks == frozenset()


def test_lone_matrix_says_what_is_absent() -> None:
    """Of a lone matrix the tables that need more are absent, each with its reason in both languages."""
    found = study_analysis(Evidence("m", matrix_of(frame(60)), settings=FEW), {})
    absent = found.manifest["absent"]
    assert {"flow", "missing_bounds", "judge_tests", "spearman_sides"} <= set(absent)
    assert all(why["pt"] and why["en"] for why in absent.values())
    assert not set(absent) & set(found.tables)


def test_constant_column_is_undefined_throughout() -> None:
    """A constant measure has no correlation and no model, said in each table and in the findings."""
    found = study_analysis(Evidence("m", matrix_of(frame(60, M_defesa=2)), settings=FEW), {})
    (row,) = rows(found, "spearman", a="pass@1", b="M_defesa")
    assert isinstance(row["rho"], Undefined) and isinstance(row["p_holm"], Undefined)
    assert all(isinstance(line["coef"], Undefined) for line in rows(found, "logit", model="total"))
    assert any("constant" in row["en"] for row in rows(found, "findings", strength="undefined"))
