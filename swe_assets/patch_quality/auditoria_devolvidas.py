"""The sheets that auditors sent back: each kept as it came, the last one of each auditor counts."""

import hashlib
import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from swe_assets.errors import AuditError, RecordError
from swe_assets.judging.audit_form import DrawnItem
from swe_assets.judging.audit_return import ReturnedSheet, checked_auditor, read_return
from swe_assets.patch_quality.auditoria_itens import FORM, SCALES
from swe_assets.patch_quality.auditoria_sorteio import AUDIT_FOLDER
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.storage.atomic import to_json_line, write_bytes, write_text
from swe_assets.storage.locks import locked
from swe_assets.storage.regular_files import read_regular
from swe_assets.storage.summary import ALL

RETURNS = "devolvidas"
JURY_NAMES = ("jury", "juri", "júri")
_KEPT = re.compile(r"(?P<slug>.+)\.(?P<number>\d+)\.json")


def drawn_items(bench: PatchBench) -> dict[str, Mapping[str, Any]]:
    """Return the drawn items as auditoria_amostra holds them, by id; RecordError where it is missing."""
    items = bench.store.need("auditoria_amostra", ALL).payload["items"]
    return {item["item_id"]: item for item in items}


def take_return(bench: PatchBench, path: Path, *, auditor: str | None, partial: bool) -> ReturnedSheet:
    """Check a returned file against what was drawn, keep it, and return what it says.

    Kept are the bytes as they came and the scores read from them; an auditor's next file gets the next
    number. Raises AuditError for a file that cannot be read or taken; nothing is kept then.
    """
    try:
        content = read_regular(path)
    except OSError as wrong:
        raise AuditError(f"cannot read the sheet {str(path)!r}: {wrong.strerror or wrong}") from None
    drawn = [DrawnItem(i, item["mark"]) for i, item in drawn_items(bench).items()]
    if not drawn:
        raise AuditError(f"nothing was drawn in {bench.study.name!r} yet: run the study, then draw")
    sheet = read_return(
        content, FORM, drawn, known=frozenset(bench.instances), auditor=auditor, partial=partial
    )
    _check_own_name(bench, sheet.auditor)
    folder = bench.study.path / AUDIT_FOLDER / RETURNS
    with locked(folder / ".lock"):
        stem = f"{slug(sheet.auditor)}.{_next_number(folder, slug(sheet.auditor))}"
        write_bytes(folder / f"{stem}.csv", content, durable=True)
        write_text(folder / f"{stem}.json", to_json_line(sheet.record()) + "\n", durable=True)
    return sheet


def _check_own_name(bench: PatchBench, auditor: str) -> None:
    """Raise AuditError for a judge's name, and for one that differs from an auditor's by capitals alone."""
    folded = auditor.casefold()
    if folded in {*JURY_NAMES, *(judge.casefold() for judge in bench.study.judges)}:
        raise AuditError(
            f"the auditor's name is {auditor!r}, which a judge has: give another by --auditor NAME"
        )
    for other in returned(bench):
        if other != auditor and other.casefold() == folded:
            raise AuditError(f"there are sheets of {other!r}: if that is you, say --auditor {other!r}")


def returned(bench: PatchBench) -> dict[str, ReturnedSheet]:
    """Return the last sheet of each auditor, by name; RecordError for a kept one that is damaged."""
    last: dict[str, tuple[int, Path]] = {}
    for path in (bench.study.path / AUDIT_FOLDER / RETURNS).glob("*.json"):
        found = _KEPT.fullmatch(path.name)
        if found:
            kept = (int(found["number"]), path)
            last[found["slug"]] = max(last.get(found["slug"], kept), kept)
    sheets = [_read(path) for _number, path in last.values()]
    return {sheet.auditor: sheet for sheet in sorted(sheets, key=lambda sheet: sheet.auditor)}


def current_only(sheet: ReturnedSheet, drawn: Mapping[str, Mapping[str, Any]]) -> ReturnedSheet:
    """Return a sheet without the rows that are not of this draw, or whose issue or patch has changed."""
    items = tuple(item for item in sheet.items if drawn.get(item.item_id, {}).get("mark") == item.mark)
    return replace(sheet, items=items)


def slug(auditor: str) -> str:
    """Return a file's name for an auditor: the name's plain letters, and a digest to tell it from others."""
    plain = unicodedata.normalize("NFKD", auditor).encode("ascii", "ignore").decode().lower()
    digest = hashlib.sha256(auditor.encode("utf-8", "surrogatepass")).hexdigest()[:6]
    return f"{re.sub(r'[^a-z0-9]+', '-', plain).strip('-')[:40] or 'auditor'}-{digest}"


def _next_number(folder: Path, name: str) -> int:
    """Return the number after the last one kept of an auditor, also where a killed writer left half."""
    numbers = [int(path.name.split(".")[-2]) for path in folder.glob(f"{name}.*.*") if path.name[0] != "."]
    return max(numbers, default=0) + 1


def _read(path: Path) -> ReturnedSheet:
    """Return one kept sheet, checked as when it came."""
    try:
        sheet = ReturnedSheet.from_record(json.loads(read_regular(path).decode("utf-8")))
        checked_auditor(sheet.auditor)
        for item in sheet.items:
            for name, score in item.scores.items():
                SCALES[name].read(f"{score:g}")
    except (OSError, ValueError, KeyError, TypeError, AttributeError, AuditError) as wrong:
        raise RecordError(
            f"the kept sheet {path} is damaged ({wrong}): delete it and return the .csv beside it again"
        ) from None
    return sheet
