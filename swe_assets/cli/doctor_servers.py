"""What SonarQube and Postgres need, whether it is there, and how the servers do."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from swe_assets.cli.findings import Finding, Part, optional, required
from swe_assets.errors import ConfigurationError, SweAssetsError

NEEDED_BY = "only the analyser sonarqube needs it"


def servers() -> Iterator[Finding]:
    """Yield the findings on Java, Maven, scanner and server of SonarQube, and on Postgres.

    They are optional until a study names the analyser sonarqube; then all but Maven, by which the rest may
    have come, are required.
    """
    needed = sonarqube_is_needed()
    yield java(needed=needed)
    found = shutil.which("mvn")
    mend = f"{NEEDED_BY}, to fetch the server and the scanner: apt-get install maven"
    yield optional("installed", "mvn", there=found is not None, value=found or "not on PATH", mend=mend)
    yield scanner(needed=needed)
    yield server(needed=needed)
    yield postgres()


def sonarqube_is_needed() -> bool:
    """Say whether any pinned study names the analyser sonarqube; a study that cannot be read does not."""
    from swe_assets.patch_quality.study import load_study, studies

    for name in studies():
        try:
            if load_study(name).analyser == "sonarqube":
                return True
        except SweAssetsError:
            continue
    return False


def java(*, needed: bool) -> Finding:
    """Say which Java SonarQube would run on."""
    from swe_assets.sonarqube.distribution import SERVER
    from swe_assets.sonarqube.java import find_java, server_java

    try:
        found = find_java(server_java(SERVER.version), what="SonarQube")
    except ConfigurationError as lacking:
        return _either("installed", "java", str(lacking), NEEDED_BY, needed=needed, well=False)
    return _either("installed", "java", f"{found.version}, {found.path}", "", needed=needed, well=True)


def scanner(*, needed: bool) -> Finding:
    """Say where SonarQube's scanner is; one that Maven can fetch is no lack."""
    from swe_assets.sonarqube.distribution import SCANNER, scanner_here, scanner_version
    from swe_assets.sonarqube.places import default_places

    mend = f"{NEEDED_BY}: install Maven, which fetches it, or set SONAR_SCANNER_HOME"
    try:
        home = scanner_here(os.environ, default_places())
        version = scanner_version(home) if home else ""
    except SweAssetsError as wrong:
        return _either("installed", "SonarQube scanner", str(wrong), mend, needed=needed, well=False)
    if home:
        value = f"{version}, {home}"
        return _either("installed", "SonarQube scanner", value, mend, needed=needed, well=True)
    value = f"not here; {SCANNER.version} comes through Maven when it is needed"
    fetched = needed and shutil.which("mvn") is None
    return _either("installed", "SonarQube scanner", value, mend, needed=fetched, well=False)


def server(*, needed: bool) -> Finding:
    """Say which SonarQube server is asked and how it does, by one question without a token."""
    from swe_assets.sonarqube.connection import find_connection
    from swe_assets.sonarqube.health import Answer, ask

    mend = f"{NEEDED_BY}: swe-assets sonar up"
    try:
        connection = find_connection()
    except SweAssetsError as wrong:
        return _either("reachable", "SonarQube server", str(wrong), mend, needed=needed, well=False)
    health = ask(connection.url, seconds=5)
    value = f"{connection.url} ({connection.source}): {health.words}"
    return _either(
        "reachable", "SonarQube server", value, mend, needed=needed, well=health.answer is Answer.UP
    )


def postgres() -> Finding:
    """Say whether Postgres can be started here; which one holds Dagster's records is another finding."""
    from swe_assets.services.postgres_binaries import find_binaries

    mend = "only `swe-assets postgres up` and `swe-assets sonar up` need it: apt-get install postgresql"
    try:
        found = find_binaries()
    except ConfigurationError as lacking:
        return optional("installed", "Postgres", there=False, value=str(lacking), mend=mend)
    value = f"{found.major}, {Path(found.folder)}"
    return optional("installed", "Postgres", there=True, value=value, mend=mend)


def _either(part: Part, name: str, value: str, mend: str, *, needed: bool, well: bool) -> Finding:
    """Return a finding that is required where a study needs it, and optional otherwise."""
    if needed:
        return required(part, name, well=well, value=value, mend=mend.removeprefix(f"{NEEDED_BY}: "))
    return optional(part, name, there=well, value=value, mend=mend)
