"""Artifacts by the user's own Maven, so with the user's settings, mirrors and local repository."""

import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from swe_assets.errors import ConfigurationError

PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1"


@dataclass(frozen=True)
class Artifact:
    """A zip in a Maven repository."""

    group: str
    name: str
    version: str

    @property
    def coordinates(self) -> str:
        """Return the artifact as Maven's command line names it."""
        return f"{self.group}:{self.name}:{self.version}:zip"

    @property
    def file(self) -> str:
        """Return the file's name in a repository."""
        return f"{self.name}-{self.version}.zip"


def fetch(artifact: Artifact, folder: Path, say: Callable[[str], None]) -> Path:
    """Return a copy of an artifact in a folder, downloaded by Maven where it is not in its repository yet.

    Each download that Maven names is said. Raises ConfigurationError with Maven's own words where it does
    not give the artifact, or where there is no Maven.
    """
    program = shutil.which("mvn")
    if program is None:
        raise ConfigurationError(
            f"{artifact.file} comes through Maven, and there is no `mvn` on PATH: install it "
            "(`apt-get install maven`), or give the file by `swe-assets sonar up --archive FILE`"
        )
    copy = [f"{PLUGIN}:copy", f"-Dartifact={artifact.coordinates}", f"-DoutputDirectory={folder}"]
    # In the artifact's own folder no one's pom.xml or .mvn takes part.
    process = subprocess.Popen(
        [program, "--batch-mode", *copy],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        cwd=folder,
        env={**os.environ, "MAVEN_BASEDIR": str(folder)},
    )
    try:
        errors = _follow(process, artifact, say)
    finally:
        process.kill()
        code = process.wait()
    found = folder / artifact.file
    if code or not found.is_file():
        raise ConfigurationError(
            f"Maven did not give {artifact.coordinates}: {errors or f'it ended with {code}'}. "
            "Check the network and Maven's settings.xml, or give the file by "
            "`swe-assets sonar up --archive FILE`"
        )
    return found


def _follow(process: "subprocess.Popen[str]", artifact: Artifact, say: Callable[[str], None]) -> str:
    """Say what Maven downloads of the artifact; return its first error, empty where there is none."""
    errors = ""
    for line in process.stdout or ():
        words = line.strip()
        if "Download" in words and artifact.file in words:
            say(words.removeprefix("[INFO] "))
        if words.startswith("[ERROR]") and not errors:
            errors = words.removeprefix("[ERROR]").split("-> [Help")[0].strip()
    process.wait()
    return errors
