"""The findings: made by rules from the tables alone, and never more than they say."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swe_assets.patch_quality.analysis.comparison import COMPARISON
from swe_assets.patch_quality.analysis.evidence import Evidence
from swe_assets.patch_quality.analysis.finding import below
from swe_assets.patch_quality.analysis.findings_comparison import comparison_findings
from swe_assets.patch_quality.analysis.findings_correlation import MOST, correlation_findings
from swe_assets.patch_quality.analysis.findings_table import findings_table
from swe_assets.patch_quality.analysis.labels import Labels
from swe_assets.patch_quality.analysis.matrix import matrix_of
from swe_assets.patch_quality.analysis.spearman_table import COLUMNS
from swe_assets.patch_quality.analysis.study_tables import study_analysis
from swe_assets.reporting.tables import Table, from_json, to_json
from swe_assets.statistics.undefined import Undefined
from swe_assets_tests.patch_quality.analysis.matrices import STAND_IN, frame, separated
from swe_assets_tests.patch_quality.analysis.studies import FEW, study

CAUSAL = re.compile(
    r"\bcaus|\bdue to\b|\bbecause of\b|\bleads to\b|\beffect of\b|\bpor causa\b|\bprovoca", re.IGNORECASE
)


SHOWN = ("strong", "moderate", "fragile")


def found(table: pd.DataFrame, labels: Labels | None = None) -> dict[str, Table]:
    """Return the tables of a lone matrix."""
    matrix = matrix_of(table).labelled(labels or Labels())
    return dict(study_analysis(Evidence("m", matrix, settings=FEW), {}).tables)


def sentences(tables: dict[str, Table], **where: object) -> list[dict[str, Any]]:
    """Return the findings that are as asked."""
    rows = tables["findings"].records()
    return [row for row in rows if all(row[key] == value for key, value in where.items())]


def fragile() -> pd.DataFrame:
    """Return a matrix in which one instance carries the correlation of pass@1 with M_integridade."""
    table = frame(40)
    table["pass@1"] = [1] * 6 + [0] * 34
    table["M_integridade"] = [3, 3, 2, 2, 2, 1] + [1, 2] * 14 + [2, 1, 2, 1, 1, 1]
    return table


def test_findings_come_from_the_tables_alone() -> None:
    """The same tables, read back from JSON, give the same findings to the letter."""
    analysis = study_analysis(study(), {})
    read = dict(from_json(to_json(analysis)).tables)
    told = read.pop("findings")
    assert findings_table(read) == told


def test_each_finding_names_its_row() -> None:
    """Every finding names a table and a row that are there, in its order."""
    tables = dict(study_analysis(study(), {}).tables)
    assert len(sentences(tables)) > 10
    for place, row in enumerate(sentences(tables), start=1):
        assert row["order"] == place and 0 <= row["row"] < len(tables[row["table"]].rows)


@pytest.mark.parametrize("table", [frame(60), separated().head(60), fragile(), frame(60, M_defesa=2)])
def test_no_cause_is_claimed(table: pd.DataFrame) -> None:
    """No sentence in either language speaks of cause."""
    told = sentences(found(table))
    assert len(told) >= 3 and CAUSAL.search("ncloc leads to fewer") and CAUSAL.search("por causa de ncloc")
    for row in told:
        assert not CAUSAL.search(row["en"]) and not CAUSAL.search(row["pt"])


def test_rehearsal_and_stand_in_are_in_the_sentence() -> None:
    """A sentence on a rehearsal's rating, or on a model that has one, begins with its mark; others do not."""
    tables = found(frame(160), Labels(rehearsal=True, stand_in=STAND_IN))
    (rated, *_rest) = [row for row in sentences(tables, table="spearman") if "M_profundidade" in row["en"]]
    assert rated["en"].startswith("[REHEARSAL: ") and rated["pt"].startswith("[ENSAIO: ")
    of_models = [*sentences(tables, table="fit"), *sentences(tables, table="logit", strength="none")]
    assert of_models and all(row["en"].startswith("[REHEARSAL: ") for row in of_models)
    assert not any(row["en"].startswith("[") for row in sentences(tables, table="flow"))


def test_separation_lets_firth_lead_and_says_why() -> None:
    """With complete separation Firth leads, the sentence says so, and no ML coefficient is told."""
    tables = found(separated())
    (row,) = sentences(tables, table="fit")
    assert "complete separation" in row["en"] and "Firth's results lead" in row["en"]
    assert not any("maximum likelihood;" in row["en"] for row in sentences(tables, table="logit"))
    cells = tables["separation_cells"].records()
    assert "ncloc_log" in {row["term"] for row in cells}
    assert all(0 in (row["resolved"], row["unresolved"]) for row in cells)


def test_few_events_let_firth_lead() -> None:
    """Six events for four predictors are too few: Firth leads, and exact results stand beside."""
    tables = found(fragile())
    (row,) = sentences(tables, table="fit")
    assert "EPV 1.50 is below 10" in row["en"] and "Firth" in row["en"]
    assert [row["term"] for row in tables["exact"].records()] == ["M_profundidade", "M_defesa"]


def test_one_instance_that_carries_a_result_is_named() -> None:
    """A correlation that one instance carries is called fragile, and the instance named."""
    from scipy.stats import spearmanr

    table = fragile()
    tables = found(table)
    (row,) = [r for r in tables["influence"].records() if r["term"] == "pass@1 × M_integridade"]
    rest = table[table["instance_id"] != row["instance_id"]]
    assert row["p_without"] == pytest.approx(spearmanr(rest["pass@1"], rest["M_integridade"])[1], rel=1e-9)
    assert row["changes_conclusion"] and row["p"] < 0.05 <= row["p_without"]
    (told,) = [r for r in sentences(tables, table="spearman") if "M_integridade is" in r["en"]]
    assert told["strength"] == "fragile" and f"Fragile: without {row['instance_id']}, p" in told["en"]


def test_a_sample_looked_at_in_part_says_so() -> None:
    """Of 2600 rows some are left out one at a time: the table's notes and the models' sentences say so."""
    many = frame(2600)
    many["pass@1"] = (many["M_defesa"] + np.arange(2600) % 3 > 3).astype(int)
    tables = found(many)
    (row, *_rest) = [r for r in tables["influence"].records() if r["model"] == "total"]
    assert row["n"] == 2600 and 10 <= row["n_tried"] < 2600
    said = f"{row['n_tried']} of 2600"
    assert any(
        said in note["en"] and f"{row['n_tried']} de 2600" in note["pt"] for note in tables["influence"].notes
    )
    (told, *_others) = [r for r in sentences(tables, table="logit") if "M_defesa" in r["en"]]
    assert f"looked at in {said} only" in told["en"]


def test_a_model_without_a_fit_keeps_its_row_of_influence() -> None:
    """With one outcome only nothing can be left out: every row is there, and says why."""
    rows = found(frame(40, **{"pass@1": 1}))["influence"].records()
    assert [row["model"] for row in rows] == ["total", *["spearman"] * 8]
    assert all(isinstance(row["changes_conclusion"], Undefined) for row in rows)
    assert "all 40 outcomes are 1" in rows[0]["p_without"].reason


def test_nothing_shown_is_not_called_absent() -> None:
    """Where no correlation is significant the sentence says that this is not absence."""
    table = frame(30).assign(**{"pass@1": [0, 1] * 15})
    tables = found(table)
    assert all(row["p"] >= 0.05 for row in tables["spearman"].records() if row["a"] == "pass@1")
    (row,) = sentences(tables, table="spearman", strength="none")
    assert "Not shown is not the same as absent" in row["en"]


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10_000))
def test_strength_follows_the_numbers(seed: int) -> None:
    """The three strongest with p below 0.05 are told, no other, and only with Holm's below it as strong."""
    tables = found(frame(80).sample(40, random_state=seed))
    cells = dict(enumerate(tables["spearman"].records()))
    told = {row["row"]: row["strength"] for row in sentences(tables, table="spearman")}
    shown = [place for place, cell in cells.items() if cell["a"] == "pass@1" and below(cell["p"])]
    shown.sort(key=lambda place: -abs(cells[place]["rho"]))
    assert [place for place, strength in told.items() if strength in SHOWN] == shown[:MOST]
    assert all(below(cells[place]["p_holm"]) for place, strength in told.items() if strength == "strong")


def test_undefined_is_said() -> None:
    """One outcome only: no model, no correlation, and the findings say undefined with the reason."""
    told = sentences(found(frame(40, **{"pass@1": 1})), strength="undefined")
    assert any("column 'pass@1' is constant" in row["en"] for row in told)
    assert any("all 40 outcomes are 1" in row["en"] for row in told)


def test_missing_that_are_no_random_part() -> None:
    """Fisher's p of the lost against the kept is scipy's, and Holm's over all rows decides the sentence."""
    from scipy.stats import fisher_exact
    from statsmodels.stats.multitest import multipletests

    evidence = study()
    kept = (evidence.matrix.resolved, evidence.matrix.n - evidence.matrix.resolved)
    p = fisher_exact(np.array([[2, 8], kept])).pvalue
    tables = dict(study_analysis(evidence, {}).tables)
    whole, *by_reason = tables["flow_tests"].records()
    raw = [p, *(fisher_exact(np.array([lost, kept])).pvalue for lost in ([0, 8], [2, 0]))]
    assert [row["p"] for row in (whole, *by_reason)] == pytest.approx(raw)
    assert whole["p_holm"] == pytest.approx(multipletests(raw, method="holm")[1][0])
    (row,) = [row for row in sentences(tables, table="flow_tests") if row["row"] == 0]
    assert row["strength"] == ("strong" if whole["p_holm"] < 0.05 else "moderate" if p < 0.05 else "none")


def test_unknown_outcomes_are_not_counted_as_unresolved() -> None:
    """Where a lost instance's outcome is not known the flow's rates and test are undefined, and say why."""
    evidence = study()
    unknown = replace(evidence.lines[-1], resolved=None)
    tables = study_analysis(replace(evidence, lines=(*evidence.lines[:-1], unknown)), {}).tables
    assert not any("The missing are" in row["en"] for row in sentences(dict(tables)))
    assert tables["flow_tests"].records()[0]["p"].reason == "the outcome of 1 of 100 is not known"
    assert not any("?" in row["en"] or "?" in row["pt"] for row in sentences(dict(tables)))
    (kept,) = [row for row in sentences(dict(tables), table="flow") if "pinned instances" in row["en"]]
    assert "resolved are – (the outcome of 1 of 100 is not known) of the pinned" in kept["en"]


def test_a_perfect_correlation_is_told() -> None:
    """A p of exactly 0, as a rho of 1 has, counts as below any level."""
    row = ("pass@1", "ncloc", 1.0, 0.0, 0.0, 0.0, None, None, "", 0.0, None, None, 40, None, None, None)
    (told,) = correlation_findings({"spearman": Table("spearman", {"pt": "", "en": ""}, COLUMNS, (row,))})
    assert told.strength == "strong" and "ncloc is larger where the patch resolves" in told.sentence["en"]


@pytest.mark.parametrize(
    ("low", "high", "strength", "told"),
    [
        (0.01, 0.7, "strong", "with whole repositories resampled (95\u00a0% CI 0.010 to 0.700)"),
        (-0.1, 0.8, "moderate", "with whole repositories resampled (95\u00a0% CI -0.100 to 0.800)"),
        (0.35, 0.45, "strong", "n = 400."),
        (-0.02, 0.1, "moderate", "with whole repositories resampled (95\u00a0% CI -0.020 to 0.100)"),
        (None, None, "strong", "n = 400."),
    ],
)
def test_a_correlation_that_repositories_make_is_not_strong(
    low: float | None, high: float | None, strength: str, told: str
) -> None:
    """A correlation is strong where neither interval, over instances or over repositories, holds 0."""
    row = ("pass@1", "ncloc", 0.4, 1e-9, 1e-8, 1e-8, 0.3, 0.5, "", 0.0, None, None, 400, low, high, 9)
    table = Table("spearman", {"pt": "", "en": ""}, COLUMNS, (row,))
    (found,) = correlation_findings({"spearman": table})
    assert found.strength == strength and told in found.sentence["en"]


@pytest.mark.parametrize(
    ("clustered", "strength"), [(0.39, "moderate"), (0.01, "strong"), (None, "moderate")]
)
def test_a_difference_that_one_repository_makes_is_not_strong(clustered: float | None, strength: str) -> None:
    """A paired difference that does not hold with repositories as clusters is called moderate."""
    row = ("A", "B", 100, 40, 12, 0, 48, 0.52, 0.40, 0.12, 0.06, 0.2, 0.000488, 0.000488, clustered, 4)
    tables = {"comparison": Table("comparison", {"pt": "", "en": ""}, COMPARISON, (row,))}
    (told,) = comparison_findings(tables)
    assert told.strength == strength and "A resolves more" in told.sentence["en"]
