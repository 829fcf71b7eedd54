"""Commands of compose.yaml as processes of this machine, with this checkout in place of the image."""

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from swe_assets.home import CHECKOUT
from swe_assets_tests.docker import dockerfile
from swe_assets_tests.docker.composed import FOLDER
from swe_assets_tests.docker.stack import Place


class Native:
    """Runs the image's entrypoint and commands, with the image's folders replaced by those of the place."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.folders = {
            "/opt/swe-assets": str(place.folder),
            "/var/lib/swe-assets": str(place.folder / "home"),
            "/var/cache/swe-assets": str(place.folder / "cache"),
            "/run/secrets": str(place.folder / "secrets"),
            "/usr/local/bin/entrypoint": str(place.folder / "entrypoint.sh"),
        }
        shutil.copy(CHECKOUT / "dagster.yaml", place.folder)
        (place.folder / "docker").mkdir(exist_ok=True)
        shutil.copy(FOLDER / "sonarqube_token.py", place.folder / "docker")
        script = (FOLDER / "entrypoint.sh").read_text(encoding="utf-8")
        (place.folder / "entrypoint.sh").write_text(self.here(script), encoding="utf-8")
        (place.folder / "entrypoint.sh").chmod(0o755)

    def here(self, text: str) -> str:
        """Return a text with the image's folders replaced."""
        for inside, outside in self.folders.items():
            text = text.replace(inside, outside)
        return text

    def words(self, command: list[str], environment: Mapping[str, str], *, entered: bool) -> list[str]:
        """Return a command behind the entrypoint, or as it is; init is left to this machine."""
        tini, dashes, entrypoint = dockerfile.words("ENTRYPOINT")
        assert (tini, dashes) == ("/usr/bin/tini", "--")
        settings = [f"{name}={self.here(value)}" for name, value in environment.items()]
        front = [] if entered else [entrypoint]
        return ["env", *settings, *(self.here(word) for word in [*front, *command])]

    @property
    def variables(self) -> dict[str, str]:
        """Return the image's variables with its folders replaced, and this virtual environment on PATH."""
        image = {name: self.here(value) for name, value in dockerfile.environment().items()}
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        code = os.pathsep.join([str(self.place.folder / "haste"), str(CHECKOUT)])
        java = {name: value for name, value in os.environ.items() if name == "JAVA_HOME"}
        image.pop("JAVA_HOME")
        return {**image, **java, "PATH": path, "PYTHONPATH": code}

    def end(self) -> None:
        """Do nothing: who starts a process here ends its whole group."""
