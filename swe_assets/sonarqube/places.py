"""Where the private SonarQube server keeps what it has, below the user's cache."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class ServerPlaces:
    """The files and folders of one server; `folder` holds them all."""

    folder: Path

    @property
    def state(self) -> Path:
        """The private server as it was last started: a JSON object without secrets."""
        return self.folder / "server.json"

    @property
    def named(self) -> Path:
        """The server of the user's own that `sonar up --url` checked: a JSON object without secrets."""
        return self.folder / "named.json"

    @property
    def lock(self) -> Path:
        """The lock that `up` and `down` hold."""
        return self.folder / "server.lock"

    @property
    def unpacking(self) -> Path:
        """The lock that who unpacks or fetches a distribution holds."""
        return self.folder / "unpacking.lock"

    @property
    def secrets(self) -> Path:
        """The folder of the files that only the calling user may read."""
        return self.folder / "secrets"

    @property
    def password(self) -> Path:
        """The password of the private server's account `admin`."""
        return self.secrets / "admin-password"

    @property
    def token(self) -> Path:
        """The token of the private server."""
        return self.secrets / "token"

    @property
    def named_token(self) -> Path:
        """The token of the user's own server."""
        return self.secrets / "named-token"

    @property
    def data(self) -> Path:
        """SonarQube's data: its search index and, with the embedded database, that database."""
        return self.folder / "data"

    @property
    def logs(self) -> Path:
        """SonarQube's own logs."""
        return self.folder / "logs"

    @property
    def temp(self) -> Path:
        """SonarQube's temporary files; their place in a command line tells its processes."""
        return self.folder / "temp"

    @property
    def search_temp(self) -> Path:
        """The search engine's temporary files, which it would leave in /tmp."""
        return self.folder / "search-temp"

    @property
    def output(self) -> Path:
        """What the server's processes print before they have logs."""
        return self.folder / "server.out"

    @property
    def postgres(self) -> Path:
        """The folder of the private Postgres cluster."""
        return self.folder / "postgres"


def default_places() -> ServerPlaces:
    """Return the places of the user's one server, below `cache_dir()`."""
    from swe_assets.services.folders import cache_dir

    return ServerPlaces(cache_dir() / "sonarqube")
