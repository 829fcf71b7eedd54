"""What is scanned together: instances packed into batches of bounded size, and their names."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from swe_assets.analysers.projects import HandedOver, Offer, Project, Receipt
from swe_assets.errors import ConfigurationError, SweAssetsError
from swe_assets.sonarqube.project_keys import project_key
from swe_assets.storage.records import digest

BATCH = "batch"
PER_INSTANCE = "per-instance"
MODES = (BATCH, PER_INSTANCE)

SMALLEST_BATCH = 20
"""Modules below which a scan of its own costs more, by the scanner's start, than it saves."""

SCANNERS_NAME = "SWE_ASSETS_SONAR_SCANNERS"
MODULES_NAME = "SWE_ASSETS_SONAR_MODULES"
MEMORY_NAME = "SWE_ASSETS_SONAR_MEMORY_MIB"


@dataclass(frozen=True)
class ScanOptions:
    """How scans are cut and run; `scope` is the study's name, which its projects' keys begin with."""

    scope: str
    mode: str = BATCH
    modules: int = 125
    megabytes: int = 12
    scanners: int = 1
    memory_mib: int = 1024
    task_seconds: float = 1800.0


def options_from(scope: str, mode: str, environ: Mapping[str, str] = os.environ) -> ScanOptions:
    """Return the options of this machine: as many scanners as cores, unless the environment says otherwise.

    Raises ConfigurationError where the environment says no whole number above zero.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return ScanOptions(
        scope,
        mode,
        modules=_number(environ, MODULES_NAME, ScanOptions.modules),
        scanners=_number(environ, SCANNERS_NAME, cores),
        memory_mib=_number(environ, MEMORY_NAME, ScanOptions.memory_mib),
    )


def _number(environ: Mapping[str, str], name: str, default: int) -> int:
    said = environ.get(name, "").strip()
    if not said:
        return default
    if not said.isascii() or not said.isdigit() or int(said) < 1:
        raise ConfigurationError(f"{name} is {said!r}: give a whole number above 0, or leave it out")
    return int(said)


@dataclass(frozen=True)
class Work:
    """One instance with what of it is to be scanned, and the receipts that are there already."""

    instance_id: str
    projects: tuple[Project, ...]
    receipts: Mapping[str, Receipt] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Return how many bytes are scanned."""
        return sum(project.size for project in self.projects)


def packed(
    offers: Iterable[Offer], options: ScanOptions, kept: Callable[[Project], Receipt | None]
) -> Iterator[HandedOver | tuple[Work, ...]]:
    """Yield batches of instances to scan, and at once each instance that needs no scan or cannot be read.

    A side without files needs none, nor does one that `kept` has a receipt for. A batch holds at most
    `modules` projects and `megabytes` of source, unless one instance alone has more; where there are fewer
    instances than fill a batch for each scanner, the batches are smaller, so that no scanner stands idle.
    """
    offers = list(offers)
    modules = _modules(len(offers), options)
    batch: list[Work] = []
    for offer in offers:
        try:
            work = _work(offer, kept)
        except SweAssetsError as wrong:
            yield HandedOver(offer.instance_id, error=wrong)
            continue
        if not work.projects:
            yield HandedOver(work.instance_id, work.receipts)
            continue
        if batch and _is_full([*batch, work], options, modules):
            yield tuple(batch)
            batch = []
        batch.append(work)
    if batch:
        yield tuple(batch)


def _work(offer: Offer, kept: Callable[[Project], Receipt | None]) -> Work:
    receipts: dict[str, Receipt] = {}
    scanned = []
    for project in offer.load():
        receipt = kept(project) if project.files else {}
        if receipt is None:
            scanned.append(project)
        else:
            receipts[project.side] = receipt
    return Work(offer.instance_id, tuple(scanned), receipts)


def _modules(instances: int, options: ScanOptions) -> int:
    """Return the largest number of modules in a batch, two an instance, shared out over the scanners."""
    share = -(-2 * instances // options.scanners)
    return min(options.modules, max(share, SMALLEST_BATCH))


def _is_full(works: Sequence[Work], options: ScanOptions, modules: int) -> bool:
    if options.mode == PER_INSTANCE:
        return True
    found = sum(len(work.projects) for work in works)
    return found > modules or sum(work.size for work in works) > options.megabytes * 2**20


def batch_key(scope: str, projects: Sequence[Project], provenance: Mapping[str, str]) -> str:
    """Return the key of a batch's project, which no batch with other content or of another study has."""
    content = (f"{project.instance_id} {project.side} {project.digest}" for project in projects)
    return project_key(scope, "batch", digest(*content, *sorted(f"{k}={v}" for k, v in provenance.items())))


def instance_key(scope: str, project: Project) -> str:
    """Return the key of a single project: the instance's own for the patched side, one with `base` else."""
    side = () if project.side == "patched" else (project.side,)
    return project_key(scope, project.instance_id, *side)
