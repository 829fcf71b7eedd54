"""A scan's folder: what lies where, what the settings say, and a disk that is full."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from swe_assets.analysers.projects import Project
from swe_assets.analysers.protocol import SourceFile
from swe_assets.errors import StoreError
from swe_assets.sonarqube.layout import Laid, lay_out, write_settings

ONE = Project("i", "base", (SourceFile("pkg/a,b.py", b"x\r\n\xff"),), (SourceFile("pkg/__init__.py", b"i"),))
TWO = Project("i", "patched", (SourceFile("pkg/c.py", b"y"), SourceFile("pkg/__init__.py", b"j")))


def written(root: Path) -> dict[str, bytes]:
    """Return all files below a scan's sources."""
    sources = root / "src"
    return {str(p.relative_to(sources)): p.read_bytes() for p in sources.rglob("*") if p.is_file()}


def settings(root: Path, *projects: Project, duplications: bool = False) -> dict[str, str]:
    """Lay projects out and return the settings that are written."""
    laid = lay_out(root, projects)
    path = write_settings(root, "k:1", "a name", projects, laid, duplications=duplications)
    return dict(line.split("=", 1) for line in path.read_text("ascii").splitlines())


def test_many_projects_have_folders_of_their_own(tmp_path: Path) -> None:
    """Two sides of one instance lie apart, bytes as they were, each with its packages beside it."""
    laid = lay_out(tmp_path, [ONE, TWO])
    odd = laid[0].names["pkg/a,b.py"]
    assert written(tmp_path) == {
        f"m00001/{odd}": b"x\r\n\xff",
        "m00001/pkg/__init__.py": b"i",
        "m00002/pkg/c.py": b"y",
        "m00002/pkg/__init__.py": b"j",
    }
    assert laid[0].component_path("pkg/a,b.py") == f"m00001/{odd}"


def test_only_what_is_measured_is_included(tmp_path: Path) -> None:
    """Each module includes its files by name; the packages beside them are not measured."""
    said = settings(tmp_path, ONE, TWO)
    assert said["sonar.modules"] == "m00001,m00002"
    assert said["m00001.sonar.inclusions"].count(".py") == 1
    assert "__init__" not in said["m00001.sonar.inclusions"]
    assert said["m00002.sonar.inclusions"] == "pkg/c.py,pkg/__init__.py"
    assert "sonar.sources" not in said
    assert said["m00001.sonar.sources"] == "."


def test_a_single_project_is_the_root(tmp_path: Path) -> None:
    """One project has no modules, and its files lie at the top."""
    said = settings(tmp_path, TWO, duplications=True)
    assert "sonar.modules" not in said and "sonar.cpd.exclusions" not in said
    assert said["sonar.inclusions"] == "pkg/c.py,pkg/__init__.py"
    assert "pkg/c.py" in written(tmp_path)


def test_what_every_scan_says(tmp_path: Path) -> None:
    """No source control, no other sensors, nothing fetched, no duplications in a batch."""
    said = settings(tmp_path, ONE, TWO)
    assert said["sonar.scm.disabled"] == "true"
    assert said["sonar.scanner.skipJreProvisioning"] == "true"
    assert said["sonar.text.activate"] == said["sonar.iac.activate"] == "false"
    assert said["sonar.cpd.exclusions"] == "**/*"
    assert not any("token" in key.lower() for key in said)


def test_where_a_lone_file_is_on_the_server() -> None:
    """Without a module the path is the one below the project."""
    assert Laid("", {"a.py": "a.py"}).component_path("a.py") == "a.py"


@contextmanager
def no_room(most: int) -> Iterator[None]:
    """Let no file grow beyond some bytes, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_disk_that_is_full(tmp_path: Path) -> None:
    """The message names the folder and what to do; it is no fault of an instance."""
    large = Project("i", "base", (SourceFile("a.py", b"#" * 5000),))
    with no_room(1000), pytest.raises(StoreError, match="free space"):
        lay_out(tmp_path, [large])
