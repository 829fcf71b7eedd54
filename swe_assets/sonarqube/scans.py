"""Scans side by side: what is packed is laid out, scanned, waited for and, where it fails, split."""

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from swe_assets.analysers.projects import HandedOver, Project, Receipt
from swe_assets.errors import (
    AnalyserError,
    AnalyserUnavailableError,
    SonarServerError,
    SonarTaskError,
    SonarTimeoutError,
)
from swe_assets.sonarqube.batches import PER_INSTANCE, ScanOptions, Work, batch_key, instance_key
from swe_assets.sonarqube.layout import Laid, lay_out, write_settings
from swe_assets.sonarqube.scan_folders import scan_folder
from swe_assets.sonarqube.scanner import (
    SECONDS_A_PROJECT,
    SECONDS_AT_LEAST,
    Running,
    ScannerTools,
    Upload,
    run_scanner,
)
from swe_assets.sonarqube.scanner_log import unparsed_in_log

if TYPE_CHECKING:
    from swe_assets.sonarqube.client import SonarClient
    from swe_assets.sonarqube.connection import SonarConnection

FAILURES_A_BATCH = 24
"""Scans of one batch that may fail while it is split to find what is at fault."""


@dataclass
class Budget:
    """How many more scans of a batch may fail."""

    left: int = FAILURES_A_BATCH


@dataclass
class Scans:
    """All scans of one hand-over: a bounded number of scanners at a time, ended with the block they serve."""

    client: "SonarClient"
    connection: "SonarConnection"
    tools: ScannerTools
    options: ScanOptions
    provenance: Mapping[str, str]
    folder: Path
    logs: Path
    running: Running = field(default_factory=Running)

    def __post_init__(self) -> None:
        self._turns = threading.Semaphore(self.options.scanners)

    def run(self, packed: Iterable[HandedOver | tuple[Work, ...]]) -> Iterator[HandedOver]:
        """Yield what became of each instance, as soon as its batch is through the server's task.

        One more batch than there are scanners is under way, so that none waits for a background task. An
        interruption, or leaving the iterator early, ends all scanners.
        """
        pending: set[Future[list[HandedOver]]] = set()
        pool = ThreadPoolExecutor(self.options.scanners + 1, thread_name_prefix="sonar-scan")
        try:
            for item in packed:
                if isinstance(item, HandedOver):
                    yield item
                    continue
                pending.add(pool.submit(self._batch, item, Budget()))
                if len(pending) > self.options.scanners + 1:
                    done, pending = wait(pending, return_when=FIRST_COMPLETED)
                    yield from _results(done)
            while pending:
                done, pending = wait(pending, return_when=FIRST_COMPLETED)
                yield from _results(done)
        finally:
            self.running.stop()
            pool.shutdown(wait=True, cancel_futures=True)

    def _batch(self, works: tuple[Work, ...], budget: Budget) -> list[HandedOver]:
        """Scan a batch; where that fails, each half of it, down to the instances that are at fault.

        A task that is still under way is no instance's fault, and more tasks would only queue behind it.
        """
        try:
            return self._scan_works(works)
        except AnalyserUnavailableError:
            raise
        except AnalyserError as wrong:
            self._require_server(wrong)
            budget.left -= 1
            if len(works) == 1 or budget.left <= 0 or isinstance(wrong, SonarTimeoutError):
                return [HandedOver(work.instance_id, error=wrong) for work in works]
        half = len(works) // 2
        return [*self._batch(works[:half], budget), *self._batch(works[half:], budget)]

    def _require_profile(self, key: str) -> None:
        """Raise SonarTaskError where a project, which keeps its name, has a quality profile of its own."""
        planned = self.provenance.get("profile_key")
        used = self.client.versions(key) if planned else None
        if used is not None and used.profile_key != planned:
            raise SonarTaskError(
                f"the project {key!r} has the quality profile {used.profile_name!r}, but the study is "
                f"measured by {self.provenance.get('profile')!r}, the default: give it that one in its "
                "settings, or delete the project, then run again"
            )

    def _require_server(self, wrong: AnalyserError) -> None:
        """Raise SonarServerError where a scan failed because the server is not up, or no scan may start."""
        if self.running.stopped:
            raise AnalyserUnavailableError(f"the run is being stopped: {wrong}") from wrong
        status = self.client.system_status()
        if status != "UP":
            raise SonarServerError(
                f"SonarQube at {self.connection.url} is {status}, so a scan failed ({wrong}): run "
                "`swe-assets sonar up`, then run again: what was scanned is kept"
            ) from wrong

    def _scan_works(self, works: Sequence[Work]) -> list[HandedOver]:
        """Scan all projects of some instances and return their receipts."""
        projects = [project for work in works for project in work.projects]
        if self.options.mode == PER_INSTANCE:
            receipts = [self._scan(instance_key(self.options.scope, p), [p])[0] for p in projects]
        else:
            key = batch_key(self.options.scope, projects, self.provenance)
            receipts = self._scan(key, projects)
        found = {(p.instance_id, p.side): receipt for p, receipt in zip(projects, receipts, strict=True)}
        return [
            HandedOver(
                work.instance_id,
                {**work.receipts, **{p.side: found[work.instance_id, p.side] for p in work.projects}},
            )
            for work in works
        ]

    def _scan(self, key: str, projects: Sequence[Project]) -> list[Receipt]:
        """Scan projects under a key, wait for the server's task, and return a receipt each, in order."""
        with self._turns, scan_folder(self.folder) as root:
            laid = lay_out(root, projects)
            alone = self.options.mode == PER_INSTANCE
            name = f"{self.options.scope} {projects[0].instance_id if alone else f'batch of {len(projects)}'}"
            settings = write_settings(root, key, name, projects, laid, duplications=alone)
            upload = run_scanner(
                self.tools,
                self.connection,
                root,
                settings,
                self.logs / f"{key.replace(':', '_')[-200:]}.log",
                seconds=SECONDS_AT_LEAST + SECONDS_A_PROJECT * len(projects),
                running=self.running,
            )
        task = self.client.wait_for_task(upload.task_id, timeout=self.options.task_seconds)
        last = self.client.last_analysis(key)
        if task.component_key != key or last is None or last.id != task.analysis_id:
            raise SonarTaskError(
                f"the scan of {key!r} became analysis {task.analysis_id!r}, but the server's last one is "
                f"{last.id if last else None!r}: another scan wrote to the same project; run again"
            )
        if self.options.mode == PER_INSTANCE:
            self._require_profile(key)
        shared = {"project": key, "task": task.task_id, "analysis": last.id, "analysed_at": str(last.date)}
        return _receipts(shared, projects, laid, upload)


def _receipts(
    shared: Mapping[str, str], projects: Sequence[Project], laid: Sequence[Laid], upload: Upload
) -> list[Receipt]:
    """Return each project's receipt: the scan's own facts, the module, the upload's hash and file paths."""
    unparsed = _stopped_at(upload.log)
    receipts: list[Receipt] = []
    for project, where in zip(projects, laid, strict=True):
        components = {file.path: where.component_path(file.path) for file in project.files}
        lines = {path: unparsed.get(at, unparsed.get(where.names[path])) for path, at in components.items()}
        receipts.append(
            {
                **shared,
                "module": where.folder,
                "uploaded": project.digest,
                "components": components,
                "stopped_at_line": {path: line for path, line in lines.items() if line is not None},
            }
        )
    return receipts


def _stopped_at(log: Path) -> dict[str, int | None]:
    """Return where parsing stopped by path, as far as a log says so; it may have been removed meanwhile."""
    try:
        with log.open(encoding="utf-8", errors="replace") as lines:
            return {found.path: found.line for found in unparsed_in_log(lines)}
    except OSError:
        return {}


def _results(done: Iterable[Future[list[HandedOver]]]) -> Iterator[HandedOver]:
    """Yield what finished batches came to; those that are well come before one that raises."""
    for future in sorted(done, key=lambda future: future.exception() is not None):
        yield from future.result()
