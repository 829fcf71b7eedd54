"""The evidence as files beside the report, and read back from them: what `verify` recomputes from."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from swe_assets.errors import ReportError
from swe_assets.patch_quality.analysis.evidence import Evidence, Settings
from swe_assets.patch_quality.analysis.evidence_tables import (
    instances_csv,
    judgements_csv,
    read_instances,
    read_judgements,
)
from swe_assets.patch_quality.analysis.instance_table import VALUES
from swe_assets.patch_quality.analysis.labels import Labels
from swe_assets.patch_quality.analysis.matrix import read_matrix
from swe_assets.reporting.tables import from_json, to_json
from swe_assets.storage.atomic import write_bytes
from swe_assets.storage.regular_files import read_regular

ENTRIES = "relatorio_entradas.json"
MATRIX = "matriz_analisada.csv"
INSTANCES = "instancias.csv"
JUDGEMENTS = "juizes.csv"
TEXTS = "textos.json"
ABOUT_JUDGES = ("acordo_juizes", "qualidade_juiz", "consistencia_juiz")
"""The assets whose tables a study's report takes over, from NAME.json."""
FORMAT = 1


def write_evidence(out: Path, evidence: Evidence, matrix: bytes, *, matrix_name: str = MATRIX) -> list[Path]:
    """Write all that the evidence holds into a folder (made if absent) and return the files' paths.

    ``matrix`` are the bytes of the matrix' CSV as the user gave it. Raises StoreError where the folder
    cannot be written.
    """
    contents = {matrix_name: matrix}
    if evidence.lines:
        marks = evidence.marks_of("judge", *VALUES)
        contents[INSTANCES] = instances_csv(evidence.lines, marks)
    if evidence.judgements:
        contents[JUDGEMENTS] = judgements_csv(evidence.judgements)
    if evidence.texts:
        contents[TEXTS] = _json(evidence.texts)
    for name, analysis in evidence.about_judges.items():
        contents[f"{name}.json"] = to_json(analysis).encode("utf-8", "backslashreplace")
    record = {
        "format": FORMAT,
        "title": evidence.title,
        "matrix": matrix_name,
        "files": {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()},
        "labels": asdict(evidence.matrix.labels),
        "marks": sorted(evidence.marks),
        "stages": list(evidence.stages),
        "settings": asdict(evidence.settings),
        "provenance": dict(evidence.provenance),
    }
    contents[ENTRIES] = _json(record)
    for name, content in contents.items():
        write_bytes(out / name, content)
    return [out / name for name in contents]


def read_evidence(folder: Path) -> tuple[Evidence, list[str]]:
    """Return the evidence of a folder, and a line for each of its files that is not what was analysed.

    Raises ReportError where the entries or a file they name is missing or cannot be read as what it is, and
    MatrixError as ``read_matrix`` does.
    """
    record = _record(folder)
    try:
        files: Mapping[str, str] = record["files"]
        changed = [line for name, sha in files.items() if (line := _changed(folder, name, sha))]
        evidence = Evidence(
            title=str(record["title"]),
            matrix=read_matrix(_inside(folder, record["matrix"])).labelled(Labels(**record["labels"])),
            lines=_if_there(files, folder, INSTANCES, read_instances, ()),
            judgements=_if_there(files, folder, JUDGEMENTS, read_judgements, ()),
            stages=tuple(record["stages"]),
            texts=_if_there(files, folder, TEXTS, _read_json, {}),
            marks=frozenset(record["marks"]),
            provenance=record["provenance"],
            settings=Settings(**record["settings"]),
            about_judges={
                name: from_json(_bytes(folder / f"{name}.json").decode("utf-8"))
                for name in ABOUT_JUDGES
                if f"{name}.json" in files
            },
        )
    except (KeyError, TypeError, AttributeError, ValueError) as wrong:
        raise ReportError(f"{folder / ENTRIES}: lacks or garbles {wrong}; make the report again") from wrong
    return evidence, changed


def matrix_file(folder: Path) -> str:
    """Return the name of the folder's file that holds the matrix."""
    return _inside(folder, _record(folder)["matrix"]).name


def file_sha256s(folder: Path) -> dict[str, str]:
    """Return the sha256 of each input by file name, as the folder's entries have them, and their own."""
    own = hashlib.sha256(_bytes(folder / ENTRIES)).hexdigest()
    return {**_record(folder)["files"], ENTRIES: own}


def sha256s_of_files(folder: Path) -> dict[str, str]:
    """Return the sha256 of each input by file name, as the files are now."""
    names = (*_record(folder)["files"], ENTRIES)
    return {name: hashlib.sha256(_bytes(_inside(folder, name))).hexdigest() for name in names}


def _record(folder: Path) -> dict[str, Any]:
    record = _read_json(folder / ENTRIES)
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise ReportError(f"{str(folder / ENTRIES)!r} is not of format {FORMAT}; make the report again")
    return record


def _inside(folder: Path, name: Any) -> Path:
    """Return a file of the folder; an entry that names any other place is refused."""
    if not isinstance(name, str) or Path(name).name != name:
        raise ReportError(f"{ENTRIES} names {name!r}, which is no file of the folder; make the report again")
    return folder / name


def _changed(folder: Path, name: str, sha256: str) -> str:
    """Return how a file differs from the one analysed, or an empty text."""
    found = hashlib.sha256(_bytes(_inside(folder, name))).hexdigest()
    return "" if found == sha256 else f"input {name!r}: sha256 {found[:12]}…, analysed was {sha256[:12]}…"


def _if_there(
    files: Mapping[str, str], folder: Path, name: str, read: Callable[[Path], Any], default: Any
) -> Any:
    return read(folder / name) if name in files else default


def _bytes(path: Path) -> bytes:
    try:
        return read_regular(path)
    except OSError as wrong:
        reason = wrong.strerror or wrong
        raise ReportError(
            f"cannot read {str(path)!r}: {reason}; name a folder that holds a report"
        ) from wrong


def _read_json(path: Path) -> Any:
    try:
        return json.loads(_bytes(path).decode("utf-8"))
    except ValueError as wrong:
        raise ReportError(f"{str(path)!r} is not JSON ({wrong}); make the report again") from wrong


def _json(record: Mapping[str, Any]) -> bytes:
    text = json.dumps(record, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    return text.encode("utf-8", "backslashreplace")
