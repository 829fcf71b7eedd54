"""Dagster's instance as our command line opens it: the same records as the UI's."""

import os
import socket
from pathlib import Path

import dagster as dg
from dagster._core.instance.config import is_dagster_home_set
from dagster._core.instance.ref import InstanceRef
from dagster._core.storage.dagster_run import RunsFilter
from sqlalchemy.exc import SQLAlchemyError

from swe_assets.errors import ConfigurationError
from swe_assets.home import CHECKOUT, dagster_home, home
from swe_assets.storage.place import RecordsPlace

PROCESS_TAG = "swe_assets/process"

_QUIET_LOGS = {
    "compute_logs": {
        "module": "dagster._core.storage.noop_compute_log_manager",
        "class": "NoOpComputeLogManager",
    }
}


def config_folder(folder: Path) -> Path:
    """Return the folder whose dagster.yaml holds: Dagster's home, SWE_ASSETS_HOME or the checkout."""
    return next((f for f in (folder, home()) if (f / "dagster.yaml").is_file()), CHECKOUT)


def open_instance() -> dg.DagsterInstance:
    """Open the instance in DAGSTER_HOME, or the one under SWE_ASSETS_HOME; close it after use.

    Raises ConfigurationError where the folder cannot be used, or the Postgres that holds its records.
    """
    folder = Path(os.environ["DAGSTER_HOME"]) if is_dagster_home_set() else dagster_home()
    if not folder.is_absolute():
        raise ConfigurationError(f"DAGSTER_HOME is {str(folder)!r}: give an absolute path, or unset it")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        reference = InstanceRef.from_dir(
            str(folder), config_dir=str(config_folder(folder)), overrides=dict(_QUIET_LOGS)
        )
        instance = dg.DagsterInstance.from_ref(reference)
    except (OSError, SQLAlchemyError, dg.DagsterError) as wrong:
        raise ConfigurationError(
            f"cannot open Dagster's records in {str(folder)!r}: {wrong}; "
            "make the folder writable or set SWE_ASSETS_HOME to one that is"
        ) from wrong
    place = place_of(instance)
    if place is not None:
        from swe_assets.storage.postgres_check import require_schema

        require_schema(instance, place)
    return instance


def place_of(instance: dg.DagsterInstance) -> RecordsPlace | None:
    """Return the Postgres that holds this instance's records, None where they are elsewhere."""
    place: RecordsPlace | None = getattr(instance.event_log_storage, "place", None)
    return place


def process_mark() -> str:
    """Return the tag that names this process: host, pid and start time in clock ticks."""
    return f"{socket.gethostname()}:{os.getpid()}:{_start_ticks(os.getpid())}"


def _start_ticks(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""


def _is_alive(mark: str) -> bool:
    host, _, rest = mark.partition(":")
    pid, _, ticks = rest.partition(":")
    if host != socket.gethostname() or not pid.isdigit():
        return True
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return _start_ticks(int(pid)) == ticks


def close_killed_runs(instance: dg.DagsterInstance) -> list[str]:
    """Mark runs of killed command-line processes as failed, so that no run seems to go on for ever."""
    unfinished = instance.get_runs(
        RunsFilter(statuses=[dg.DagsterRunStatus.STARTED, dg.DagsterRunStatus.NOT_STARTED])
    )
    closed = []
    for run in unfinished:
        mark = run.tags.get(PROCESS_TAG)
        repeated = run.parent_run_id is not None  # its tags are its parent's
        if mark is not None and not repeated and not _is_alive(mark):
            instance.report_run_failed(
                run, "the process was killed; what it stored stays, run again to go on"
            )
            closed.append(run.run_id)
    return closed
