"""auditoria_retorno: how far auditors, judges and jury agree, and the list of where they do not."""

from collections.abc import Mapping
from itertools import combinations
from typing import Any

from swe_assets.judging.audit_agreement import (
    GroupAgreement,
    ScaleAgreement,
    Scores,
    group_agreement,
    pair_agreement,
)
from swe_assets.judging.audit_disagreements import THRESHOLD, disagreements
from swe_assets.patch_quality.auditoria_devolvidas import current_only, drawn_items, returned
from swe_assets.patch_quality.auditoria_itens import FORM
from swe_assets.patch_quality.auditoria_relato import (
    agreement_markdown,
    agreement_sheet,
    disagreement_markdown,
    disagreement_sheet,
    flagged_items,
)
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.stage_asset import StageFace
from swe_assets.storage.atomic import write_bytes, write_text
from swe_assets.storage.records import digest
from swe_assets.storage.summary import Summary

FACE = StageFace(
    "Agreement of each auditor with each judge, the jury and the other auditors (weighted kappa, ordinal "
    "Krippendorff alpha with bootstrap interval, exact), and every disagreement, the largest first.",
    {"csv", "markdown"},
)
AGREEMENT = "auditoria/concordancia.csv"
AGREEMENT_PAGE = "auditoria/concordancia.md"
DISAGREEMENTS = "auditoria/discordancias.csv"
DISAGREEMENTS_PAGE = "auditoria/discordancias.md"


def _make(bench: PatchBench) -> dict[str, Any]:
    drawn = drawn_items(bench)
    kept = returned(bench)
    sheets = {name: current_only(sheet, drawn) for name, sheet in kept.items()}
    auditors = {name: {item.item_id: item.scores for item in sheet.items} for name, sheet in sheets.items()}
    judges = judge_scores(drawn)
    pairs, groups = agreements(auditors, judges)
    apart = disagreements(FORM.scales, auditors, judges, threshold=THRESHOLD)
    comments = {(n, item.item_id): item.comment for n, sheet in sheets.items() for item in sheet.items}
    passed = {item_id: int(item["passed"]) for item_id, item in drawn.items()}
    texts = agreement_markdown(pairs, groups), disagreement_markdown(apart, comments, passed, THRESHOLD)
    write_bytes(bench.results / AGREEMENT, agreement_sheet(pairs, groups))
    write_bytes(bench.results / DISAGREEMENTS, disagreement_sheet(apart, comments, passed))
    write_text(bench.results / AGREEMENT_PAGE, texts[0])
    write_text(bench.results / DISAGREEMENTS_PAGE, texts[1])
    return {
        "auditors": len(auditors),
        "drawn": len(drawn),
        "scored": {name: sum(bool(scores) for scores in own.values()) for name, own in auditors.items()},
        "left_out": {name: len(kept[name].items) - len(sheets[name].items) for name in kept},
        "disagreeing": len(apart),
        "flagged": len(flagged_items(apart)),
        "threshold": THRESHOLD,
        "agreement_md": texts[0],
        "disagreements_md": texts[1],
    }


def judge_scores(drawn: Mapping[str, Mapping[str, Any]]) -> dict[str, Scores]:
    """Return the scores by rater: the jury where there is one, then each judge."""
    raters = list(dict.fromkeys(name for item in drawn.values() for name in item["scores"]))
    return {
        name: {i: item["scores"][name] for i, item in drawn.items() if name in item["scores"]}
        for name in raters
    }


def agreements(
    auditors: Mapping[str, Scores], judges: Mapping[str, Scores]
) -> tuple[list[ScaleAgreement], list[GroupAgreement]]:
    """Return every auditor with every judge, every two auditors, and three or more auditors together."""
    couples = [(a, j) for a in auditors.items() for j in judges.items()]
    couples += list(combinations(auditors.items(), 2))
    pairs = [pair_agreement(scale, a, b) for a, b in couples for scale in FORM.scales]
    together = FORM.scales if len(auditors) > 2 else ()
    return pairs, [group_agreement(scale, auditors) for scale in together]


def _source(bench: PatchBench) -> str:
    """Return the digest of the sheets that count."""
    return digest(*(repr(sheet.record()) for sheet in returned(bench).values()))


SUMMARY: Summary[PatchBench] = Summary(
    "auditoria_retorno",
    "3",
    _make,
    summaries=("auditoria_amostra",),
    source=_source,
    files=(AGREEMENT, AGREEMENT_PAGE, DISAGREEMENTS, DISAGREEMENTS_PAGE),
)
