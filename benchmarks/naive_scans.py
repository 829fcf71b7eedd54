"""The naive way to SonarQube's measures: a full checkout, and a scanner for each side of each instance."""

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.checkout import Checkouts
from benchmarks.effort import Effort, effort
from benchmarks.inputs import Task
from swe_assets.errors import ScannerError
from swe_assets.repositories import MirrorSettings, open_mirror
from swe_assets.repositories.patch_paths import patch_paths
from swe_assets.repositories.paths_of_tests import is_test_path
from swe_assets.sonarqube.client import SonarClient
from swe_assets.sonarqube.connection import SonarConnection
from swe_assets.sonarqube.java_properties import properties_text
from swe_assets.sonarqube.layout import QUIET
from swe_assets.sonarqube.scanner import JVM, report_task


@dataclass
class Naive:
    """What the naive way took: checkouts, and scans with the wait for the server's task."""

    instances: list[str] = field(default_factory=list)
    checkouts: Effort = field(default_factory=Effort)
    scans: Effort = field(default_factory=Effort)


class NaiveScans(Checkouts):
    """Checks base commits out and scans them where they lie, before and after `git apply`.

    The scanner gets the patch's files as `sonar.inclusions`, and the switches and Java options that ours
    gets, so that it does no work which ours leaves out, but for looking for duplications among those few
    files: what differs is one scanner for each side, and its start.
    """

    def __init__(self, folder: Path, scanner: Path, connection: SonarConnection) -> None:
        super().__init__(folder)
        self._program = scanner / "bin" / "sonar-scanner"
        self._connection = connection

    def run(self, tasks: Sequence[Task], settings: MirrorSettings, count: int) -> Naive:
        """Scan both sides of the first instances whose patch plain `git apply` takes."""
        naive = Naive()
        for task in tasks:
            if len(naive.instances) == count:
                break
            with open_mirror(settings, task.repo, task.base_commit) as opened:
                self.prepare(task.repo, opened.git_dir)
            self._one(task, naive)
        return naive

    def _one(self, task: Task, naive: Naive) -> None:
        patch = (task.patch or "").encode("utf-8", "surrogateescape")
        named = (path.decode("utf-8", "replace") for path in patch_paths(patch).candidates)
        files = sorted(path for path in named if path.endswith(".py") and not is_test_path(path))
        tree = self.folder / f"naive-{task.instance_id}"
        clone = self._clones[task.repo]
        with effort() as checkout:
            self._git(clone, "worktree", "add", "--no-checkout", "--detach", str(tree), task.base_commit)
            self._git(tree, "read-tree", "HEAD")
            self._git(tree, "checkout-index", "--all", "--quiet", checked=False)
        if not files or self._git(tree, "apply", "--check", given=patch, checked=False):
            return
        naive.checkouts += checkout
        for side in ("base", "patched"):
            if side == "patched":
                self._git(tree, "apply", "--whitespace=nowarn", given=patch)
            with effort() as scan:
                self._scan(tree, f"naive:{task.instance_id}:{side}", files)
            naive.scans += scan
        naive.instances.append(task.instance_id)

    def _scan(self, tree: Path, key: str, files: Sequence[str]) -> None:
        """Scan a work tree as one project and wait for the server's task."""
        report = self.folder / "naive-report-task.txt"
        report.unlink(missing_ok=True)
        settings = self.folder / "naive.properties"
        said = {
            "sonar.projectKey": key,
            "sonar.projectBaseDir": str(tree),
            "sonar.sources": ".",
            "sonar.inclusions": ",".join(files),
            "sonar.scanner.metadataFilePath": str(report),
            **QUIET,
        }
        settings.write_text(properties_text(said), encoding="ascii")
        named = {
            "SONAR_HOST_URL": self._connection.url,
            "SONAR_TOKEN": self._connection.token,
            "SONAR_SCANNER_OPTS": JVM,
            "SONAR_SCANNER_JAVA_OPTS": JVM,
        }
        done = subprocess.run(
            [str(self._program), f"-Dproject.settings={settings}"],
            cwd=tree,
            env={**os.environ, **named},
            capture_output=True,
            check=False,
        )
        if done.returncode:
            raise ScannerError(
                f"the naive scan of {key} ended with {done.returncode}: {done.stdout[-500:]!r}"
            )
        with SonarClient(self._connection) as client:
            client.wait_for_task(report_task(report)["ceTaskId"], timeout=600)
