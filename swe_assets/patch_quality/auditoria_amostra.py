"""auditoria_amostra: a seeded share of the judged instances for a person to judge, as sheet and page."""

import hashlib
from dataclasses import asdict
from typing import Any

from swe_assets.judging.audit_page import AuditPage, page_html
from swe_assets.judging.audit_sample import AuditSample, draw_sample
from swe_assets.patch_quality.auditoria_folha import audit_sheet
from swe_assets.patch_quality.auditoria_itens import (
    FORM,
    UPSTREAM,
    AuditedInstance,
    audited_ids,
    audited_instance,
    page_item,
)
from swe_assets.patch_quality.auditoria_sorteio import DrawSettings, read_draw
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.stage_asset import StageFace
from swe_assets.storage.atomic import write_bytes
from swe_assets.storage.records import digest
from swe_assets.storage.summary import Summary

FACE = StageFace(
    "A seeded sample of the judged instances for a person to judge: a sheet to fill in, and a page that "
    "shows issue, patch, reasoning and whether what is quoted is there, and saves such a sheet.",
    {"csv", "html"},
)
SHEET, PAGE = "auditoria/auditoria.csv", "auditoria/auditoria.html"


def _make(bench: PatchBench) -> dict[str, Any]:
    settings = read_draw(bench.study.path)
    population = audited_ids(bench)
    sample = drawn(bench, population, settings) if population else None
    instances = [audited_instance(bench, i) for i in sample.ids] if sample else []
    sheet = audit_sheet(instances, auditor=settings.auditor, blind=settings.blind)
    page = page_html(audit_page(bench, sample, instances, settings)).encode("utf-8", "backslashreplace")
    write_bytes(bench.results / SHEET, sheet)
    write_bytes(bench.results / PAGE, page)
    return {
        "drawn": len(instances),
        "population": len(population),
        "not_judged": len(bench.instances) - len(population),
        "share": sample.drawn_share if sample else 0.0,
        **{name: value for name, value in asdict(settings).items() if name != "share"},
        "share_asked": settings.share,
        "strata": {one.name: f"{one.drawn} of {one.population}" for one in sample.strata} if sample else {},
        "items": [stored_item(instance) for instance in instances],
        "sha256": hashlib.sha256(sheet + page).hexdigest(),
    }


def drawn(bench: PatchBench, population: list[str], settings: DrawSettings) -> AuditSample:
    """Return the sample of a study, by verdict and tests' outcome where that is asked."""
    strata = {i: audited_instance(bench, i).stratum for i in population} if settings.stratified else None
    return draw_sample(population, share=settings.share, seed=settings.seed, strata=strata)


def stored_item(instance: AuditedInstance) -> dict[str, Any]:
    """Return what the return is compared with: id, mark, every rater's stated scores, the tests' outcome."""
    mark = instance.drawn.mark
    return {
        "item_id": instance.instance_id,
        "mark": mark,
        "scores": instance.stated(),
        "passed": instance.passed,
    }


def audit_page(
    bench: PatchBench, sample: AuditSample | None, instances: list[AuditedInstance], settings: DrawSettings
) -> AuditPage:
    """Return the page of a sample, in the words of the study's reports."""
    rehearsed = any(one["judge"]["rehearsal"] for i in instances for one in i.verdict["jury"])
    banner = "ENSAIO / rehearsal: o juiz é um ensaio sem modelo; as notas dele nada dizem dos patches."
    return AuditPage(
        f"Auditoria: {bench.study.name}",
        FORM,
        tuple(page_item(instance) for instance in instances),
        _told(sample, settings),
        (banner,) if rehearsed else (),
        settings.auditor,
        settings.blind,
    )


def _told(sample: AuditSample | None, settings: DrawSettings) -> tuple[str, ...]:
    """Return what was drawn, in words."""
    if sample is None:
        return ("Nenhuma instância tem ainda veredito e extração atuais: não há o que auditar.",)
    share = f"{100 * sample.drawn_share:.1f}".removesuffix(".0").replace(".", ",")
    told = (
        f"Amostra de {len(sample.ids)} de {sample.population} instâncias julgadas ({share} %; pedido: "
        f"{settings.share}), semente {settings.seed}, na ordem do sorteio."
    )
    strata = "; ".join(f"{one.name}: {one.drawn} de {one.population}" for one in sample.strata)
    return (told, f"Estratos: {strata}.") if strata and not settings.blind else (told,)


def _source(bench: PatchBench) -> str:
    """Return the digest of which instances are judged now: one that has become stale changes no record."""
    return digest(*audited_ids(bench))


SUMMARY: Summary[PatchBench] = Summary(
    "auditoria_amostra",
    "2",
    _make,
    partitioned=UPSTREAM,
    settings=lambda bench: read_draw(bench.study.path).text(),
    source=_source,
    files=(SHEET, PAGE),
)
