"""arquivos_reconstruidos: each patched file at its base commit and after the patch, from blobs alone."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.stage_asset import StageFace
from swe_assets.storage.records import EXCLUDED, OK, Record
from swe_assets.storage.stage import Made, Stage, one_by_one

if TYPE_CHECKING:
    from swe_assets.repositories.reconstruction import FileChange

FACE = StageFace(
    "The outcome of applying each patch, and the files on both sides; a file the patch did not reach is "
    "never measured as patched.",
    {"git", "python"},
)


def _make(bench: PatchBench, instance_id: str) -> Made:
    from swe_assets.repositories.ladder import reconstruct

    commit = bench.store.need("mapeamento_commits", instance_id).payload
    patch = bench.store.need("patches", instance_id).payload["model_patch"]
    found = reconstruct(
        bench.repository(commit["repo"], commit["base_commit"]),
        commit["base_commit"],
        patch,
        fuzz=bench.study.fuzz,
        max_patch_bytes=bench.study.max_patch_bytes,
        parses=bench.parses,
    )
    _keep_contents(bench, found.files)
    return Made(instance_id, found.record(), EXCLUDED if found.exclusion else OK, found.exclusion)


def _keep_contents(bench: PatchBench, files: Sequence["FileChange"]) -> None:
    """Store the contents of the files that are measured, both sides."""
    for file in files:
        if file.is_python and not file.is_test:
            for content in (file.content_base, file.content_patched):
                if content is not None:
                    bench.blobs.put(content)


def _settings(bench: PatchBench) -> str:
    from swe_assets.analysers.python.structure import GRAMMAR

    study = bench.study
    return f"fuzz={study.fuzz} max_patch_bytes={study.max_patch_bytes} grammar={GRAMMAR}"


def _show(record: Record) -> dict[str, Any]:
    if "outcome" not in record.payload:
        return {}
    shown = {name: record.payload[name] for name in ("outcome", "offset_lines")}
    return {**shown, **record.payload["flags"], "files": len(record.payload["files"])}


STAGE: Stage[PatchBench] = Stage(
    "arquivos_reconstruidos",
    "1",
    one_by_one(_make),
    upstream=("mapeamento_commits", "patches"),
    settings=_settings,
    show=_show,
)
