"""Pinning: the inputs read once, compared with each other, and written as a study's own copies."""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from swe_assets.errors import StudyError
from swe_assets.patch_quality.inputs.dataset import DatasetRow, LoadedDataset, check_row, read_dataset
from swe_assets.patch_quality.inputs.predictions import PredictionReader
from swe_assets.patch_quality.inputs.quoting import Note, listed
from swe_assets.patch_quality.inputs.results import Results, read_results
from swe_assets.patch_quality.inputs.sources import Sources
from swe_assets.patch_quality.study import FORMAT, KIND
from swe_assets.patch_quality.study_folder import (
    DATASET_FILE,
    INSTANCES_FILE,
    NOTES_FILE,
    PINNED_FILES,
    PREDICTIONS_FILE,
    RESULTS_FILE,
    STUDY_FILE,
)
from swe_assets.patch_quality.study_ids import check_ids
from swe_assets.patch_quality.study_settings import FoundInputs, StudyInputs, StudySettings, find_inputs
from swe_assets.patch_quality.study_toml import to_toml


@dataclass(frozen=True)
class Pin:
    """The inputs as read: instances in the dataset's order, what belongs to each, and where it came from.

    `digests` tells patches apart; the patches themselves lie in the folder that was pinned into.
    """

    ids: tuple[str, ...]
    digests: Mapping[str, bytes]
    rows: Mapping[str, DatasetRow]
    results: Results
    sources: Mapping[str, Mapping[str, Any]]
    submission: Mapping[str, Any]
    metadata: Mapping[str, Any]
    notes: Mapping[str, Any]

    @cached_property
    def resolved(self) -> frozenset[str]:
        """Return the pinned instances that were resolved."""
        return frozenset(self.results.resolved) & frozenset(self.ids)


def pin_inputs(inputs: StudyInputs, sources: Sources, folder: Path) -> Pin:
    """Read all inputs, check them against each other, and write the pinned instances' patches into a folder.

    Raises InputError of the kind of the input that cannot be used, StudyError where no prediction is for an
    instance of the dataset or an instance's id cannot be a partition.
    """
    found = find_inputs(inputs, sources)
    dataset = read_dataset(found.dataset, sources, split=found.split)
    reader = PredictionReader(sources.open(found.predictions))
    _write_lines(folder / PREDICTIONS_FILE, _known_predictions(reader, dataset))
    ids = tuple(instance_id for instance_id in dataset.rows if instance_id in reader.digests)
    _check_pinned(ids, reader, dataset)
    results = read_results(found.results, sources, key=found.results_key)
    sources.check_unchanged()
    return Pin(
        ids=ids,
        digests={instance_id: reader.digests[instance_id] for instance_id in ids},
        rows={instance_id: dataset.rows[instance_id] for instance_id in ids},
        results=results,
        sources=_records(found, reader, results, dataset),
        submission=found.submission.record() if found.submission else {},
        metadata=found.submission.metadata if found.submission else {},
        notes=_notes(ids, reader, results, dataset, found),
    )


def write_pin(folder: Path, pin: Pin, instances: tuple[str, ...]) -> dict[str, str]:
    """Write the study's copies of dataset, results and notes, and instances.txt; return sha256 by file."""
    _write_lines(folder / DATASET_FILE, (pin.rows[instance_id]._asdict() for instance_id in instances))
    _write_json(folder / RESULTS_FILE, _outcomes(pin, instances))
    _write_json(folder / NOTES_FILE, pin.notes)
    return {name: _sha256(folder / name) for name in PINNED_FILES}


def write_study(
    folder: Path,
    name: str,
    instances: tuple[str, ...],
    settings: StudySettings,
    *,
    pinned: Mapping[str, str],
    sources: Mapping[str, Any],
    submission: Mapping[str, Any],
    metadata: Mapping[str, Any],
    removed: Iterable[str] = (),
    created: str = "",
) -> None:
    """Write instances.txt and study.toml, which holds the sha256 of everything beside it."""
    listing = "".join(f"{instance_id}\n" for instance_id in instances).encode()
    (folder / INSTANCES_FILE).write_bytes(listing)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    document = {
        "format": FORMAT,
        "kind": KIND,
        "name": name,
        "created": created or now,
        "pinned_at": now,
        **settings.record(),
        "removed": list(removed),
        "instances": {"count": len(instances), "sha256": hashlib.sha256(listing).hexdigest()},
        "pinned": dict(pinned),
        "sources": {key: dict(value) for key, value in sources.items()},
        "submission": dict(submission),
        "metadata": dict(metadata),
    }
    (folder / STUDY_FILE).write_text(to_toml(document), "utf-8")


def _known_predictions(reader: PredictionReader, dataset: LoadedDataset) -> Iterable[dict[str, Any]]:
    """Yield the records of the predictions for instances of the dataset."""
    for instance_id, patch in reader:
        if instance_id in dataset.rows:
            yield {"instance_id": instance_id, "model_patch": patch}


def _check_pinned(ids: tuple[str, ...], reader: PredictionReader, dataset: LoadedDataset) -> None:
    """Raise where there is nothing to pin, or an instance's id, repository or commit cannot be used."""
    if not ids:
        raise StudyError(
            f"no prediction is for an instance of the dataset: predictions are for {listed(reader.digests)}, "
            f"the dataset has {listed(dataset.rows)}"
        )
    check_ids(ids)
    for instance_id in ids:
        check_row(dataset.rows[instance_id])


def _records(
    found: FoundInputs, reader: PredictionReader, results: Results, dataset: LoadedDataset
) -> dict[str, dict[str, Any]]:
    """Return what study.toml says about each input."""
    records = {
        "predictions": reader.source.record(form=reader.form, count=reader.count),
        "results": results.record,
        "dataset": {**dataset.record, "split": found.split},
    }
    given = found.from_submission
    return {name: {**record, "from_submission": name in given} for name, record in records.items()}


def _notes(
    ids: tuple[str, ...],
    reader: PredictionReader,
    results: Results,
    dataset: LoadedDataset,
    found: FoundInputs,
) -> dict[str, Any]:
    """Return what is said about the inputs: ids by kind, and messages."""
    unknown = [instance_id for instance_id in reader.digests if instance_id not in dataset.rows]
    messages: list[Note] = [
        *(found.submission.notes if found.submission else ()),
        *reader.notes,
        *results.notes,
    ]
    listed_all = len(results.reported) > len(results.resolved)
    return {
        "duplicates": [i for note in messages if note.code == "duplicate_predictions" for i in note.ids],
        "not_in_dataset": unknown,
        "hints": _hints(unknown, dataset),
        "without_prediction": [i for i in dataset.rows if i not in reader.digests],
        "results_not_in_predictions": sorted(results.reported - reader.digests.keys()),
        "without_outcome": [i for i in ids if i not in results.reported] if listed_all else [],
        "messages": [note.record() for note in messages],
    }


def _hints(unknown: list[str], dataset: LoadedDataset) -> dict[str, str]:
    """Return the dataset's id that an unknown one resembles in its letters and digits, where there is one."""
    alike = {_bare(instance_id): instance_id for instance_id in dataset.rows} if unknown else {}
    return {instance_id: alike[_bare(instance_id)] for instance_id in unknown if _bare(instance_id) in alike}


def _bare(instance_id: str) -> str:
    """Return an id's letters and digits, in small letters."""
    return re.sub(r"[^a-z0-9]+", "", instance_id.casefold())


def _outcomes(pin: Pin, instances: tuple[str, ...]) -> dict[str, Any]:
    """Return results.json: who of the pinned was resolved and reported, and the other lists."""
    pinned, reported = set(instances), pin.results.reported
    return {
        "resolved": [instance_id for instance_id in instances if instance_id in pin.resolved],
        "reported": [instance_id for instance_id in instances if instance_id in reported],
        "groups": {name: list(ids) for name, ids in pin.results.groups.items()},
        "resolved_elsewhere": [i for i in pin.results.resolved if i not in pinned],
        "form": pin.results.form,
        "key": pin.results.key,
    }


def _write_lines(path: Path, records: Iterable[Any]) -> None:
    """Write JSON lines; ASCII, so that lone surrogates survive."""
    path.parent.mkdir(exist_ok=True)
    with path.open("w", encoding="ascii") as file:
        file.writelines(json.dumps(record) + "\n" for record in records)


def _write_json(path: Path, value: Any) -> None:
    """Write one JSON document; ASCII, so that lone surrogates survive."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(value, indent=1) + "\n", "ascii")


def _sha256(path: Path) -> str:
    """Return the sha256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
