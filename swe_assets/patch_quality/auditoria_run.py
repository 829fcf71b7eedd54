"""What `swe-assets audit` does: each step makes its assets in a run of Dagster's, as the UI would."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import dagster as dg

from swe_assets.errors import StudyError
from swe_assets.patch_quality import auditoria_amostra, auditoria_retorno
from swe_assets.patch_quality.auditoria_devolvidas import take_return
from swe_assets.patch_quality.auditoria_itens import audited_ids
from swe_assets.patch_quality.auditoria_sorteio import read_draw, write_draw
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.run import run_lock
from swe_assets.patch_quality.stage_run import crashes, run_named
from swe_assets.storage.summary import ALL


def draw_audit(instance: dg.DagsterInstance, name: str, said: Mapping[str, Any]) -> dict[str, Any]:
    """Draw a study's sample anew with the settings that were said, the others as before; return what came.

    Raises InputError for unusable settings, StudyError where nothing has been judged yet, a run is under way
    or an asset could not be made.
    """
    bench = PatchBench.open(name)
    with run_lock(bench):
        if not audited_ids(bench):
            raise StudyError(f"no instance of {name!r} has a current verdict: swe-assets run {name}")
        write_draw(bench.study.path, replace(read_draw(bench.study.path), **said))
        found = _made(instance, bench, ["auditoria_amostra", "auditoria_retorno"])["auditoria_amostra"]
    shown = {key: value for key, value in found.items() if key not in ("items", "sha256")}
    ids = [item["item_id"] for item in found["items"]]
    files = {"sheet": auditoria_amostra.SHEET, "page": auditoria_amostra.PAGE}
    return {**shown, "instances": ids, **{key: str(bench.results / file) for key, file in files.items()}}


def return_audit(
    instance: dg.DagsterInstance, name: str, path: Path, *, auditor: str | None, partial: bool
) -> dict[str, Any]:
    """Take a returned sheet and compare all that came back; return the counts and where the lists are.

    Raises AuditError for a sheet that is not taken, StudyError where a run is under way or the asset could
    not be made.
    """
    bench = PatchBench.open(name)
    with run_lock(bench):
        sheet = take_return(bench, path, auditor=auditor, partial=partial)
        found = _made(instance, bench, ["auditoria_retorno"])["auditoria_retorno"]
    shown = {key: value for key, value in found.items() if not key.endswith("_md")}
    return {
        "auditor": sheet.auditor,
        "taken": len(sheet.items),
        "missing": list(sheet.missing),
        "unscored": list(sheet.unscored),
        "notes": list(sheet.notes),
        **shown,
        "files": [str(bench.results / file) for file in auditoria_retorno.SUMMARY.files],
    }


def _made(instance: dg.DagsterInstance, bench: PatchBench, names: list[str]) -> dict[str, Mapping[str, Any]]:
    """Make assets in one run and return their payloads; StudyError where one could not be made."""
    ended = crashes(run_named(instance, bench.study, bench.instances, names, {}, {}))
    if ended:
        raise StudyError("; ".join(ended))
    return {name: bench.store.need(name, ALL).payload for name in names}
