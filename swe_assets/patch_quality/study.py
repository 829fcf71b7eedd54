"""A pinned study: its instances in fixed order, its settings, and its own copies of the inputs.

Loading reads study.toml and instances.txt alone, since it happens whenever Dagster loads the definitions; the
inputs are read when asked for, and only if they are still what was pinned.
"""

import hashlib
import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from swe_assets.errors import StudyError
from swe_assets.home import studies_dir
from swe_assets.patch_quality.consistency_settings import Consistency
from swe_assets.patch_quality.inputs.dataset import DatasetRow
from swe_assets.patch_quality.inputs.quoting import listed
from swe_assets.patch_quality.jury_settings import check_jury
from swe_assets.patch_quality.max_cost import checked_max_cost
from swe_assets.patch_quality.study_folder import (
    DATASET_FILE,
    INSTANCES_FILE,
    NOTES_FILE,
    PREDICTIONS_FILE,
    RESULTS_FILE,
    STUDY_FILE,
    finish_update,
    holding,
)
from swe_assets.patch_quality.study_ids import check_name, is_name

KIND = "patch_quality"
FORMAT = 1
__all__ = ["DatasetRow", "Study", "instances_file", "load_study", "studies"]


@dataclass(frozen=True)
class Study:
    """One pinned study.

    `instances` are the partitions, in their fixed order; `removed` those that an update took out and whose
    records stay. `judges` are one judge or a jury, `consistency` how often its verdicts are asked for again,
    `max_cost` the most USD that a run may spend, None where nothing bounds it.
    `sonar_mode` is how the analyser sonarqube scans, None for another analyser. `sources` says
    of predictions, results and dataset where they came from, with sha256 and count; `pinned` gives the sha256
    of the study's own copies; `metadata` is the submission's own.
    """

    name: str
    path: Path
    created: str
    instances: tuple[str, ...]
    removed: frozenset[str]
    analyser: str
    sonar_mode: str | None
    judges: tuple[str, ...]
    judge_excluded: bool
    fuzz: int
    max_patch_bytes: int
    mirrors_folder: Path | None
    mirror_map: Mapping[str, str]
    consistency: Consistency
    max_cost: float | None
    sources: Mapping[str, Mapping[str, Any]]
    submission: Mapping[str, Any]
    metadata: Mapping[str, Any]
    pinned: Mapping[str, str]

    @property
    def judge(self) -> str:
        """Return the judge's name, or those of the jury with commas between, as a reader sees them."""
        return ", ".join(self.judges)

    def iter_predictions(self) -> Iterator[tuple[str, str | None]]:
        """Yield (instance_id, patch) one by one, the patch None where the prediction was null."""
        for record in self._lines(PREDICTIONS_FILE):
            yield record["instance_id"], record["model_patch"]

    def predictions(self) -> dict[str, str | None]:
        """Return the patch of each instance, None where the prediction was null."""
        return dict(self.iter_predictions())

    def dataset(self) -> dict[str, DatasetRow]:
        """Return the dataset's row of each instance, in the order of the instances."""
        rows = (DatasetRow(**record) for record in self._lines(DATASET_FILE))
        return {row.instance_id: row for row in rows}

    def resolved(self) -> frozenset[str]:
        """Return the instances whose patch passed the tests."""
        return frozenset(self.results()["resolved"])

    def results(self) -> dict[str, Any]:
        """Return the pinned outcomes: resolved, reported (named at all), groups (other lists), form, key."""
        return self._document(RESULTS_FILE)

    @property
    def notes(self) -> dict[str, Any]:
        """Return what was odd about the inputs: lists of ids by kind, and `messages` for a reader."""
        return self._document(NOTES_FILE)

    def _document(self, name: str) -> dict[str, Any]:
        """Return one pinned JSON document."""
        self._check(name)
        found: dict[str, Any] = json.loads((self.path / name).read_bytes())
        return found

    def _lines(self, name: str) -> Iterator[dict[str, Any]]:
        """Yield the records of one pinned file of JSON lines."""
        self._check(name)
        with (self.path / name).open("rb") as file:
            yield from map(json.loads, file)

    def _check(self, name: str) -> None:
        """Raise StudyError unless a pinned file is there and what was pinned."""
        try:
            with (self.path / name).open("rb") as file:
                found = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as failure:
            raise StudyError(f"{self.path / name} cannot be read: {failure.strerror}") from None
        if found != self.pinned.get(name):
            raise StudyError(
                f"{self.path / name} is not what was pinned (sha256 {found[:12]}…, pinned "
                f"{str(self.pinned.get(name))[:12]}…): if the study was updated meanwhile, start again; if "
                f"the file was edited, restore it and change inputs by `swe-assets study update {self.name}`"
            )


def instances_file(name: str) -> Path:
    """Return the path of a study's instances.txt."""
    return studies_dir() / check_name(name) / INSTANCES_FILE


def studies() -> list[str]:
    """Return the names of the pinned studies, sorted; raise StudyError where their folder cannot be read."""
    folder = studies_dir()
    try:
        found = [path for path in folder.iterdir() if is_name(path.name)] if folder.is_dir() else []
        return sorted(path.name for path in found if (path / STUDY_FILE).is_file())
    except OSError as failure:
        raise StudyError(f"the folder of studies {folder} cannot be read: {failure.strerror}") from None


def load_study(name: str) -> Study:
    """Return a pinned study, after finishing an update that was interrupted.

    Raises StudyError where there is none, or where study.toml or instances.txt is not as it was pinned.
    """
    path = studies_dir() / check_name(name)
    known = studies()
    if name not in known:
        there = f"there are {listed(known, most=10)}" if known else "there is none yet"
        raise StudyError(
            f"no study {name!r} in {studies_dir()} ({there}): pin it with `swe-assets study add {name}`"
        )
    finish_update(path)
    try:
        with holding(path, shared=True):
            pin = tomllib.loads((path / STUDY_FILE).read_text("utf-8"))
            listing = (path / INSTANCES_FILE).read_bytes()
        return _study(name, path, pin, listing)
    except (OSError, ValueError) as failure:
        raise StudyError(f"the study in {path} cannot be read: {failure}") from None
    except (KeyError, TypeError, AttributeError) as lack:
        raise StudyError(f"{path / STUDY_FILE} lacks or garbles {lack}: it is not of this version") from None


def _study(name: str, path: Path, pin: dict[str, Any], listing: bytes) -> Study:
    """Build a study from its pin and its list of instances."""
    if pin["kind"] != KIND or pin["format"] != FORMAT or pin["name"] != name:
        raise StudyError(
            f"{path / STUDY_FILE} is of kind {pin['kind']!r}, format {pin['format']!r}, name {pin['name']!r}"
            f"; wanted {KIND!r}, {FORMAT}, {name!r}"
        )
    folder = pin["mirrors"].get("folder")
    judges = tuple(map(str, pin["judges"] if "judges" in pin else [pin["judge"]]))
    check_jury(judges)
    return Study(
        name=name,
        path=path,
        created=pin["created"],
        instances=_instances(path, pin["instances"], listing),
        removed=frozenset(pin["removed"]),
        analyser=pin["analyser"],
        sonar_mode=pin.get("sonarqube", {}).get("mode"),
        judges=judges,
        judge_excluded=pin["judge_excluded"],
        fuzz=pin["fuzz"],
        max_patch_bytes=pin["max_patch_bytes"],
        mirrors_folder=Path(folder) if folder else None,
        mirror_map=pin["mirrors"]["map"],
        consistency=Consistency.of(pin.get("consistency", {})),
        max_cost=checked_max_cost(pin.get("max_cost"), f"max_cost in {path / STUDY_FILE}"),
        sources=pin["sources"],
        submission=pin.get("submission", {}),
        metadata=pin.get("metadata", {}),
        pinned=pin["pinned"],
    )


def _instances(path: Path, pinned: Mapping[str, Any], listing: bytes) -> tuple[str, ...]:
    """Return the ids of instances.txt; raise StudyError where the list or its order is not the pinned one."""
    if hashlib.sha256(listing).hexdigest() != pinned["sha256"]:
        raise StudyError(
            f"{path / INSTANCES_FILE} is not what was pinned, and partitions go by its order; restore it "
            f"(its ids are those of {DATASET_FILE}, in that order, one a line) and change instances by "
            f"`swe-assets study update {path.name}`"
        )
    return tuple(listing.decode("utf-8").splitlines())
