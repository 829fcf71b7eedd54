"""Which of Dagster's engines does the work, from the environment alone.

| variable | values |
| --- | --- |
| SWE_ASSETS_EXECUTOR | in_process (default), multiprocess, dask |
| SWE_ASSETS_CHUNK | instances a run, 1 to 100000; without it one run takes all that it can |
| SWE_ASSETS_MAX_CONCURRENT | chunks at a time: processes of multiprocess, runs that wait on Dask |
| SWE_ASSETS_DASK_ADDRESS | the scheduler's address, as in tcp://10.0.0.1:8786 |
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import dagster as dg

from swe_assets.errors import ConfigurationError

IN_PROCESS, MULTIPROCESS, DASK = "in_process", "multiprocess", "dask"
EXECUTORS = (IN_PROCESS, MULTIPROCESS, DASK)
EXECUTOR_VARIABLE = "SWE_ASSETS_EXECUTOR"
CHUNK_VARIABLE = "SWE_ASSETS_CHUNK"
CONCURRENT_VARIABLE = "SWE_ASSETS_MAX_CONCURRENT"
ADDRESS_VARIABLE = "SWE_ASSETS_DASK_ADDRESS"
LARGEST_CHUNK = 100_000
SMALLEST_SHARE, LARGEST_SHARE, SHARES_A_WORKER = 10, 1000, 4

_ADDRESS = re.compile(r"(tcp|tls|ucx|ws|wss|inproc)://[^\s/?#@]+|[^\s/?#@:]+:\d{1,5}")


@dataclass(frozen=True)
class EngineSettings:
    """The engine, how many instances one run takes (None: all) and how many runs go at a time."""

    executor: str = IN_PROCESS
    chunk: int | None = None
    max_concurrent: int | None = None
    dask_address: str = ""

    @property
    def spreads(self) -> bool:
        """Tell whether work goes to other processes than the one that was started."""
        return self.executor != IN_PROCESS

    def chunk_of(self, count: int, workers: int) -> int:
        """Return how many of count instances one run takes: as set, or some chunks for each worker."""
        if self.chunk is not None:
            return self.chunk
        share = -(-count // (SHARES_A_WORKER * max(1, workers)))
        return min(max(share, SMALLEST_SHARE), LARGEST_SHARE)


def engine_settings(environ: Mapping[str, str] | None = None) -> EngineSettings:
    """Read the settings; ConfigurationError names a value that cannot be used, and those that can."""
    given = os.environ if environ is None else environ
    executor = given.get(EXECUTOR_VARIABLE, "").strip() or IN_PROCESS
    if executor not in EXECUTORS:
        raise ConfigurationError(
            f"{EXECUTOR_VARIABLE} is {executor!r}: give one of {', '.join(EXECUTORS)}. A run launcher, as "
            "for Kubernetes, is set in dagster.yaml"
        )
    address = given.get(ADDRESS_VARIABLE, "").strip()
    if executor == DASK and not _ADDRESS.fullmatch(address):
        raise ConfigurationError(
            f"{EXECUTOR_VARIABLE} is {DASK!r} and {ADDRESS_VARIABLE} is {address!r}: give the address that "
            "`dask scheduler` shows, as in tcp://10.0.0.1:8786"
        )
    return EngineSettings(
        executor,
        _number(given, CHUNK_VARIABLE, LARGEST_CHUNK),
        _number(given, CONCURRENT_VARIABLE, 10_000),
        address if executor == DASK else "",
    )


def _number(given: Mapping[str, str], name: str, largest: int) -> int | None:
    text = given.get(name, "").strip()
    if not text:
        return None
    if not re.fullmatch(r"[0-9]{1,9}", text) or not 1 <= int(text) <= largest:
        raise ConfigurationError(f"{name} is {text!r}: give a whole number from 1 to {largest}, or unset it")
    return int(text)


@cache
def engine_executor(settings: EngineSettings) -> dg.ExecutorDefinition:
    """Return Dagster's executor for the runs that the UI and its daemon start.

    In process, all steps of a run go one after the other in the run's own process: Dagster's default, a
    process a step, loads Dagster anew for each, many times what a stage or a check takes here. Raises
    ConfigurationError where dagster-dask is wanted and not installed.
    """
    if settings.executor == MULTIPROCESS:
        return dg.multiprocess_executor.configured({"max_concurrent": settings.max_concurrent or 0})
    if settings.executor == DASK:
        require_dask()
        from swe_assets.storage.dask_executor import dask_executor

        return dask_executor.configured({"address": settings.dask_address})
    return dg.in_process_executor


def require_dask() -> None:
    """Raise ConfigurationError unless the libraries of the extra `cluster` are installed."""
    from importlib.util import find_spec

    lacking = [name for name in ("dagster_dask", "distributed") if find_spec(name) is None]
    if lacking:
        raise ConfigurationError(
            f"{EXECUTOR_VARIABLE} is {DASK!r} and {' and '.join(lacking)} cannot be imported: install the "
            "extra, pip install 'swe-assets[cluster]'"
        )


def backfill_policy(depth: int, settings: EngineSettings | None = None) -> dg.BackfillPolicy:
    """Return a policy unlike that of the stages just above and below in the graph.

    A backfill puts a stage into one run with its upstream only where both have the same policy; there one
    failed instance would stop the stage for all. So two policies take turns: chunks of N and of N + 1
    instances, or, without chunks, a single run and Dagster's largest run of 0, which it reads as a single
    run too. Only with a single-run policy does `dagster asset materialize` take a range.
    """
    chunk = (settings or engine_settings()).chunk
    if chunk is not None:
        return dg.BackfillPolicy.multi_run(chunk + depth % 2)
    return dg.BackfillPolicy.multi_run(0) if depth % 2 else dg.BackfillPolicy.single_run()
