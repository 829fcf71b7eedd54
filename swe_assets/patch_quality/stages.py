"""The study's stages in order of flow."""

from collections.abc import Iterable
from dataclasses import replace

from swe_assets.patch_quality import (
    arquivos_reconstruidos,
    evaluation_payload,
    evaluation_results,
    mapeamento_commits,
    matriz_consolidada,
    metricas_completas,
    metricas_estruturais_extraidas,
    patches,
    projetos_sonar,
    resultados_testes,
)
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.stage_asset import StageFace
from swe_assets.storage.stage import Stage

ROOMS = (
    patches,
    mapeamento_commits,
    arquivos_reconstruidos,
    projetos_sonar,
    metricas_completas,
    resultados_testes,
    evaluation_payload,
    evaluation_results,
    metricas_estruturais_extraidas,
    matriz_consolidada,
)
STAGE_NAMES: tuple[str, ...] = tuple(room.STAGE.name for room in ROOMS)


def stages(*, judge_excluded: bool) -> list[tuple[Stage[PatchBench], StageFace]]:
    """Return each stage with its face; without judge_excluded only measured patches go to the judge.

    An exclusion is handed on by the edges of the graph, so the payload then also hangs on the
    reconstruction.
    """
    found = []
    for room in ROOMS:
        stage = room.STAGE
        if stage.name == "evaluation_payload" and not judge_excluded:
            stage = replace(stage, upstream=(*stage.upstream, "arquivos_reconstruidos"))
        found.append((stage, room.FACE))
    return found


def depths(listed: Iterable[Stage[PatchBench]]) -> dict[str, int]:
    """Return how many stages lie above each stage on the longest way; the stages come in order of flow."""
    found: dict[str, int] = {}
    for stage in listed:
        found[stage.name] = 1 + max((found[name] for name in stage.upstream), default=-1)
    return found
