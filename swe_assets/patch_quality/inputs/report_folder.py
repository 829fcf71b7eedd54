"""The harness's folder of outcomes: one report.json for each instance, in a folder of its name."""

import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from swe_assets.errors import ResultsError
from swe_assets.patch_quality.inputs.json_records import JsonObject, read_json
from swe_assets.patch_quality.inputs.limits import Limits
from swe_assets.patch_quality.inputs.outcomes import Outcomes, from_records
from swe_assets.patch_quality.inputs.quoting import listed, quoted
from swe_assets.patch_quality.inputs.sources import Source, local_source

REPORT = "report.json"
FORM = "folder of report.json"


def read_report_folder(folder: Path, limits: Limits) -> tuple[Outcomes, str, int]:
    """Return the outcomes of every `ID/report.json` below a folder, a sha256 and the bytes of them all.

    Links are not followed. Raises ResultsError where there is none, where a report is not
    `{ID: {"resolved": true or false, …}}` under its folder's name, where two runs disagree, and where all
    together pass the limit.
    """
    digests, total, records = [], 0, []
    for path in _reports(folder):
        source = local_source(str(path), limits)
        total += source.size
        if total > limits.input_bytes:
            raise ResultsError(f"{folder}: the reports together have more than {limits.input_bytes:,} bytes")
        digests.append((source.sha256, path.relative_to(folder)))
        records.append((_record(source, path), str(path)))
    if not records:
        raise ResultsError(
            f"{folder}: there is no {REPORT} in it; give the results file or the folder of reports"
        )
    return from_records(records, FORM), folder_sha256(digests), total


def folder_sha256(files: list[tuple[str, Path]]) -> str:
    """Return the sha256 of the sorted lines "sha256  relative path" of a folder's files."""
    lines = sorted(f"{digest}  {path}\n" for digest, path in files)
    return hashlib.sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


def _reports(folder: Path) -> Iterator[Path]:
    """Yield the regular files called report.json below a folder, in a fixed order, following no link."""
    for parent, folders, files in os.walk(folder, onerror=_refuse):
        folders.sort()
        path = Path(parent, REPORT)
        if REPORT in files and stat.S_ISREG(path.lstat().st_mode):
            yield path


def _refuse(failure: OSError) -> None:
    """Raise the error for a folder that cannot be listed."""
    raise ResultsError(f"{failure.filename} cannot be read: {failure.strerror}")


def _record(source: Source, path: Path) -> JsonObject:
    """Return {instance_id, resolved} from one report, or raise ResultsError."""
    value = read_json(source)
    if not (isinstance(value, JsonObject) and len(value) == 1):
        found = listed(value) if isinstance(value, dict) else quoted(value)
        raise ResultsError(f"{path}: a report is one object under the instance's id, not {found}")
    instance_id, inner = next(iter(value.items()))
    if instance_id != path.parent.name:
        raise ResultsError(
            f"{path}: the report is of {quoted(instance_id)}, the folder of {path.parent.name!r}"
        )
    if not isinstance(inner, JsonObject) or "resolved" not in inner:
        raise ResultsError(f"{path}: the report says nothing under 'resolved'")
    return JsonObject(instance_id=instance_id, resolved=inner["resolved"])
