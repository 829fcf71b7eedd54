"""A study's analysis: every table that its evidence allows, and why the others are absent."""

from collections.abc import Callable, Mapping

from swe_assets.patch_quality.analysis.chance_tables import chance_tables
from swe_assets.patch_quality.analysis.column_words import words
from swe_assets.patch_quality.analysis.correlation_tables import normality_table, sides_table
from swe_assets.patch_quality.analysis.distribution_tables import distribution_table, histogram_table
from swe_assets.patch_quality.analysis.evidence import Evidence
from swe_assets.patch_quality.analysis.findings_table import findings_table
from swe_assets.patch_quality.analysis.flow_table import flow_table
from swe_assets.patch_quality.analysis.flow_tests_table import flow_tests_table
from swe_assets.patch_quality.analysis.influence_table import MANY, influence_table
from swe_assets.patch_quality.analysis.instance_table import instance_table
from swe_assets.patch_quality.analysis.judge_findings import shown_tables
from swe_assets.patch_quality.analysis.judge_tables import judge_qualities, judge_tests_table
from swe_assets.patch_quality.analysis.logit_tables import fit_table, fitted, logit_table
from swe_assets.patch_quality.analysis.manifest import manifest_of
from swe_assets.patch_quality.analysis.missing_table import missing_table
from swe_assets.patch_quality.analysis.models import models
from swe_assets.patch_quality.analysis.power_table import power_table
from swe_assets.patch_quality.analysis.sparse_tables import cells_table, exact_table, has_events
from swe_assets.patch_quality.analysis.spearman_table import spearman_table
from swe_assets.reporting.tables import Analysis, Table, Words

NO_ACCOUNT = words(
    "Só se conhece a matriz: a conta das instâncias fixadas não foi dada.",
    "Only the matrix is known: the account of the pinned instances was not given.",
)
NONE_LOST = words("Nenhuma instância falta na matriz.", "No instance is missing from the matrix.")
NO_SIDES = words(
    "A matriz não tem colunas base_* nem delta_*.", "The matrix has no columns base_* or delta_*."
)
NO_SEPARATION = words("Nenhum modelo está separado.", "No model is separated.")
NOT_SPARSE = words(
    "Há eventos bastantes para dispensar resultados exatos.", "Events are enough to do without exact results."
)
NO_EVENTS = words(
    "Nenhum resultado exato: os desfechos são todos iguais, ou o número de eventos não tem valor.",
    "No exact result: all outcomes are the same, or the number of events has no value.",
)
NO_VERDICTS = words("Os vereditos do juiz não foram dados.", "The judge's verdicts were not given.")


def study_analysis(
    evidence: Evidence, inputs: Mapping[str, str], made_with: Mapping[str, str] | None = None
) -> Analysis:
    """Return all tables of one study; ``inputs`` gives the sha256 of what the evidence was read from.

    ``made_with`` are the versions that the manifest names; by default those that run.

    The same evidence gives the same analysis to the last digit. Tables that the evidence does not allow are
    named in the manifest's ``absent`` with the reason. Above 20,000 rows fragility and foretold chances are
    those of the first model alone.
    """
    fits = [fitted(model) for model in models(evidence)]
    qualities = judge_qualities(evidence)
    foretold = fits if evidence.matrix.n <= MANY else fits[:1]
    calibration, discrimination = chance_tables(evidence, qualities, foretold)
    no_lines = NONE_LOST if evidence.lines else NO_ACCOUNT
    makers: dict[str, tuple[Callable[[], Table | None], Words]] = {
        "flow": (lambda: flow_table(evidence), NO_ACCOUNT),
        "flow_tests": (lambda: flow_tests_table(evidence), no_lines),
        "instances": (lambda: instance_table(evidence), {}),
        "distributions": (lambda: distribution_table(evidence), {}),
        "histograms": (lambda: histogram_table(evidence), {}),
        "normality": (lambda: normality_table(evidence), {}),
        "spearman": (lambda: spearman_table(evidence), {}),
        "spearman_sides": (lambda: sides_table(evidence), NO_SIDES),
        "missing_bounds": (lambda: missing_table(evidence), no_lines),
        "logit": (lambda: logit_table(evidence, fits), {}),
        "fit": (lambda: fit_table(evidence, fits), {}),
        "separation_cells": (lambda: cells_table(evidence, fits), NO_SEPARATION),
        "exact": (lambda: exact_table(evidence, fits), NOT_SPARSE if has_events(fits[0]) else NO_EVENTS),
        "influence": (lambda: influence_table(evidence, fits), {}),
        "judge_tests": (lambda: judge_tests_table(evidence, qualities), NO_VERDICTS),
        "calibration": (lambda: calibration, {}),
        "discrimination": (lambda: discrimination, {}),
        "power": (lambda: power_table(evidence, fits), {}),
    }
    made = {name: make() for name, (make, _why) in makers.items()}
    tables = {name: table for name, table in made.items() if table is not None}
    tables = {"findings": findings_table(tables), **tables, **shown_tables(evidence.about_judges)}
    absent = {name: makers[name][1] for name in makers if name not in tables}
    manifest = manifest_of(evidence, inputs, absent, made_with)
    return Analysis(evidence.title, tables, manifest, evidence.texts)
