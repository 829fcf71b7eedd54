"""No sentence is surer than its numbers: what has no value shows nothing and denies nothing."""

from dataclasses import replace
from typing import Any

import pytest

from swe_assets.patch_quality.analysis.comparison import Submission, comparison_table, submission_of
from swe_assets.patch_quality.analysis.comparison_metrics import metrics_table
from swe_assets.patch_quality.analysis.evidence import Evidence, InstanceLine
from swe_assets.patch_quality.analysis.findings_comparison import comparison_findings
from swe_assets.patch_quality.analysis.findings_correlation import correlation_findings
from swe_assets.patch_quality.analysis.findings_flow import flow_findings
from swe_assets.patch_quality.analysis.findings_judges import judge_findings
from swe_assets.patch_quality.analysis.findings_models import model_findings
from swe_assets.patch_quality.analysis.labels import Labels
from swe_assets.patch_quality.analysis.study_tables import study_analysis
from swe_assets.reporting.tables import Table
from swe_assets.statistics.undefined import Undefined
from swe_assets_tests.patch_quality.analysis.matrices import STAND_IN
from swe_assets_tests.patch_quality.analysis.studies import sided, study

EMPTY = Undefined("all scores are equal")


@pytest.fixture(scope="module")
def tables() -> dict[str, Table]:
    """Return the tables of a rehearsed study."""
    return dict(study_analysis(study(labels=Labels(rehearsal=True, stand_in=STAND_IN)), {}).tables)


def changed(table: Table, where: dict[str, object], **cells: object) -> Table:
    """Return a table with cells of some rows replaced."""
    rows = []
    for row in table.records():
        named = {**row, **cells} if all(row[key] == value for key, value in where.items()) else row
        rows.append(tuple(named.values()))
    return replace(table, rows=tuple(rows))


def test_a_judge_that_is_always_right(tables: dict[str, Table]) -> None:
    """An MCC whose interval has no value is told with the reason, and not called no better than chance."""
    table = changed(tables["judge_tests"], {}, mcc=1.0, mcc_low=EMPTY, mcc_high=EMPTY)
    told = judge_findings({"judge_tests": table})[0]
    assert told.strength == "described"
    assert "the CI has no value (all scores are equal)" in told.sentence["en"]
    assert "better than chance" not in told.sentence["en"]


def test_an_area_without_a_value_names_those_that_have_one(tables: dict[str, Table]) -> None:
    """Where the cross-validated area has no value the sentence says which it is, and tells the others."""
    where: dict[str, object] = {"who": "model: total", "sample": "cross_validated"}
    table = changed(tables["discrimination"], where, auc=EMPTY)
    (told,) = (one for one in judge_findings({"discrimination": table}) if one.strength == "undefined")
    assert ", cross-validated: undefined (all scores are equal); on the very instances" in told.sentence["en"]


def test_scenarios_without_a_value(tables: dict[str, Table]) -> None:
    """Where no correlation has a value in both scenarios none is said to keep its sign."""
    table = changed(tables["missing_bounds"], {}, rho_best=EMPTY)
    told = flow_findings({"flow": tables["flow"], "missing_bounds": table})[-1]
    assert told.strength == "undefined" and "has a value in both scenarios" in told.sentence["en"]
    assert told.sentence["en"].startswith("[")


@pytest.mark.parametrize(("p", "said"), [(0.2, True), (0.01, False), (None, False)])
def test_size_is_said_only_where_it_is_shown(tables: dict[str, Table], p: float | None, said: bool) -> None:
    """That the file's size tells it all is said only where the correlation given size is not shown."""
    pair: dict[str, object] = {"a": "pass@1", "b": "ncloc"}
    rho = changed(tables["spearman"], pair, p=0.001, p_holm=0.01, rho=0.3, partial_p=p)
    sides = changed(tables["spearman_sides"], {}, p_total=0.5)
    sides = changed(sides, pair, p_total=0.001, p_delta=0.4, rho_delta=0.02)
    found = correlation_findings({"spearman": rho, "spearman_sides": sides})
    (told,) = (one.sentence["en"] for one in found if one.table == "spearman_sides")
    assert ("Given the file's size, none of them" in told) is said


def test_no_leader_names_every_reason(tables: dict[str, Table]) -> None:
    """Where neither estimator leads each one's own reason is told."""
    fit = changed(tables["fit"], {"model": "total"}, leads=False, reason=None)
    fit = changed(fit, {"model": "total", "kind": "ml"}, reason="EPV 5.5 is below 10")
    fit = changed(fit, {"model": "total", "kind": "firth"}, reason="no convergence")
    told = model_findings({**tables, "fit": fit})[0]
    assert told.strength == "undefined"
    assert "maximum likelihood: EPV 5.5 is below 10; Firth: no convergence" in told.sentence["en"]


def test_collinearity_bears_the_predictors_marks(tables: dict[str, Table]) -> None:
    """A VIF is of all predictors, the rehearsed ratings among them, and is marked like them."""
    where: dict[str, object] = {"model": "total", "kind": "ml", "term": "ncloc_log"}
    told = model_findings({**tables, "logit": changed(tables["logit"], where, vif=12.0)})[-1]
    assert "Collinear" in told.sentence["en"] and told.sentence["en"].startswith("[")


def bare(name: str, resolved: int, ids: str = "k-{}") -> Submission:
    """Return a study of forty instances of which it resolves the first, with no repository told."""
    lines = tuple(InstanceLine(ids.format(at), resolved=at < resolved) for at in range(40))
    return Submission(name, lines)


def strengths(*submissions: Submission) -> list[str]:
    """Return how sure the comparison of submissions is, pair by pair."""
    return [one.strength for one in comparison_findings({"comparison": comparison_table(submissions)})]


def test_unknown_repositories_make_nothing_strong() -> None:
    """A difference of which clusters say nothing is moderate, and the reason is told."""
    (told,) = comparison_findings({"comparison": comparison_table([bare("A", 30), bare("B", 10)])})
    assert told.strength == "moderate" and "is not known" in told.sentence["en"]


def test_order_of_studies_changes_no_certainty() -> None:
    """Repositories that one of two studies knows count, whichever is named first."""
    whole = submission_of("A", Evidence("A", study().matrix))
    other = Submission("B", tuple(InstanceLine(line.instance_id, resolved=False) for line in whole.lines))
    known = replace(whole, lines=tuple(replace(line, repo=f"o/{line.resolved}") for line in whole.lines))
    for one in (whole, known):
        assert strengths(one, other) == strengths(other, one)
        cells: list[Any] = [
            comparison_table(pair).records()[0]["n_clusters"] for pair in ([one, other], [other, one])
        ]
        assert cells[0] == cells[1] is not None


def test_ids_tell_repositories() -> None:
    """Ids of SWE-bench's form tell their repository where no column does."""
    ids = "o__r{}-1"
    (row,) = comparison_table([bare("A", 30, ids), bare("B", 10, ids)]).records()
    assert row["n_clusters"] == 40


def test_equal_differences_name_their_reason() -> None:
    """Where all differences are equal p has no value since all scores are, not since clusters cancel."""
    one = submission_of("A", study(sided(20)))
    two = replace(one, name="B", lines=tuple(_more(line) for line in one.lines))
    row = next(row for row in metrics_table([one, two]).records() if row["metric"] == "ncloc")
    assert isinstance(row["p"], Undefined) and row["p"].reason == "all 22 scores are -1"


def _more(line: InstanceLine) -> InstanceLine:
    return replace(line, known={**line.known, "ncloc": line.known.get("ncloc", 0) + 1})
