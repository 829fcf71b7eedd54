"""The sheet of an audit: a row an instance, first what a person fills in, then what to read."""

from collections.abc import Sequence

from swe_assets.judging.audit_csv import LONGEST_CELL, sheet_bytes
from swe_assets.judging.audit_page import JudgeWords
from swe_assets.judging.quotes import CheckedQuote
from swe_assets.patch_quality.auditoria_itens import (
    FORM,
    JURY,
    SCALES,
    AuditedInstance,
    page_item,
    shown_text,
)


def audit_sheet(instances: Sequence[AuditedInstance], *, auditor: str, blind: bool) -> bytes:
    """Return the sheet; blind leaves out who judged, every score, their words and the tests' outcome.

    A text of more than LONGEST_CELL characters is cut in its middle and says so: the page has all of it.
    """
    rows = [_cells(instance, auditor, blind=blind) for instance in instances]
    header = list(dict.fromkeys(name for row in rows for name in row)) or list(FORM.columns)
    return sheet_bytes(header, ([row.get(name, "") for name in header] for row in rows))


def _cells(instance: AuditedInstance, auditor: str, *, blind: bool) -> dict[str, str]:
    """Return an instance's cells by column."""
    drawn, item = instance.drawn, page_item(instance)
    cells = dict.fromkeys(FORM.columns, "")
    cells |= {FORM.id_column: drawn.item_id, "item": drawn.mark, "auditor": auditor}
    cells |= {text.name: shown_text(text.text, LONGEST_CELL) for text in item.texts}
    cells["avisos"] = "\n".join(item.warnings)
    for number, judge in enumerate(item.judges, start=1):
        cells |= _words(judge, f"juiz {number}")
    if not blind:
        cells |= {name: value for name, value in item.facts if not name.startswith(JURY)}
        cells |= _scores(instance)
        for number, judge in enumerate(item.judges, start=1):
            cells |= _values(judge, f"juiz {number}")
    return cells


def _words(judge: JudgeWords, name: str) -> dict[str, str]:
    """Return a judge's reasoning, and where what it quotes is."""
    quotes = "\n".join(f"“{found.quote}”: {_place(found)}" for found in judge.quotes)
    return {
        f"{name}: raciocinio_analitico": shown_text(judge.reasoning, LONGEST_CELL),
        f"{name}: citações": shown_text(quotes, LONGEST_CELL),
    }


def _values(judge: JudgeWords, name: str) -> dict[str, str]:
    """Return who a judge is, where each value came from, its words, and whether the reasoning has them."""
    cells = {f"{name}: quem": judge.judge}
    for value in judge.values:
        if value.origin:
            cells[f"{name}: {value.scale} origem"] = value.origin
            cells[f"{name}: {value.scale} justificativa"] = value.words
            cells[f"{name}: {value.scale} no parecer"] = _place(value.found) if value.found else ""
    return cells


def _scores(instance: AuditedInstance) -> dict[str, str]:
    """Return every rater's scores, a column a rater and scale."""
    return {
        f"{rater}: {name}": SCALES[name].write(value)
        for rater, scores in instance.scores().items()
        for name, value in scores.items()
    }


def _place(found: CheckedQuote) -> str:
    """Return where a quote is, in words."""
    if found.place is None:
        return "não encontrada"
    return f"{found.where}, linha {found.place.line} ({found.place.how})"
