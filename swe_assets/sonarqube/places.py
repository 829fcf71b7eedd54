"""Where the private SonarQube server keeps what it has, below the user's cache."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class ServerPlaces:
    """The files and folders of one server; `folder` holds them all."""

    folder: Path

    @property
    def state(self) -> Path:
        """The server that is remembered: a JSON object without secrets."""
        return self.folder / "server.json"

    @property
    def lock(self) -> Path:
        """The lock that `up` and `down` hold."""
        return self.folder / "server.lock"

    @property
    def secrets(self) -> Path:
        """The folder of the files that only the calling user may read."""
        return self.folder / "secrets"

    @property
    def token(self) -> Path:
        """The token of the remembered server."""
        return self.secrets / "token"


def default_places() -> ServerPlaces:
    """Return the places of the user's one server, below `cache_dir()`."""
    from swe_assets.services.folders import cache_dir

    return ServerPlaces(cache_dir() / "sonarqube")
