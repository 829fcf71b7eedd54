"""The logit report beside statsmodels called by hand, and where there is no result."""

import json
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit

from swe_assets.patch_quality.analysis import files
from swe_assets.patch_quality.analysis.evidence import Evidence
from swe_assets.patch_quality.analysis.fitted_outcome import TERMS, model_outcome, vif_level, vif_verdict
from swe_assets.patch_quality.analysis.logit_tables import fit_table
from swe_assets.patch_quality.analysis.matrix import matrix_of
from swe_assets.patch_quality.analysis.outcome_model import fit_record, logit_report
from swe_assets.patch_quality.analysis.summary import summary_text
from swe_assets.statistics import Undefined
from swe_assets_tests.patch_quality.analysis.matrices import frame, labelled, read_rows, separated
from swe_assets_tests.patch_quality.analysis.studies import FEW

NUMBERS = ("coef", "se", "z", "p", "odds_ratio", "ci_low", "ci_high")


def by_hand(table: pd.DataFrame) -> "sm.regression.linear_model.RegressionResultsWrapper":
    """Return statsmodels' fit of the study's model, written down once more."""
    predictors = table[["M_profundidade", "M_defesa"]].assign(
        cognitive_complexity_log=np.log1p(table["cognitive_complexity"]), ncloc_log=np.log1p(table["ncloc"])
    )
    return sm.Logit(table["pass@1"], sm.add_constant(predictors)).fit(disp=0)


def test_table_holds_statsmodels_numbers(tmp_path: Path) -> None:
    """Each term has statsmodels' coefficient, error, z, p, and odds ratio with its interval."""
    logit_report(frame(), tmp_path)
    fit, rows = by_hand(frame()), read_rows(tmp_path / files.LOGIT)
    assert tuple(row["term"] for row in rows) == TERMS == tuple(fit.params.index)
    low, high = np.exp(fit.conf_int()[0]), np.exp(fit.conf_int()[1])
    for row in rows:
        name = row["term"]
        wanted = [
            s[name] for s in (fit.params, fit.bse, fit.tvalues, fit.pvalues, np.exp(fit.params), low, high)
        ]
        assert [float(row[column]) for column in NUMBERS] == pytest.approx(wanted, rel=1e-6)


def test_vif_is_of_the_predictors_only(tmp_path: Path) -> None:
    """VIF is the diagonal of the inverse correlation of the four predictors; the intercept has none."""
    logit_report(frame(), tmp_path)
    const, *rows = read_rows(tmp_path / files.LOGIT)
    exog = by_hand(frame()).model.exog[:, 1:]
    wanted = np.diag(np.linalg.inv(np.corrcoef(exog.T)))
    assert [float(row["vif"]) for row in rows] == pytest.approx(wanted, rel=1e-9)
    assert const["vif"] == ""


def test_fit_json_holds_the_likelihoods(tmp_path: Path) -> None:
    """Sample, EPV, likelihoods and criteria are in fit.json, with convergence and separation."""
    logit_report(frame(), tmp_path)
    record, fit = json.loads((tmp_path / files.FIT).read_bytes()), by_hand(frame())
    resolved = int(frame()["pass@1"].sum())
    assert (record["n"], record["resolved"], record["rate"]) == (160, resolved, resolved / 160)
    assert record["EPV"] == min(resolved, 160 - resolved) / 4
    wanted = [fit.llf, fit.llnull, fit.prsquared, fit.llr, fit.llr_pvalue, fit.aic, fit.bic]
    found = [record[key] for key in ("logL", "null_logL", "McFadden", "LR", "LR_p", "AIC", "BIC")]
    assert found == pytest.approx(wanted, rel=1e-6)
    assert (record["converged"], record["separation"]) == (True, {"kind": "none", "terms": {}})


def test_separation_shows_no_numbers(tmp_path: Path) -> None:
    """Under separation every number of the fit is empty, and kind, terms and reason are said in each file."""
    model = logit_report(separated(), tmp_path)
    rows = read_rows(tmp_path / files.LOGIT)
    assert {row[name] for row in rows for name in NUMBERS} == {""}
    assert all("complete separation" in row["note"] for row in rows)
    record = json.loads((tmp_path / files.FIT).read_bytes())
    assert record["separation"]["kind"] == "complete" and record["separation"]["terms"]["ncloc_log"] == "-"
    assert record["logL"] is record["AIC"] is None and record["converged"] is False
    assert "by ncloc_log alone" in (tmp_path / files.SUMMARY).read_text(encoding="utf-8")
    assert "–" in model.markdown and "complete separation" in model.markdown


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        (frame(**{"pass@1": 0}), "constant outcome: all 160 outcomes are 0"),
        (frame(M_defesa=2), "constant predictor: predictor(s) with one value only: M_defesa"),
        (frame(3), "too few rows"),
        (frame().assign(M_defesa=frame()["M_profundidade"]), "collinear predictors"),
    ],
)
def test_obstacles_are_said(table: pd.DataFrame, reason: str, tmp_path: Path) -> None:
    """A constant outcome or predictor, too few rows and collinear predictors are each said as such."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = logit_report(table, tmp_path)
    assert not model.converged and reason in model.reason + model.verdict
    assert reason in (tmp_path / files.SUMMARY).read_text(encoding="utf-8")


def test_non_convergence_shows_no_numbers() -> None:
    """A fit cut off after one iteration has a record without figures, and a summary without a table."""
    model = model_outcome(matrix_of(frame()), max_iterations=1)
    record = fit_record(model)
    assert "no convergence within 1 iterations" in record["reason"]
    assert record["logL"] is None and record["separation"]["kind"] == "none"
    assert "coef" not in summary_text(model)


def test_summary_has_its_four_blocks(tmp_path: Path) -> None:
    """Sample and EPV, VIF with classes and finding, statsmodels' table and the odds ratios stand in order."""
    logit_report(labelled(), tmp_path, title="demo")
    text = (tmp_path / files.SUMMARY).read_text(encoding="utf-8")
    parts = ["ENSAIO", "1. Validação da amostra (EPV)", "[Nota de limitação]", "EPV: ", "2. Diagnóstico"]
    parts += ["Laudo: ", "3. Sumário", "Logit Regression Results", "4. Razão de chances", "M_profundidade"]
    places = [text.index(part) if part != "M_profundidade" else text.rindex(part) for part in parts]
    assert places == sorted(places)
    assert "Dep. Variable:                 pass@1" in text and "Date:" not in text


def penalised_maximum(table: pd.DataFrame) -> NDArray[np.float64]:
    """Return the maximum of Firth's penalised likelihood, searched for by scipy without derivatives."""
    logged = [np.log1p(table[name]) for name in ("cognitive_complexity", "ncloc")]
    x = np.column_stack([np.ones(len(table)), table["M_profundidade"], table["M_defesa"], *logged])
    centre = np.r_[0.0, x[:, 1:].mean(axis=0)]

    def loss(b: NDArray[np.float64]) -> float:
        linear = (x - centre) @ b
        spread = expit(linear) * expit(-linear)
        log_det = np.linalg.slogdet((x - centre).T @ ((x - centre) * spread[:, None]))[1]
        return float(np.logaddexp(0, linear).sum() - linear @ table["pass@1"] - log_det / 2)

    options: Any = {"xatol": 1e-9, "fatol": 1e-12, "maxiter": 20_000, "maxfev": 20_000}
    found = minimize(loss, np.zeros(5), method="Nelder-Mead", options=options)
    return np.asarray(found.x)


def test_firth_leads_by_name_and_with_why(tmp_path: Path) -> None:
    """With six events Firth leads: summary, record, markdown and verdict name it, and say why."""
    table = frame(40, **{"pass@1": [1] * 6 + [0] * 34})
    model = logit_report(table, tmp_path)
    said = "A relatar: Firth (verossimilhança penalizada), porque: EPV 1.50 abaixo de 10."
    record = json.loads((tmp_path / files.FIT).read_bytes())
    assert (record["leads"], record["leads_because"]) == ("firth", said)
    shown = [f"{ratio:.4f}" for ratio in np.exp(penalised_maximum(table)[1:])]
    summary = (tmp_path / files.SUMMARY).read_text(encoding="utf-8")
    for text in (summary, model.markdown):
        assert said in text and all(ratio in text for ratio in shown)
    assert said in model.verdict and summary.index(said) < summary.index("1. Validação")


def test_maximum_likelihood_leads_where_it_serves(tmp_path: Path) -> None:
    """With events enough maximum likelihood leads, without a penalised table; of one class neither."""
    model = logit_report(frame(), tmp_path)
    assert model.leads == "ml" and "(Firth)" not in (tmp_path / files.SUMMARY).read_text(encoding="utf-8")
    constant = model_outcome(matrix_of(frame(**{"pass@1": 0})))
    assert constant.leads is None and fit_record(constant)["leads"] is None
    assert constant.leader_text.startswith("A relatar: nenhum estimador (")


def test_epv_bands_are_explained() -> None:
    """The table of fits says in both languages what each band of EPV means."""
    evidence = Evidence("m", matrix_of(frame(60)), settings=FEW)
    notes = fit_table(evidence, []).notes
    for lang in ("pt", "en"):
        text = " ".join(note[lang] for note in notes)
        assert all(re.search(rf"\b{band}\b\)?, ", text) for band in ("too few", "few", "enough"))


@pytest.mark.parametrize(
    ("value", "level"),
    [
        (1.0, "OK"),
        (4.999, "OK"),
        (5.0, "Atenção"),
        (9.999, "Atenção"),
        (10.0, "Problemático"),
        (Undefined("infinite", infinite=True), "Problemático"),
        (Undefined("no"), "indefinido"),
    ],
)
def test_vif_levels(value: float | Undefined, level: str) -> None:
    """The classes begin at 5 and at 10; infinity is the last, undefined is none."""
    assert vif_level(value) == level


def test_vif_verdict_names_the_worst() -> None:
    """The finding names the predictors of the worst class."""
    assert vif_verdict({"a": 1.0}) == "Laudo: sem colinearidade severa; todos os VIF abaixo de 5."
    assert vif_verdict({"a": 6.0, "b": 1.0}) == "Laudo: colinearidade moderada em a."
    assert vif_verdict({"a": 6.0, "b": 12.0}) == "Laudo: colinearidade severa em b."
    assert vif_verdict({"a": Undefined("why")}) == "Laudo: VIF indefinido para a (why)."


def test_the_odds_table_bears_the_marks_in_place() -> None:
    """In Dagster's table the rated terms bear the small model's mark, and the sentence stands below."""
    matrix = matrix_of(frame(judge="smollm2-135m-plumbing-check-not-a-judge"))
    text = model_outcome(matrix).markdown
    assert "| M_defesa [modelo pequeno] |" in text and "| ncloc_log |" in text
    assert text.endswith(matrix.labels.small_model_text)
