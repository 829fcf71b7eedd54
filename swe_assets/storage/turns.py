"""Turns: the right to spread one study's work over workers, seen by all of them in Dagster's records.

Who runs a study writes a token there and takes it away at the end. A worker that finds another token, or
none, stops after the instance at hand: so an interruption reaches every machine, and what a killed run left
behind ends once the next run begins.
"""

import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager

import dagster as dg
from dagster._core.errors import DagsterExecutionInterruptedError
from dagster._core.storage.dagster_run import RunsFilter

from swe_assets.errors import ConfigurationError

STUDY_TAG = "swe_assets/spread"
TURN_TAG = "swe_assets/turn"
CHUNK_TAG = "swe_assets/chunk"
CHECK_SECONDS = 2.0
UNFINISHED = [dg.DagsterRunStatus.STARTED, dg.DagsterRunStatus.NOT_STARTED]
LEFT = "its worker or its run was ended; what it stored stays, another run goes on"


@contextmanager
def turn(instance: dg.DagsterInstance, study: str) -> Iterator[str]:
    """Hold the turn of a study and give its token; whoever holds an older one stops."""
    token = secrets.token_hex(8)
    _write(instance, study, token)
    try:
        yield token
    finally:
        _write(instance, study, "")


def close_left_runs(instance: dg.DagsterInstance, tags: dict[str, str]) -> list[str]:
    """Mark unfinished runs with these tags as failed, which goes for nothing but runs of chunks."""
    found = instance.get_runs(RunsFilter(statuses=UNFINISHED, tags=tags))
    left = [run for run in found if run.parent_run_id is None]  # a repetition has its parent's tags
    for run in left:
        instance.report_run_failed(run, LEFT)
    return [run.run_id for run in left]


def holds(instance: dg.DagsterInstance, study: str, token: str) -> bool:
    """Return whether the token is the study's turn; ConfigurationError where no turn was ever written."""
    found = _read(instance, _key(study))
    if found is None:
        raise ConfigurationError(
            f"this worker's records of Dagster know no run of {study!r}: start workers with the same "
            "SWE_ASSETS_HOME or database as the command line"
        )
    return found == token


def stop_stage(instance: dg.DagsterInstance, study: str, token: str, stage: str, reason: str) -> None:
    """Note that going on with a stage is useless in this turn, for the chunks that are still to come."""
    instance.run_storage.set_cursor_values({_stop_key(study, stage): f"{token} {reason}"})


def stopped(instance: dg.DagsterInstance, study: str, token: str, stage: str) -> str:
    """Return why a stage was stopped in this turn, or an empty text."""
    noted, _, reason = (_read(instance, _stop_key(study, stage)) or "").partition(" ")
    return reason if noted == token else ""


class TurnWatch:
    """Ends the work at hand, as an interruption would, once the turn is over; asked after each instance."""

    def __init__(self, instance: dg.DagsterInstance, study: str, token: str) -> None:
        self.instance = instance
        self.study = study
        self.token = token
        self._asked = time.monotonic()

    def look(self) -> None:
        """Raise Dagster's interruption where the turn is over; asks Dagster's records once in two seconds."""
        if time.monotonic() - self._asked < CHECK_SECONDS:
            return
        self._asked = time.monotonic()
        if not holds(self.instance, self.study, self.token):
            raise DagsterExecutionInterruptedError


def _key(study: str) -> str:
    return f"swe_assets/turn/{study}"


def _stop_key(study: str, stage: str) -> str:
    return f"swe_assets/stop/{study}/{stage}"


def _read(instance: dg.DagsterInstance, key: str) -> str | None:
    return instance.run_storage.get_cursor_values({key}).get(key)


def _write(instance: dg.DagsterInstance, study: str, token: str) -> None:
    instance.run_storage.set_cursor_values({_key(study): token})
