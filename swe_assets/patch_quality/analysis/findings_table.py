"""The findings: what the tables say, in plain sentences, made from the tables alone."""

from collections.abc import Callable

from swe_assets.patch_quality.analysis.column_words import columns, words
from swe_assets.patch_quality.analysis.finding import Finding, Tables
from swe_assets.patch_quality.analysis.findings_comparison import comparison_findings
from swe_assets.patch_quality.analysis.findings_correlation import correlation_findings
from swe_assets.patch_quality.analysis.findings_flow import flow_findings
from swe_assets.patch_quality.analysis.findings_judges import judge_findings, power_findings
from swe_assets.patch_quality.analysis.findings_models import model_findings
from swe_assets.reporting.reasons import in_words
from swe_assets.reporting.tables import Table

RULES: tuple[Callable[[Tables], list[Finding]], ...] = (
    comparison_findings,
    flow_findings,
    correlation_findings,
    model_findings,
    judge_findings,
    power_findings,
)
_NOTES = (
    words(
        "Certeza: forte (strong) resiste à correção; moderada (moderate), só antes dela; frágil (fragile) "
        "depende de uma instância ou do que falta; não mostrado (none); indefinido (undefined), sem valor; "
        "descrição (described).",
        "Certainty: strong holds after correction; moderate before it only; fragile hangs on one instance or "
        "on what is missing; none, not shown; undefined, without a value; described, a description.",
    ),
)


def findings_table(tables: Tables) -> Table:
    """Return the findings in order; each names the table and the row (from 0) that its numbers stand in."""
    found = [finding for rule in RULES for finding in rule(tables)]
    rows = tuple(
        (place, in_words(one.sentence["pt"], "pt"), one.sentence["en"], one.strength, one.table, one.row)
        for place, one in enumerate(found, start=1)
    )
    named = columns("order", "pt", "en", "strength", "table", "row")
    marks = frozenset().union(*(tables[one.table].marks for one in found)) if found else frozenset()
    return Table("findings", words("O que se achou", "What was found"), named, rows, _NOTES, marks)
