"""The analyser that is a SonarQube server: files are scanned, and its own measures read back."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from swe_assets.analysers.projects import (
    BASE,
    PATCHED,
    SIDES,
    Claim,
    HandedOver,
    Offer,
    Project,
    ReadBack,
    Receipt,
)
from swe_assets.analysers.protocol import FileMeasures, SourceFile
from swe_assets.analysers.settings import AnalyserSettings
from swe_assets.errors import AnalyserError, AnalyserUnavailableError, ConfigurationError, SonarServerError
from swe_assets.sonarqube.batches import BATCH, MODES, PER_INSTANCE, ScanOptions, options_from, packed
from swe_assets.sonarqube.seen_versions import recall, remember

if TYPE_CHECKING:
    from pathlib import Path

    from swe_assets.sonarqube.client import SonarClient
    from swe_assets.sonarqube.connection import SonarConnection
    from swe_assets.sonarqube.kept import KeptMeasures
    from swe_assets.sonarqube.scanner import Running, ScannerTools

UNKNOWN = "unknown"


@contextmanager
def _no_answer_stops_all() -> Iterator[None]:
    """Let any fault of what is asked once for all instances, as an answer that is none, stop the work."""
    try:
        yield
    except AnalyserUnavailableError:
        raise
    except (AnalyserError, ConfigurationError) as wrong:
        raise AnalyserUnavailableError(str(wrong)) from wrong


def _loading(project: Project) -> Callable[[], tuple[Project, ...]]:
    return lambda: (project,)


class SonarQubeAnalyser:
    """Hands projects over by scanning them and reads their measures from the server.

    Nothing is asked of the server until it must be: a study loads, and is planned, while the server is down.
    """

    name = "sonarqube"
    needs_context = True

    def __init__(self, settings: AnalyserSettings) -> None:
        if settings.mode not in (None, *MODES):
            raise ConfigurationError(f"the mode of SonarQube is {settings.mode!r}: give {' or '.join(MODES)}")
        self._settings = settings
        self.mode = settings.mode or BATCH
        self.notice = ""
        self._asked: dict[str, str] | None = None

    @property
    def violations_source(self) -> str:
        """Say which server, profile and plugin all numbers come from."""
        said = self.provenance()
        return f"SonarQube {said['server']}, profile {said['profile']}, python plugin {said['python_plugin']}"

    def provenance(self) -> dict[str, str]:
        """Name the server's, plugin's and quality profile's versions and the mode.

        Where the server cannot be asked, what it last said to this study stands in, and `notice` says so.
        """
        if self._asked is None:
            self._asked = self._ask_or_recall()
        return self._asked

    def _ask_or_recall(self) -> dict[str, str]:
        memory = self._settings.memory
        try:
            found = self._versions(attempts=1)
        except (AnalyserError, ConfigurationError) as wrong:
            last = recall(memory) if memory else None
            what = "planned with what it last said" if last else "its versions are not known yet"
            self.notice = f"SonarQube was not asked ({wrong}); {what}"
            return last or self._record(dict.fromkeys(("server", "python_plugin", "profile"), UNKNOWN))
        if memory:
            remember(memory, found)
        return found

    def _versions(self, *, attempts: int) -> dict[str, str]:
        from swe_assets.sonarqube.client import SonarClient
        from swe_assets.sonarqube.patience import Patience

        client = SonarClient(self._connection, patience=Patience(attempts=attempts))
        try:
            said = client.versions()
        finally:
            client.close()
        return self._record(
            {
                "server": said.server,
                "python_plugin": said.python_plugin or UNKNOWN,
                "profile": said.profile_name,
                "profile_key": said.profile_key,
                "profile_updated_at": str(said.profile_updated_at),
                "active_rules": str(said.active_rules),
            }
        )

    def _record(self, versions: Mapping[str, str]) -> dict[str, str]:
        return {"analyser": self.name, "mode": self.mode, **versions}

    def hand_over(self, offers: Iterable[Offer]) -> Iterator[HandedOver]:
        """Scan what is not kept, batch by batch, and yield receipts as soon as a batch is through.

        Raises AnalyserUnavailableError where the server is down, refuses the token or changed meanwhile,
        ConfigurationError where scanner or Java lack, StoreError where the disk is full.
        """
        from swe_assets.sonarqube.scan_folders import prune, sweep
        from swe_assets.sonarqube.scanner import Running
        from swe_assets.sonarqube.scans import Scans

        self._require_unchanged()
        options = options_from(self._settings.scope, self.mode)
        running = Running()
        client = self._client(running)
        folder, logs = self._cache / "scans", self._cache / "logs"
        sweep(folder)
        prune(logs)
        scans = Scans(
            client=client,
            connection=self._connection,
            tools=self._tools(options),
            options=options,
            provenance=self.provenance(),
            folder=folder,
            logs=logs,
            running=running,
        )
        try:
            yield from scans.run(packed(offers, options, self._kept_receipt))
        finally:
            client.close()

    def read(self, claims: Sequence[Claim]) -> Iterator[ReadBack]:
        """Yield the server's measures of each claim whose analysis is still the last one there."""
        from swe_assets.sonarqube.readback import Reader
        from swe_assets.sonarqube.scanner import Running

        self._require_unchanged()
        client = self._client(Running())
        try:
            with _no_answer_stops_all():
                metrics = client.numeric_metrics()
            yield from Reader(
                client,
                self._kept,
                duplications=self.mode == PER_INSTANCE,
                keeps=self._keeps,
                metrics=metrics,
            ).read(claims)
        finally:
            client.close()

    def measure(self, files: Sequence[SourceFile]) -> list[FileMeasures]:
        """Scan each file as a project of its own and return the server's measures, in order."""
        projects = [Project(f"file-{n:06d}", PATCHED, (file,)) for n, file in enumerate(files)]
        loads = {project.instance_id: _loading(project) for project in projects}
        receipts = {}
        for handed in self.hand_over(Offer(name, load) for name, load in loads.items()):
            if handed.error is not None:
                raise handed.error
            receipts[handed.instance_id] = handed.receipts
        claims = [
            Claim(p.instance_id, {PATCHED: [p.files[0].path]}, receipts[p.instance_id], loads[p.instance_id])
            for p in projects
        ]
        found = {}
        for read in self.read(claims):
            if read.error is not None:
                raise read.error
            found[read.instance_id] = read.sides[PATCHED].files[0]
        return [found[project.instance_id] for project in projects]

    def _require_unchanged(self) -> None:
        """Ask the server who it is; raise where it is not what the work was planned for."""
        with _no_answer_stops_all():
            found = self._versions(attempts=3)
        planned = self.provenance()
        if found != planned:
            if self._settings.memory:
                remember(self._settings.memory, found)
            changed = sorted(key for key in found if found[key] != planned.get(key))
            raise SonarServerError(
                f"SonarQube is not what this run was planned for: {', '.join(changed)} changed; run again"
            )

    @cached_property
    def _connection(self) -> "SonarConnection":
        from swe_assets.sonarqube.connection import find_connection

        return find_connection()

    def _client(self, running: "Running") -> "SonarClient":
        from swe_assets.sonarqube.client import SonarClient
        from swe_assets.sonarqube.patience import Patience

        return SonarClient(self._connection, patience=Patience(sleep=running.nap))

    def _tools(self, options: ScanOptions) -> "ScannerTools":
        from swe_assets.sonarqube.distribution import scanner_home
        from swe_assets.sonarqube.java import SCANNER_JAVA, find_java
        from swe_assets.sonarqube.scanner import ScannerTools

        java = find_java(SCANNER_JAVA, what="the SonarQube scanner")
        return ScannerTools(
            scanner_home() / "bin" / "sonar-scanner",
            java.path.resolve().parent.parent,
            self._cache / "scanner",
            options.memory_mib,
        )

    @property
    def _cache(self) -> "Path":
        from swe_assets.services.folders import cache_dir

        return cache_dir() / "sonarqube"

    @property
    def _kept(self) -> "KeptMeasures":
        from swe_assets.sonarqube.kept import KeptMeasures

        return KeptMeasures(self._cache / "measures", self.provenance())

    @property
    def _keeps(self) -> tuple[str, ...]:
        """Return the sides whose measures are kept: both, but where the patched one is to be a dashboard."""
        return (BASE,) if self.mode == PER_INSTANCE else SIDES

    def _kept_receipt(self, project: Project) -> Receipt | None:
        """Return the receipt of a project that was measured before, None where it is to be scanned."""
        if project.side not in self._keeps:
            return None
        kept = self._kept.get(project.digest)
        return {**kept.receipt, "kept": True} if kept is not None else None
