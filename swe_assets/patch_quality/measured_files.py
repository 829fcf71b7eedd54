"""The files of an instance that are measured, as rows in records and as projects with their contents."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from swe_assets.analysers.projects import SIDES, Project
from swe_assets.analysers.protocol import SourceFile
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.repositories.paths_of_tests import is_test_path

Row = Mapping[str, Any]


def file_rows(rebuilt: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return side, path and blob of each file to measure, from a record of arquivos_reconstruidos.

    A file enters on each side where it is Python and no test: one that a patch moves out of the tests, or
    renames to Python, has no base.
    """
    return [
        {"side": side, "path": row[f"path_{side}"], "blob": row[f"blob_{side}"]}
        for row in rebuilt["files"]
        if row["is_python"] and not row["is_test"]
        for side in SIDES
        if row[f"blob_{side}"] is not None and _enters(row[f"path_{side}"])
    ]


def _enters(path: str) -> bool:
    return path.endswith(".py") and not is_test_path(path)


def loading(
    bench: PatchBench, instance_id: str, rows: Sequence[Row], packages: Mapping[str, Mapping[str, str]]
) -> Callable[[], tuple[Project, ...]]:
    """Return how to read both projects of an instance; reading raises RecordError for damaged contents."""

    def load() -> tuple[Project, ...]:
        return tuple(_project(bench, instance_id, side, rows, packages.get(side, {})) for side in SIDES)

    return load


def _project(
    bench: PatchBench, instance_id: str, side: str, rows: Sequence[Row], packages: Mapping[str, str]
) -> Project:
    measured = {row["path"]: row["blob"] for row in rows if row["side"] == side}
    context = {path: blob for path, blob in packages.items() if path not in measured}
    files, around = (
        tuple(SourceFile(path, bench.blobs.get(blob)) for path, blob in blobs.items())
        for blobs in (measured, context)
    )
    return Project(instance_id, side, files, around)
