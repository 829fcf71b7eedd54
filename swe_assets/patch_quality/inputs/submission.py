"""A whole leaderboard submission as one argument: a folder or URL that holds its files by known names.

The layout is that of the public experiments repository, `evaluation/<split>/<name>/` with all_preds.jsonl,
metadata.yaml and results/results.json (https://github.com/SWE-bench/experiments). What it may be called
elsewhere stands in the tables below.
"""

from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

from swe_assets.errors import InputError
from swe_assets.patch_quality.inputs.addresses import below, check_url, is_url, raw_url, shown_url
from swe_assets.patch_quality.inputs.metadata import read_metadata
from swe_assets.patch_quality.inputs.quoting import Note
from swe_assets.patch_quality.inputs.sources import Sources, readable_path

PREDICTIONS = (
    "all_preds.jsonl",
    "all_preds.json",
    "preds.json",
    "preds.jsonl",
    "predictions.jsonl",
    "predictions.json",
)
RESULTS = ("results/results.json", "results.json", "outcome.json", "outcome.jsonl")
REPORTS = ("logs", "evaluation_logs")
METADATA = ("metadata.yaml", "metadata.yml")
DATASETS = {
    "verified": "SWE-bench/SWE-bench_Verified",
    "lite": "SWE-bench/SWE-bench_Lite",
    "test": "SWE-bench/SWE-bench",
}
"""Which dataset the submissions of a split are about."""


@dataclass(frozen=True)
class Submission:
    """Where a submission's parts lie (paths or URLs; None where absent), and its metadata.

    `given` and `location` are free of secrets; `dataset` is the split's, or None for an unknown split.
    """

    given: str
    location: str
    name: str
    split: str
    predictions: str | None
    results: str | None
    dataset: str | None
    metadata: dict[str, Any]
    notes: tuple[Note, ...] = ()

    def record(self) -> dict[str, Any]:
        """Return what study.toml says about the submission, its metadata apart."""
        return {"given": self.given, "location": self.location, "name": self.name, "split": self.split}


def find_submission(given: str, sources: Sources) -> Submission:
    """Return the parts of the submission in a folder or under a URL.

    The first of the known names that is there is taken, gzipped or not. Raises InputError where the folder is
    absent or has no predictions, DownloadError where a URL answers otherwise than with the file or 404.
    """
    base = raw_url(check_url(given)).rstrip("/") if is_url(given) else str(readable_path(given))
    path = (
        PurePosixPath(unquote(urlsplit(base).path)) if is_url(base) else PurePosixPath(Path(base).as_posix())
    )
    split = path.parent.name if path.parent.name in DATASETS else ""
    predictions = _first(base, PREDICTIONS, sources)
    if predictions is None:
        raise InputError(
            f"{_shown(given)} holds no predictions: looked for {', '.join(PREDICTIONS)}, also as .gz"
        )
    metadata, notes = _metadata(base, sources)
    return Submission(
        given=_shown(given),
        location=_shown(base),
        name=path.name,
        split=split,
        predictions=predictions,
        results=_first(base, RESULTS, sources) or _reports(base),
        dataset=DATASETS.get(split),
        metadata=metadata,
        notes=notes,
    )


def _shown(place: str) -> str:
    """Return a path as it is, a URL without secrets."""
    return shown_url(place) if is_url(place) else place


def _first(base: str, names: tuple[str, ...], sources: Sources) -> str | None:
    """Return the first of the named files, plain or gzipped, that lies in a folder or under a URL."""
    for name in (variant for plain in names for variant in (plain, f"{plain}.gz")):
        place = below(base, name) if is_url(base) else str(Path(base, name))
        if sources.find(place) is not None if is_url(base) else Path(place).is_file():
            return place
    return None


def _reports(base: str) -> str | None:
    """Return a folder's folder of reports, if it has one; a URL's cannot be listed."""
    if is_url(base):
        return None
    folders = (Path(base, name) for name in REPORTS)
    return next((str(folder) for folder in folders if any(folder.glob("**/report.json"))), None)


def _metadata(base: str, sources: Sources) -> tuple[dict[str, Any], tuple[Note, ...]]:
    """Return a submission's metadata, or none and a note where it cannot be used: it is only shown."""
    place = _first(base, METADATA, sources)
    if place is None:
        return {}, ()
    try:
        return read_metadata(sources.open(place)), ()
    except InputError as wrong:
        return {}, (Note("metadata_not_read", f"the submission's metadata was left out: {wrong}"),)
