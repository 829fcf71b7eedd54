"""What the private server is told in its sonar.properties."""

import resource
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from swe_assets.errors import ConfigurationError
from swe_assets.services.accounts import Account
from swe_assets.services.postgres_address import PostgresAddress
from swe_assets.services.private_files import put_private
from swe_assets.services.processes import free_port
from swe_assets.sonarqube.java_properties import properties_text
from swe_assets.sonarqube.places import ServerPlaces

HOST = "127.0.0.1"
HEAPS = {"web": "-Xms128m -Xmx512m", "ce": "-Xms128m -Xmx768m", "search": "-Xms384m -Xmx384m"}
"""The heaps of the three servers inside SonarQube; each takes about as much again beside its heap."""

QUICK_START = "-XX:TieredStopAtLevel=1"
"""Java's quick compiler alone: a restart took 32 CPU-seconds, with both 67. Background tasks keep both."""

FILES_WANTED = 131_072
PROCESSES_WANTED = 4_096
"""The limits below which Elasticsearch refuses to start unless its checks are off (its bootstrap checks)."""


@dataclass(frozen=True)
class Ports:
    """The loopback ports of a server: its web API, its search's two, and the embedded database's."""

    web: int
    search: int
    transport: int
    embedded: int

    @classmethod
    def chosen(cls) -> "Ports":
        """Return four different ports that nobody listens on at this moment."""
        found: list[int] = []
        while len(found) < 4:
            port = free_port(HOST)
            found += [] if port in found else [port]
        return cls(*found)

    def all(self) -> tuple[int, ...]:
        """Return the four ports."""
        return (self.web, self.search, self.transport, self.embedded)


def server_properties(places: ServerPlaces, ports: Ports, address: PostgresAddress | None) -> dict[str, str]:
    """Return the settings of a server, on Postgres or, without an address, on the embedded database."""
    settings = {
        "sonar.web.host": HOST,
        "sonar.web.port": str(ports.web),
        "sonar.search.host": HOST,
        "sonar.search.port": str(ports.search),
        "sonar.es.port": str(ports.transport),
        "sonar.path.data": str(places.data),
        "sonar.path.logs": str(places.logs),
        "sonar.path.temp": str(places.temp),
        "sonar.telemetry.enable": "false",
        "sonar.updatecenter.activate": "false",
        "sonar.search.javaAdditionalOpts": "-Dnode.store.allow_mmap=false",
        "sonar.search.javaOpts": f"{HEAPS['search']} {QUICK_START}",
        "sonar.web.javaOpts": f"{HEAPS['web']} -XX:+UseSerialGC {QUICK_START}",
        "sonar.ce.javaOpts": f"{HEAPS['ce']} -XX:+UseSerialGC",
    }
    if limits_are_low():
        settings["sonar.es.bootstrap.checks.disable"] = "true"
    if address is None:
        return settings | {"sonar.embeddedDatabase.port": str(ports.embedded)}
    return settings | {
        "sonar.jdbc.url": address.jdbc_url,
        "sonar.jdbc.username": address.user,
        "sonar.jdbc.password": address.password,
        "sonar.jdbc.maxActive": "40",  # web and background tasks together stay below Postgres's 100
    }


def limits_are_low() -> bool:
    """Say whether this process may open fewer files or processes than Elasticsearch wants."""
    wanted = ((resource.RLIMIT_NOFILE, FILES_WANTED), (resource.RLIMIT_NPROC, PROCESSES_WANTED))
    soft = [(resource.getrlimit(name)[0], least) for name, least in wanted]
    return any(limit != resource.RLIM_INFINITY and limit < least for limit, least in soft)


def write_properties(path: Path, settings: Mapping[str, str], account: Account | None) -> None:
    """Write the settings, which hold a password, so that only the account that runs the server reads them."""
    try:
        put_private(path, properties_text(settings), account=account)
    except OSError as wrong:
        raise ConfigurationError(
            f"cannot write {str(path)!r}: {wrong.strerror or wrong}; make its folder writable or free space"
        ) from None
