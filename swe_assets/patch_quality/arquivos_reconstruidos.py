"""arquivos_reconstruidos: each patched file at its base commit and after the patch, from blobs alone."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from swe_assets.analysers.projects import SIDES
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.stage_asset import StageFace
from swe_assets.repositories.packages import package_files
from swe_assets.storage.records import EXCLUDED, OK, Record
from swe_assets.storage.stage import Made, Stage, one_by_one

if TYPE_CHECKING:
    from swe_assets.repositories.objects import OpenRepository
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
    repository = bench.repository(commit["repo"], commit["base_commit"])
    found = reconstruct(
        repository,
        commit["base_commit"],
        patch,
        fuzz=bench.study.fuzz,
        max_patch_bytes=bench.study.max_patch_bytes,
        parses=bench.parses,
    )
    _keep_contents(bench, found.files)
    record = found.record()
    if bench.analyser.needs_context and not found.exclusion:
        root = repository.root(commit["base_commit"])
        record["packages"] = _kept_packages(bench, repository, root, found.files)
    return Made(instance_id, record, EXCLUDED if found.exclusion else OK, found.exclusion)


def _kept_packages(
    bench: PatchBench, repository: "OpenRepository", root: str, files: Sequence["FileChange"]
) -> dict[str, dict[str, str]]:
    """Store the chain of `__init__.py` above the measured files; return blob ids by side and path."""
    chains = {side: package_files(repository, root, files, side) for side in SIDES}
    return {
        side: {path: bench.blobs.put(content) for path, content in chain.items()}
        for side, chain in chains.items()
    }


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
    packages = " packages" if bench.analyser.needs_context else ""
    return f"fuzz={study.fuzz} max_patch_bytes={study.max_patch_bytes} grammar={GRAMMAR}{packages}"


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
