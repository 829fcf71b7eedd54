"""Folders that appear whole or not at all: a new study's, and the next state of one that is there.

A new study is built in a hidden sibling and renamed. An update cannot replace the folder, which also holds
records, so its files are built in a hidden folder inside, renamed to `.update` (from then on it counts), and
moved into place one by one; whoever opens the study next finishes what a killed process began.
"""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from swe_assets.errors import StudyError
from swe_assets.storage.atomic import sync_path
from swe_assets.storage.locks import locked

STUDY_FILE = "study.toml"
INSTANCES_FILE = "instances.txt"
PREDICTIONS_FILE = "inputs/predictions.jsonl"
DATASET_FILE = "inputs/dataset.jsonl"
RESULTS_FILE = "inputs/results.json"
NOTES_FILE = "inputs/notes.json"
PINNED_FILES = (PREDICTIONS_FILE, DATASET_FILE, RESULTS_FILE, NOTES_FILE)
_UPDATE = ".update"


@contextmanager
def built_beside(parent: Path, name: str) -> Iterator[Path]:
    """Give a fresh hidden folder `.NAME.building-…` in `parent`; it is gone afterwards unless it was renamed.

    What a killed process left of the same kind is removed first. A failure of the file system inside the
    block is raised as StudyError.
    """
    prefix = f".{name}.building-"
    lock = -1
    folder: Path | None = None
    try:
        parent.mkdir(parents=True, exist_ok=True)
        with holding(parent):
            _remove_leftovers(parent, prefix)
            folder = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
            lock = _locked(folder, fcntl.LOCK_EX)
        folder.chmod(0o755)
        yield folder
    except OSError as failure:
        raise unwritable(parent, failure) from failure
    finally:
        if lock >= 0:
            os.close(lock)
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)


def publish(folder: Path, target: Path) -> None:
    """Write a built folder to the disk and rename it; raise StudyError where the target is there already."""
    for path in [*folder.rglob("*"), folder]:
        sync_path(path)
    if target.exists():
        raise StudyError(f"{target} exists already")
    folder.rename(target)
    sync_path(target.parent)


def publish_update(folder: Path, study: Path) -> None:
    """Make a built folder a study's next state; from its rename on the update counts."""
    publish(folder, study / _UPDATE)
    finish_update(study)


def finish_update(study: Path) -> None:
    """Move the files of an update that counts into place; nothing where there is none."""
    if not (study / _UPDATE).is_dir():
        return
    try:
        with holding(study):
            _move_into_place(study)
    except OSError as failure:
        raise StudyError(
            f"an update of {study} was interrupted and cannot be finished ({failure.strerror}); make "
            "the folder writable and try again"
        ) from failure


@contextmanager
def holding(study: Path, *, shared: bool = False) -> Iterator[None]:
    """Hold a study's folder against an update that moves its files; shared, for readers."""
    lock = _locked(study, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)
    try:
        yield
    finally:
        os.close(lock)


@contextmanager
def no_run(study: Path) -> Iterator[None]:
    """Hold a study against `swe-assets run`; raise StudyError while one is under way."""
    busy = StudyError(f"{study.name!r} is being run or updated: wait for that, or interrupt it")
    with run_turn(study, busy):
        yield


@contextmanager
def run_turn(study: Path, busy: StudyError) -> Iterator[None]:
    """Hold the one turn that runs and updates of a study share; raise busy while another holds it."""
    with ExitStack() as held:
        try:
            held.enter_context(locked(study / ".run.lock", wait=False))
        except BlockingIOError:
            raise busy from None
        yield


def unwritable(folder: Path, failure: OSError) -> StudyError:
    """Return the error for a folder that could not be written, and the way out."""
    return StudyError(
        f"cannot write in {str(folder)!r}: {failure.strerror or failure}; nothing was changed. Free space, "
        "make it writable, or set SWE_ASSETS_HOME to another folder"
    )


def _move_into_place(study: Path) -> None:
    """Move an update's files over the study's, study.toml last, and remove its folder."""
    update = study / _UPDATE
    for name in (*PINNED_FILES, INSTANCES_FILE, STUDY_FILE):
        if (update / name).exists():
            (study / name).parent.mkdir(exist_ok=True)
            (update / name).replace(study / name)
    sync_path(study / "inputs")
    sync_path(study)
    shutil.rmtree(update, ignore_errors=True)


def _remove_leftovers(parent: Path, prefix: str) -> None:
    """Remove folders whose builder is gone: a living one holds its folder's lock."""
    for path in parent.glob(f"{prefix}*"):
        try:
            lock = _locked(path, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            continue
        os.close(lock)
        shutil.rmtree(path, ignore_errors=True)


def _locked(folder: Path, kind: int) -> int:
    """Return a descriptor that holds a folder's lock until it is closed."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(handle, kind)
    except OSError:
        os.close(handle)
        raise
    return handle
