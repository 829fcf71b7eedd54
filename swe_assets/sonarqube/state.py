"""What is remembered of the private server between two commands."""

import json
from dataclasses import asdict, dataclass
from typing import Any, Literal

from swe_assets.errors import ConfigurationError
from swe_assets.services.private_files import write_private
from swe_assets.sonarqube.connection import read_state
from swe_assets.sonarqube.places import ServerPlaces
from swe_assets.sonarqube.properties import HOST, Ports

Database = Literal["postgres", "h2"]


@dataclass(frozen=True)
class ServerState:
    """The last start of the private server: its distribution, database, ports and main process.

    `data_version` is the version that last came up on the data, empty until one did.
    """

    version: str
    sha256: str
    home: str
    java: str
    database: Database
    ports: Ports
    mark: str
    data_version: str = ""

    @property
    def migrates(self) -> bool:
        """Say whether the data is of no other version, so that the server may finish making it."""
        return self.data_version in ("", self.version)

    @property
    def url(self) -> str:
        """Return the server's address."""
        return f"http://{HOST}:{self.ports.web}"

    def save(self, places: ServerPlaces) -> None:
        """Write the state; ServiceError where the disk does not take it."""
        write_private(places.state, json.dumps({"url": self.url, **asdict(self)}, indent=2) + "\n")


TEXTS = ("version", "sha256", "home", "java", "mark", "data_version")


def load_state(places: ServerPlaces) -> ServerState | None:
    """Return what is remembered, None where no server was started yet.

    Raises ConfigurationError where the file is damaged.
    """
    record: dict[str, Any] = read_state(places.state)
    if not record:
        return None
    try:
        fields = {name: str(record[name]) for name in TEXTS}
        ports = Ports(**{name: int(port) for name, port in record["ports"].items()})
        database: Database = "h2" if record["database"] == "h2" else "postgres"
        return ServerState(**fields, ports=ports, database=database)
    except (KeyError, TypeError, ValueError, AttributeError) as wrong:
        raise ConfigurationError(
            f"{str(places.state)!r} is damaged ({type(wrong).__name__}: {wrong}): remove it and run "
            "`swe-assets sonar up`; the data stays"
        ) from wrong
