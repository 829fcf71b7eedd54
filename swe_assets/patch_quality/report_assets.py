"""The unpartitioned assets: amostra and the reports made from it."""

from collections.abc import Mapping
from typing import Any

import dagster as dg

from swe_assets.patch_quality import (
    acordo_juizes,
    amostra,
    auditoria_amostra,
    auditoria_retorno,
    consistencia_juiz,
    qualidade_juiz,
    relatorio,
    relatorio_correlacao,
    relatorio_logit,
)
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.stage_asset import StageFace
from swe_assets.patch_quality.summary_asset import summary_asset
from swe_assets.storage.summary import Summary

ROOMS: tuple[tuple[Summary[PatchBench], StageFace], ...] = (
    (amostra.SUMMARY, amostra.FACE),
    (acordo_juizes.SUMMARY, acordo_juizes.FACE),
    (qualidade_juiz.SUMMARY, qualidade_juiz.FACE),
    (consistencia_juiz.SUMMARY, consistencia_juiz.FACE),
    (auditoria_amostra.SUMMARY, auditoria_amostra.FACE),
    (auditoria_retorno.SUMMARY, auditoria_retorno.FACE),
    (relatorio_correlacao.SUMMARY, relatorio_correlacao.FACE),
    (relatorio_logit.SUMMARY, relatorio_logit.FACE),
    (relatorio.SUMMARY, relatorio.FACE),
)

REPORT_NAMES: tuple[str, ...] = tuple(summary.name for summary, _face in ROOMS)


def summaries() -> list[Summary[PatchBench]]:
    """Return the summaries in order of flow."""
    return [summary for summary, _face in ROOMS]


def report_assets(study: str) -> list[dg.AssetsDefinition]:
    """Return the unpartitioned assets of one study."""
    return [summary_asset(study, summary, face, shown) for summary, face in ROOMS]


def shown(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return the short values of a summary, and its Markdown texts, figures among them, as Markdown.

    Raises ValueError where two of them would be shown under one key.
    """
    found: dict[str, Any] = {}
    for name, value in payload.items():
        if name.removesuffix("_md") in found:
            raise ValueError(
                f"summary shows {name.removesuffix('_md')!r} twice: rename one of {list(payload)}"
            )
        if name.endswith("_md"):
            found[name.removesuffix("_md")] = dg.MetadataValue.md(value)
        elif isinstance(value, str | int | float | bool):
            found[name] = value
        elif isinstance(value, dict):
            found[name] = dg.MetadataValue.json(value)
    return found
