"""The unpartitioned assets: amostra and the reports made from it."""

import base64
from collections.abc import Mapping
from pathlib import Path
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
    return [summary_asset(study, summary, face, _show) for summary, face in ROOMS]


def _show(bench: PatchBench, payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return the short values of a summary, its Markdown texts as Markdown, and its figures as images."""
    shown: dict[str, Any] = {}
    for name, value in payload.items():
        if name.endswith("_md"):
            shown[name.removesuffix("_md")] = dg.MetadataValue.md(value)
        elif name.endswith("_png"):
            shown[name.removesuffix("_png")] = dg.MetadataValue.md(_image(bench.results / value))
        elif isinstance(value, str | int | float | bool):
            shown[name] = value
        elif isinstance(value, dict):
            shown[name] = dg.MetadataValue.json(value)
    return shown


def _image(path: Path) -> str:
    """Return a PNG as Markdown that holds the picture itself, so that the UI shows it."""
    return f"![{path.stem}](data:image/png;base64,{base64.b64encode(path.read_bytes()).decode()})"
