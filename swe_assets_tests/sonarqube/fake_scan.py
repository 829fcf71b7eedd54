"""A scanner and a server that do as a test says: a real process, and real HTTP on this machine."""

import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from swe_assets.sonarqube.connection import SonarConnection
from swe_assets.sonarqube.scanner import ScannerTools
from swe_assets_tests.http_stub import Asked, Served, serving
from swe_assets_tests.sonarqube.stub import PLANTED_TOKEN, refused, row

SCANNER = """#!{python}
import os, sys, time, urllib.parse, urllib.request
settings = dict(
    line.rstrip("\\n").split("=", 1)
    for line in open(sys.argv[1].removeprefix("-Dproject.settings="), encoding="ascii")
)
KEY = settings["sonar.projectKey"].replace("\\\\:", ":")
MODULES = settings.get("sonar.modules", "").split(",")
FILES = []
for name, paths in settings.items():
    module = name.removesuffix("sonar.inclusions").rstrip(".")
    if name.endswith("sonar.inclusions"):
        FILES += [f"{{module}}/{{path}}" if module else path for path in paths.split(",")]

def source(path):
    return open(os.path.join(settings["sonar.projectBaseDir"], path), "rb").read()

def upload():
    form = urllib.parse.urlencode({{"project": KEY, "files": "\\n".join(FILES)}})
    url = os.environ["SONAR_HOST_URL"] + "/api/ce/submit"
    task = urllib.request.urlopen(url, form.encode()).read().decode().strip('"')
    open(settings["sonar.scanner.metadataFilePath"], "w").write(f"projectKey={{KEY}}\\nceTaskId={{task}}\\n")

{body}
"""


def fake_scanner(folder: Path, body: str = "upload()") -> ScannerTools:
    """Write a scanner whose last lines are `body`; it knows KEY, MODULES, FILES, source() and upload()."""
    program = folder / "scanner home" / "bin" / "sonar-scanner"
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text(SCANNER.format(python=sys.executable, body=textwrap.dedent(body)), encoding="utf-8")
    program.chmod(0o755)
    return ScannerTools(program, folder, folder / "scanner cache")


@dataclass
class FakeServer:
    """A server that takes uploads: each becomes a task, and the project's last analysis.

    `task` says what becomes of an upload, given its project's key and files; `broken` are the files without
    measures, `profiles` the quality profiles that projects have instead of the default one.
    """

    task: Callable[[str, list[str]], dict[str, Any]] = lambda _key, _files: {"status": "SUCCESS"}
    files: dict[str, list[str]] = field(default_factory=dict)
    tasks: dict[str, str] = field(default_factory=dict)
    last: dict[str, str] = field(default_factory=dict)
    broken: set[str] = field(default_factory=set)
    profiles: dict[str, str] = field(default_factory=dict)
    word: str = "UP"
    url: str = ""

    @property
    def connection(self) -> SonarConnection:
        """Return the connection with a planted token."""
        return SonarConnection(self.url, PLANTED_TOKEN, "a test")

    def answer(self, asked: Asked) -> Served:
        """Answer as a server's web API does, as far as scans and reading back need it."""
        known = {
            "api/system/status": self._status,
            "api/ce/submit": self._submit,
            "api/ce/task": self._task,
            "api/project_analyses/search": self._analyses,
            "api/measures/component_tree": self._tree,
            "api/plugins/installed": lambda _params: Served(body={"plugins": []}),
            "api/qualityprofiles/search": self._profile,
        }.get(asked.path)
        return known(asked.params) if known else refused(404, f"Unknown url : /{asked.path}")

    def _status(self, _params: dict[str, str]) -> Served:
        return Served(body={"id": "S", "version": "25.11.0.114957", "status": self.word})

    def _submit(self, params: dict[str, str]) -> Served:
        task = f"T{len(self.tasks) + 1}"
        self.tasks[task] = params["project"]
        self.files[params["project"]] = params["files"].split("\n")
        self.last[params["project"]] = f"A-{task}"
        return Served(body=task)

    def _task(self, params: dict[str, str]) -> Served:
        key = self.tasks[params["id"]]
        task = {"id": params["id"], "type": "REPORT", "componentKey": key, "analysisId": f"A-{params['id']}"}
        dates = {"submittedAt": "2026-01-01T00:00:00+0000", "executedAt": "2026-01-01T00:00:01+0000"}
        return Served(body={"task": {**task, **dates, **self.task(key, self.files[key])}})

    def _analyses(self, params: dict[str, str]) -> Served:
        if params["project"] not in self.last:
            return refused(404, f"Component key '{params['project']}' not found")
        one = {"key": self.last[params["project"]], "date": "2026-01-01T00:00:01+0000"}
        return Served(body={"analyses": [one]})

    def _profile(self, params: dict[str, str]) -> Served:
        key = self.profiles.get(params.get("project", ""), "default")
        return Served(body={"profiles": [{"key": key, "name": f"the {key} way", "language": "py"}]})

    def _tree(self, params: dict[str, str]) -> Served:
        key = params["component"]
        if key not in self.files:
            return refused(404, f"Component key '{key}' not found")
        values = {"ncloc": 3, "complexity": 1, "violations": 2}
        asked = [name for name in values if name in params["metricKeys"].split(",")]
        measured = {name: values[name] for name in asked}
        if "strategy" in params:
            names = sorted({path.split("/")[0] for path in self.files[key]})
            rows = [row(name, "DIR", **measured) for name in names]
        else:
            rows = [row(path, "FIL", **({} if path in self.broken else measured)) for path in self.files[key]]
        total = {name: value * len(self.files[key]) for name, value in measured.items()}
        base = {"key": key, "qualifier": "TRK", "measures": row("", "TRK", **total)["measures"]}
        paging = {"pageIndex": 1, "pageSize": 500, "total": len(rows)}
        return Served(body={"paging": paging, "baseComponent": base, "components": rows})


@contextmanager
def fake_server(**how: Any) -> Iterator[FakeServer]:
    """Run a fake server on this machine."""
    server = FakeServer(**how)
    with serving(server.answer) as (url, _asked):
        server.url = url.rstrip("/")
        yield server
