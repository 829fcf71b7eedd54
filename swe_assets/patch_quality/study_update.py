"""Changing a pinned study: what would be added, removed and changed is known before anything is written."""

import hashlib
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from swe_assets.errors import StudyError
from swe_assets.patch_quality.inputs.limits import Limits, limits_from
from swe_assets.patch_quality.inputs.predictions import patch_digest
from swe_assets.patch_quality.inputs.sources import Sources
from swe_assets.patch_quality.study import Study, load_study
from swe_assets.patch_quality.study_add import SCRATCH
from swe_assets.patch_quality.study_folder import (
    STUDY_FILE,
    built_beside,
    finish_update,
    no_run,
    publish_update,
)
from swe_assets.patch_quality.study_pin import Pin, pin_inputs, write_pin, write_study
from swe_assets.patch_quality.study_settings import INPUTS, StudyInputs, StudySettings, check_settings


@dataclass(frozen=True)
class Change:
    """What an update would do: ids by what happens to them, and settings and sources as (before, after).

    `returned` are among the added: ids that an earlier update removed. A patch, an outcome or a dataset row
    counts as changed where the instance was pinned before and still is.
    """

    added: tuple[str, ...] = ()
    returned: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    patch_changed: tuple[str, ...] = ()
    outcome_changed: tuple[str, ...] = ()
    dataset_changed: tuple[str, ...] = ()
    settings: Mapping[str, tuple[Any, Any]] | None = None
    sources: Mapping[str, tuple[str, str]] | None = None
    inputs_read: bool = True

    @property
    def is_empty(self) -> bool:
        """Tell whether nothing at all would change."""
        ids = (self.added, self.removed, self.patch_changed, self.outcome_changed, self.dataset_changed)
        return not any(ids) and not self.settings and not self.sources

    def record(self) -> dict[str, Any]:
        """Return the change as plain JSON."""
        names = ("added", "returned", "removed", "patch_changed", "outcome_changed", "dataset_changed")
        return {
            **{name: list(getattr(self, name)) for name in names},
            "settings": {name: list(pair) for name, pair in (self.settings or {}).items()},
            "sources": {name: list(pair) for name, pair in (self.sources or {}).items()},
            "inputs_read": self.inputs_read,
        }


@dataclass(frozen=True)
class PlannedUpdate:
    """An update that is ready: what it changes, and the built files that `write` puts in place."""

    study: Study
    change: Change
    folder: Path
    stamp: str

    def write(self) -> Study:
        """Put the update in place and return the study; raise StudyError during a run or another update."""
        with no_run(self.study.path):
            finish_update(self.study.path)
            if _stamp(self.study) != self.stamp:
                raise StudyError(
                    f"the study {self.study.name!r} was changed meanwhile: start the update again"
                )
            publish_update(self.folder, self.study.path)
        return load_study(self.study.name)


@contextmanager
def planned_update(
    name: str, inputs: StudyInputs, settings: StudySettings | None = None, *, limits: Limits | None = None
) -> Iterator[PlannedUpdate]:
    """Build an update of a study and give it, to be looked at and written inside the block.

    The inputs are read again from where they came from, except those said anew; where only settings are
    given the pinned copies stay. New ids are appended in the dataset's order, removed ones leave the list
    and are remembered. Raises as `add_study` does.
    """
    study = load_study(name)
    stamp = _stamp(study)
    new_settings = check_settings(settings or settings_of(study), study.path)
    settings_only = settings is not None and not inputs.said
    with built_beside(study.path, "update") as folder:
        change = Change(settings=_differing(settings_of(study).record(), new_settings.record()))
        if settings_only:
            change = replace(change, inputs_read=False)
            _rewrite(folder, study, new_settings)
        else:
            sources = Sources(folder / SCRATCH, limits or limits_from())
            pin = pin_inputs(inputs_again(study, inputs), sources, folder)
            change = _compared(study, pin, change)
            _write(folder, study, pin, change, new_settings)
            shutil.rmtree(sources.scratch, ignore_errors=True)
        yield PlannedUpdate(study, change, folder, stamp)


def settings_of(study: Study) -> StudySettings:
    """Return the settings that a study is pinned with."""
    return StudySettings(
        analyser=study.analyser,
        sonar_mode=study.sonar_mode,
        judges=study.judges,
        judge_excluded=study.judge_excluded,
        fuzz=study.fuzz,
        max_patch_bytes=study.max_patch_bytes,
        mirrors_folder=study.mirrors_folder,
        mirror_map=dict(study.mirror_map),
        consistency=study.consistency,
        max_cost=study.max_cost,
    )


def inputs_again(study: Study, said: StudyInputs) -> StudyInputs:
    """Return where to read each input: as said now, else where it came from when the study was pinned.

    A submission said now stands for all inputs that are not said with it.
    """
    kept: dict[str, str | None] = dict.fromkeys(INPUTS)
    if said.submission is None:
        recorded = study.sources
        kept = {n: None if recorded[n]["from_submission"] else str(recorded[n]["location"]) for n in INPUTS}
    elif not study.sources["dataset"]["from_submission"]:
        kept["dataset"] = str(study.sources["dataset"]["location"])
    key = study.sources["results"].get("key") if said.results is None and said.submission is None else None
    return StudyInputs(
        submission=said.submission or study.submission.get("location"),
        predictions=said.predictions or kept["predictions"],
        results=said.results or kept["results"],
        dataset=said.dataset or kept["dataset"],
        results_key=said.results_key if said.results_key is not None else key,
        split=said.split or study.sources["dataset"].get("split"),
    )


def _compared(study: Study, pin: Pin, change: Change) -> Change:
    """Return what a new pin changes in a study."""
    before, now = set(study.instances), set(pin.ids)
    both = [instance_id for instance_id in study.instances if instance_id in now]
    patches = {instance_id: patch_digest(patch) for instance_id, patch in study.iter_predictions()}
    rows, resolved = study.dataset(), study.resolved()
    added = tuple(instance_id for instance_id in pin.ids if instance_id not in before)
    return replace(
        change,
        added=added,
        returned=tuple(instance_id for instance_id in added if instance_id in study.removed),
        removed=tuple(instance_id for instance_id in study.instances if instance_id not in now),
        patch_changed=tuple(i for i in both if patches[i] != pin.digests[i]),
        outcome_changed=tuple(i for i in both if (i in resolved) != (i in pin.resolved)),
        dataset_changed=tuple(i for i in both if rows[i] != pin.rows[i]),
        sources=_differing(_identities(study.sources), _identities(pin.sources)),
    )


def _identities(sources: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Return what tells one state of each source from another: place, sha256 or revision, key."""
    keys = ("location", "sha256", "revision", "key")
    return {
        name: " ".join(str(record[key]) for key in keys if record.get(key))
        for name, record in sources.items()
    }


def _differing(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """Return (before, after) of the keys whose values differ, None where a key is not there."""
    keys = dict.fromkeys([*after, *before])
    return {key: (before.get(key), after.get(key)) for key in keys if before.get(key) != after.get(key)}


def _write(folder: Path, study: Study, pin: Pin, change: Change, settings: StudySettings) -> None:
    """Write the next state of a study whose inputs were read again."""
    gone = set(change.removed)
    instances = tuple(i for i in study.instances if i not in gone) + change.added
    removed = sorted((study.removed | gone) - set(instances))
    write_study(
        folder,
        study.name,
        instances,
        settings,
        pinned=write_pin(folder, pin, instances),
        sources=pin.sources,
        submission=pin.submission,
        metadata=pin.metadata,
        removed=removed,
        created=study.created,
    )


def _rewrite(folder: Path, study: Study, settings: StudySettings) -> None:
    """Write the next state of a study whose settings alone change."""
    write_study(
        folder,
        study.name,
        study.instances,
        settings,
        pinned=study.pinned,
        sources=study.sources,
        submission=study.submission,
        metadata=study.metadata,
        removed=sorted(study.removed),
        created=study.created,
    )


def _stamp(study: Study) -> str:
    """Return what tells one state of a study's pin from another."""
    return hashlib.sha256((study.path / STUDY_FILE).read_bytes()).hexdigest()
