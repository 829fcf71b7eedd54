"""Projects through the analyser on the real server: handed over, read back, held against each other."""

import importlib.util
from collections.abc import Sequence
from pathlib import Path

from swe_assets.analysers.projects import Claim, HandedOver, Offer, Project, ReadBack
from swe_assets.analysers.protocol import SourceFile
from swe_assets.analysers.settings import AnalyserSettings
from swe_assets.analysers.sonarqube import SonarQubeAnalyser
from swe_assets.sonarqube.connection import SonarConnection


def named(connection: SonarConnection, cache: Path) -> dict[str, str]:
    """Return the environment in which a user names a server, with a cache of the test's own."""
    return {
        "SONAR_HOST_URL": connection.url,
        "SONAR_TOKEN": connection.token,
        "SWE_ASSETS_CACHE": str(cache),
    }


def analyser(scope: str, mode: str = "batch") -> SonarQubeAnalyser:
    """Return an analyser as a study of that name has it."""
    return SonarQubeAnalyser(AnalyserSettings(scope, mode))


def package(name: str, side: str = "patched", instance_id: str = "") -> Project:
    """Return the sources of a package of Python's own library as a project, `__init__.py` as its context."""
    spec = importlib.util.find_spec(name)
    assert spec and spec.origin
    folder = Path(spec.origin).parent
    files = [SourceFile(f"lib/{name}/{p.name}", p.read_bytes()) for p in sorted(folder.glob("*.py"))]
    context = tuple(file for file in files if file.path.endswith("__init__.py"))
    return Project(instance_id or name, side, tuple(f for f in files if f not in context), context)


def offered(projects: Sequence[Project]) -> list[Offer]:
    """Return an offer for each instance of some projects."""
    ids = dict.fromkeys(project.instance_id for project in projects)
    found = {i: tuple(one for one in projects if one.instance_id == i) for i in ids}
    return [Offer(i, lambda own=own: own) for i, own in found.items()]  # type: ignore[misc]  # own: projects


def handed_over(using: SonarQubeAnalyser, projects: Sequence[Project]) -> dict[str, HandedOver]:
    """Hand projects over and return what became of each instance."""
    return {one.instance_id: one for one in using.hand_over(offered(projects))}


def read_back(
    using: SonarQubeAnalyser, projects: Sequence[Project], handed: dict[str, HandedOver]
) -> dict[str, ReadBack]:
    """Read the measures of projects by the receipts that there are."""
    claims = [
        Claim(
            offer.instance_id,
            {project.side: [file.path for file in project.files] for project in offer.load()},
            handed[offer.instance_id].receipts,
            offer.load,
        )
        for offer in offered(projects)
        if handed[offer.instance_id].error is None
    ]
    return {one.instance_id: one for one in using.read(claims)}


def scanned(using: SonarQubeAnalyser, projects: Sequence[Project]) -> dict[str, ReadBack]:
    """Hand projects over and read them back."""
    return read_back(using, projects, handed_over(using, projects))
