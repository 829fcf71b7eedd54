"""SonarQube's own distributions, unpacked once below the user's cache: the server and the scanner."""

import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from swe_assets.errors import ConfigurationError, InputError
from swe_assets.services.accounts import service_account
from swe_assets.services.folders import make_folder
from swe_assets.sonarqube.archives import require_room, sha256_of, sweep, unpack
from swe_assets.sonarqube.maven import Artifact, fetch
from swe_assets.sonarqube.places import ServerPlaces, default_places
from swe_assets.storage.atomic import UNFINISHED
from swe_assets.storage.locks import locked

SERVER = Artifact("org.sonarsource.sonarqube", "sonar-application", "25.11.0.114957")
SCANNER = Artifact("org.sonarsource.scanner.cli", "sonar-scanner-cli", "7.3.0.5189")
SCANNER_HOME = "SONAR_SCANNER_HOME"
OLDEST_SCANNER = 6
"""The first major version that can be told to use the Java that is there."""

_RECORD = "swe-assets.json"
_ROOM = 2_500_000_000
"""Bytes that fetching and unpacking a server takes at most, 25.11: 0.85 + 0.90 GB, and 0.6 for its data."""

Say = Callable[[str], None]


@dataclass(frozen=True)
class Distribution:
    """An unpacked distribution: its folder, its version, and the SHA-256 of the zip that it came from."""

    home: Path
    version: str
    sha256: str


def server_distribution(places: ServerPlaces, archive: Path | None, say: Say) -> Distribution:
    """Return the unpacked server: of the archive, else 25.11 that is here, else fetched through Maven.

    Raises InputError where the archive is no SonarQube server, ConfigurationError where it cannot be had.
    """
    prepare(places)
    with locked(places.unpacking):
        sweep(places.folder)
        if archive is not None:
            return _of_archive(places.folder, archive, say)
        home = places.folder / f"sonarqube-{SERVER.version}"
        return recorded(home) or _fetched(places.folder, SERVER, home, server_version, say)


def scanner_home(
    environ: Mapping[str, str] = os.environ, *, places: ServerPlaces | None = None, say: Say = lambda _: None
) -> Path:
    """Return the scanner's folder, with `bin/sonar-scanner` and `lib/sonar-scanner-cli-VERSION.jar` in it.

    It is what SONAR_SCANNER_HOME names, else the one on PATH of version 6 or later, else 7.3 from the cache,
    fetched through Maven the first time. Raises ConfigurationError where there is none.
    """
    named = environ.get(SCANNER_HOME, "").strip()
    if named:
        version = scanner_version(Path(named))
        if int(version.split(".")[0]) < OLDEST_SCANNER:
            raise ConfigurationError(
                f"{SCANNER_HOME} is {named!r}, a scanner of version {version}: "
                f"{OLDEST_SCANNER} or later is needed; unset it, and {SCANNER.version} is fetched"
            )
        return Path(named)
    return _on_path(environ) or _own_scanner(places or default_places(), say)


def scanner_here(environ: Mapping[str, str], places: ServerPlaces) -> Path | None:
    """Return the scanner's folder as `scanner_home` does, None where it would have to be fetched."""
    own = places.folder / f"sonar-scanner-{SCANNER.version}"
    if environ.get(SCANNER_HOME, "").strip() or _on_path(environ) or recorded(own):
        return scanner_home(environ, places=places)
    return None


def server_version(home: Path) -> str:
    """Return the version of an unpacked server, by the name of its jar; InputError where it is none."""
    return _version_by_jar(home, "sonar-application", "a SonarQube server", home / "elasticsearch" / "lib")


def scanner_version(home: Path) -> str:
    """Return the version of an unpacked scanner, by the name of its jar; InputError where it is none."""
    return _version_by_jar(home, "sonar-scanner-cli", "a SonarScanner CLI", home / "bin" / "sonar-scanner")


def prepare(places: ServerPlaces) -> None:
    """Make the folder of a server, which the account that runs it can enter."""
    make_folder(places.folder, mode=0o711 if service_account() is not None else 0o700)


def _version_by_jar(home: Path, name: str, what: str, proof: Path) -> str:
    jars = [path.name for path in (home / "lib").glob(f"{name}-*.jar")]
    found = re.fullmatch(rf"{name}-(\d+(?:\.\d+){{1,3}})\.jar", jars[0]) if len(jars) == 1 else None
    if found is None or not proof.exists():
        raise InputError(
            f"{str(home)!r} holds no {what[2:]} ({name} in lib: {jars or 'none'}): name {what}, "
            "as Sonar publishes it"
        )
    return found[1]


def _of_archive(folder: Path, archive: Path, say: Say) -> Distribution:
    """Return the distribution of an archive that the user names, unpacked where it is not yet."""
    digest = sha256_of(archive)
    for home in folder.glob("sonarqube-*"):
        known = recorded(home)
        if known is not None and known.sha256 == digest:
            return known
    work = folder / f"{UNFINISHED}archive"
    say(f"unpacking {archive.name}")
    version = unpack(archive, work, lambda unpacked: _note(unpacked, server_version, digest))
    home = folder / f"sonarqube-{version}"
    if home.exists():
        shutil.rmtree(home)
    work.rename(home)
    return Distribution(home, version, digest)


def _fetched(
    folder: Path, artifact: Artifact, home: Path, version_of: Callable[[Path], str], say: Say
) -> Distribution:
    """Return the distribution of an artifact, through Maven."""
    if artifact is SERVER:
        require_room(folder, _ROOM)
    with tempfile.TemporaryDirectory(dir=folder, prefix=UNFINISHED) as work:
        say(f"fetching {artifact.file} through Maven; the first time this takes a while")
        archive = fetch(artifact, Path(work), say)
        digest = sha256_of(archive)
        say(f"unpacking {artifact.file}, sha256 {digest}")
        unpack(archive, home, lambda unpacked: _note(unpacked, version_of, digest))
    return Distribution(home, artifact.version, digest)


def _note(home: Path, version_of: Callable[[Path], str], digest: str) -> str:
    """Write into an unpacked distribution what it is, so that it counts as whole; return its version."""
    record = Distribution(home, version_of(home), digest)
    text = json.dumps({**asdict(record), "home": None}, indent=2)
    (home / _RECORD).write_text(text + "\n", encoding="utf-8")
    return record.version


def recorded(home: Path) -> Distribution | None:
    """Return the distribution that was unpacked to a folder, None where none was, or not wholly."""
    try:
        record = json.loads((home / _RECORD).read_text(encoding="utf-8"))
        return Distribution(home, str(record["version"]), str(record["sha256"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _on_path(environ: Mapping[str, str]) -> Path | None:
    """Return the folder of the scanner on PATH, None where there is none or it is too old."""
    program = shutil.which("sonar-scanner", path=environ.get("PATH", os.defpath))
    if program is None:
        return None
    home = Path(program).resolve().parent.parent
    try:
        version = scanner_version(home)
    except InputError:
        return None
    return home if int(version.split(".")[0]) >= OLDEST_SCANNER else None


def _own_scanner(places: ServerPlaces, say: Say) -> Path:
    """Return the folder of the scanner in the cache, fetched where it is not there."""
    home = places.folder / f"sonar-scanner-{SCANNER.version}"
    if recorded(home) is not None:
        return home
    prepare(places)
    with locked(places.unpacking):
        found = recorded(home) or _fetched(places.folder, SCANNER, home, scanner_version, say)
    return found.home
