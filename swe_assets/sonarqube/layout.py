"""A scan's folder: the files of one or many projects on disk, and the settings file that names them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from swe_assets.analysers.projects import Project
from swe_assets.errors import StoreError
from swe_assets.sonarqube.disk_names import disk_paths
from swe_assets.sonarqube.java_properties import properties_text

SETTINGS_FILE = "scan.properties"
SOURCES = "src"
QUIET = {
    "sonar.sourceEncoding": "UTF-8",
    "sonar.scm.disabled": "true",
    "sonar.scanner.skipJreProvisioning": "true",
    "sonar.text.activate": "false",
    "sonar.iac.activate": "false",
    "sonar.analysisCache.enabled": "false",
}
"""What every scan says: nothing of the machine around the files has a say in the numbers."""


@dataclass(frozen=True)
class Laid:
    """One project on disk: its folder below the root, empty where it is the root, and its files by path."""

    folder: str
    names: Mapping[str, str]

    def component_path(self, path: str) -> str:
        """Return the path by which the server knows a measured file."""
        return f"{self.folder}/{self.names[path]}" if self.folder else self.names[path]


def lay_out(root: Path, projects: Sequence[Project]) -> list[Laid]:
    """Write projects below a fresh folder, each into a folder of its own where there are many.

    Measured files and their context lie side by side; what is measured is said by the settings. Raises
    StoreError where the disk is full or cannot be written.
    """
    single = len(projects) == 1
    laid = [_laid("" if single else module_name(n), project) for n, project in enumerate(projects)]
    try:
        for where, project in zip(laid, projects, strict=True):
            folder = root / SOURCES / where.folder
            folder.mkdir(parents=True, exist_ok=True)
            for file in (*project.context, *project.files):
                target = folder / where.names[file.path]
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(file.content)
    except OSError as wrong:
        raise StoreError(
            f"the files of a scan cannot be written in {str(root)!r}: {wrong.strerror or wrong}; free space "
            "there or make it writable, then run again"
        ) from wrong
    return laid


def module_name(number: int) -> str:
    """Return the name of a module by its place in the scan."""
    return f"m{number + 1:05d}"


def _laid(folder: str, project: Project) -> Laid:
    return Laid(folder, disk_paths(file.path for file in (*project.files, *project.context)))


def write_settings(
    root: Path, key: str, name: str, projects: Sequence[Project], laid: Sequence[Laid], *, duplications: bool
) -> Path:
    """Write the scan's settings beside the files and return their path; no secret is among them.

    One project is scanned as itself, many as modules of a root without sources of its own. Only the measured
    files are included, each by name. Without `duplications` no file is compared with another.
    """
    settings = {
        "sonar.projectKey": key,
        "sonar.projectName": name,
        "sonar.projectBaseDir": str(root / SOURCES),
        "sonar.working.directory": str(root / "work"),
        "sonar.scanner.metadataFilePath": str(root / "report-task.txt"),
        **QUIET,
        **({} if duplications else {"sonar.cpd.exclusions": "**/*"}),
    }
    if laid[0].folder:
        settings["sonar.modules"] = ",".join(where.folder for where in laid)
    for where, project in zip(laid, projects, strict=True):
        before = f"{where.folder}." if where.folder else ""
        if before:
            settings[f"{before}sonar.projectBaseDir"] = str(root / SOURCES / where.folder)
        settings[f"{before}sonar.sources"] = "."
        settings[f"{before}sonar.inclusions"] = ",".join(where.names[file.path] for file in project.files)
    path = root / SETTINGS_FILE
    try:
        path.write_text(properties_text(settings), encoding="ascii")
    except OSError as wrong:
        raise StoreError(f"{str(path)!r} cannot be written: {wrong.strerror or wrong}") from wrong
    return path
