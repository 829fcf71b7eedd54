"""The life of a private SonarQube server: started and stopped."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from swe_assets.errors import ConfigurationError, ServiceError, StoreError
from swe_assets.services.accounts import Account, planned_account, service_account
from swe_assets.services.folders import make_folder, require_entry
from swe_assets.services.postgres import PostgresServer
from swe_assets.services.postgres_address import PostgresAddress
from swe_assets.services.processes import is_alive, is_free, start_detached, stop
from swe_assets.sonarqube.causes import PORT, LogMarks
from swe_assets.sonarqube.connection import SonarConnection, read_state
from swe_assets.sonarqube.credentials import ensure_token
from swe_assets.sonarqube.distribution import Distribution, prepare, recorded, server_distribution
from swe_assets.sonarqube.java import Java, find_java, server_java
from swe_assets.sonarqube.leftovers import kill_all
from swe_assets.sonarqube.places import ServerPlaces, default_places
from swe_assets.sonarqube.properties import HOST, QUICK_START, Ports, server_properties, write_properties
from swe_assets.sonarqube.starting import EndedError, LateError, wait_until_up
from swe_assets.sonarqube.state import Database, ServerState, load_state
from swe_assets.storage.locks import locked

Say = Callable[[str], None]
STOP_SECONDS = 120.0
_ATTEMPTS = 3
_ENVIRONMENT = {"PATH": os.defpath, "LANG": "C.UTF-8", "TZ": "UTC"}


@dataclass(frozen=True)
class Wish:
    """What one `up` asks for."""

    archive: Path | None
    database: Database | None
    migrate: bool
    seconds: float


@dataclass(frozen=True)
class Parts:
    """What a server is started from."""

    distribution: Distribution
    java: Java
    database: Database
    account: Account | None

    def state(self, ports: Ports, mark: str, data_version: str) -> ServerState:
        """Return what is to be remembered of a start from these parts."""
        of, java = self.distribution, str(self.java.path)
        home = str(of.home)
        return ServerState(of.version, of.sha256, home, java, self.database, ports, mark, data_version)


class SonarServer:
    """The one private server below `places`, on this machine's loopback address alone."""

    def __init__(self, places: ServerPlaces | None = None, *, say: Say = lambda _: None) -> None:
        self.places = places or default_places()
        self.postgres = PostgresServer(self.places.postgres, "sonarqube")
        self._say = say

    def up(
        self,
        *,
        archive: Path | None = None,
        database: Database | None = None,
        migrate: bool = False,
        seconds: float = 900,
    ) -> SonarConnection:
        """Return the connection to the server, made and started where it is not; harmless twice.

        `database` is chosen once, Postgres by default, and remembered. A server that was killed comes back
        with its data. `migrate` lets a newer version change the data of an older one, for good. Whatever
        this call started is stopped again where it is interrupted or does not come up in so many seconds.
        Raises ConfigurationError, InputError, or ServiceError with the cause from the right log.
        """
        account = service_account()
        prepare(self.places)
        require_entry(self.places.folder, account)
        wish = Wish(archive, database, migrate, seconds)
        with self._turn():
            if read_state(self.places.named):
                raise ConfigurationError(
                    "a server of your own is remembered: forget it first by `swe-assets sonar down`"
                )
            state = load_state(self.places)
            if state is None or not self._came_up(state, wish):
                state = self._start(state, wish, account)
            token = ensure_token(state.url, self.places)
        return SonarConnection(state.url, token, "swe-assets sonar up")

    def down(self) -> bool:
        """Stop the server and its Postgres and wait until both have ended; return whether any of it ran."""
        if not self.places.folder.is_dir():
            return False
        with self._turn():
            return self._stop(planned_account())

    def _came_up(self, state: ServerState, wish: Wish) -> bool:
        """Return whether the server of an earlier start runs and is up, after a wait where it is starting."""
        if not is_alive(state.mark):
            return False
        self._chosen(state, wish)
        if wish.archive is not None:
            self._say(f"version {state.version} runs already; `swe-assets sonar down` first to start another")
        self._address(state.database)
        try:
            self._wait(state, wish)
        except EndedError:
            return False  # it was going down when it was asked
        except LateError as wrong:
            raise ServiceError(
                f"{wrong}; see its logs in {str(self.places.logs)!r}, or start it anew by `swe-assets sonar "
                "down` and `swe-assets sonar up`"
            ) from wrong
        return True

    def _wait(self, state: ServerState, wish: Wish) -> None:
        """Wait until a server is up, and remember that the data is of its version now."""
        migrate = wish.migrate or state.migrates
        wait_until_up(state.url, state.mark, migrate=migrate, seconds=wish.seconds, say=self._say)
        replace(state, data_version=state.version).save(self.places)

    def _start(self, before: ServerState | None, wish: Wish, account: Account | None) -> ServerState:
        """Start a server and wait until it is up; stop all of it where that fails or is interrupted."""
        kill_all(self.places, account)
        parts = self._parts(before, wish, account)
        try:
            address = self._address(parts.database)
            return self._until_up(before, parts, address, wish)
        except BaseException:
            self._say("stopping what was started")
            self._stop(account)
            raise

    def _parts(self, before: ServerState | None, wish: Wish, account: Account | None) -> Parts:
        """Return what to start from: the archive named, else what was started last, else 25.11."""
        known = recorded(Path(before.home)) if before and wish.archive is None else None
        distribution = known or server_distribution(self.places, wish.archive, self._say)
        version = distribution.version
        if before and _numbers(version) < _numbers(before.data_version):
            raise ConfigurationError(
                f"the data in {str(self.places.folder)!r} is that of SonarQube {before.data_version}, which "
                f"{version} cannot read: start that version, or name another folder with SWE_ASSETS_CACHE"
            )
        java = find_java(server_java(version), what=f"SonarQube {version}", account=account)
        return Parts(distribution, java, self._chosen(before, wish), account)

    def _chosen(self, before: ServerState | None, wish: Wish) -> Database:
        """Return the database to use: the one that holds the data, else what is wished, else Postgres."""
        held = before.database if before else self._evident()
        if held and wish.database not in (None, held):
            raise ConfigurationError(
                f"the data of this server is in {held}, not {wish.database}: leave --database out; to begin "
                "anew, `swe-assets sonar down` and name another folder with SWE_ASSETS_CACHE"
            )
        return held or wish.database or "postgres"

    def _evident(self) -> Database | None:
        """Return the database that was made here, by its files: the state may have been lost."""
        if self.postgres.data.is_dir():
            return "postgres"
        return "h2" if (self.places.data / "sonar.mv.db").exists() else None

    def _address(self, database: Database) -> PostgresAddress | None:
        """Return the address of the private Postgres, started where it is not; None for the embedded one."""
        if database == "h2":
            return None
        try:
            return self.postgres.up()
        except ConfigurationError as wrong:
            raise ConfigurationError(
                f"{wrong}; or choose the embedded database by `swe-assets sonar up --database h2`"
            ) from wrong

    def _until_up(
        self, before: ServerState | None, parts: Parts, address: PostgresAddress | None, wish: Wish
    ) -> ServerState:
        """Launch and wait, once more with other ports where one was taken meanwhile."""
        version = parts.distribution.version
        ports = before.ports if before else None
        for attempt in range(1, _ATTEMPTS + 1):
            ports = ports if ports and all(is_free(port, HOST) for port in ports.all()) else Ports.chosen()
            marks = LogMarks.now(self.places)
            mark = self._launch(parts, ports, address)
            state = parts.state(ports, mark, before.data_version if before else "")
            state.save(self.places)
            self._say(f"SonarQube {version} is starting at {state.url}; this takes a minute or more")
            try:
                self._wait(state, wish)
            except (EndedError, LateError) as wrong:
                cause = marks.cause()
                if attempt == _ATTEMPTS or cause.kind != PORT:
                    raise ServiceError(f"SonarQube {version} did not start: {wrong}. {cause}") from None
                stop(state.mark, seconds=STOP_SECONDS)
                kill_all(self.places, parts.account)
                ports = None
            else:
                return state
        raise AssertionError  # the last attempt returns or raises

    def _launch(self, parts: Parts, ports: Ports, address: PostgresAddress | None) -> str:
        """Start the server's main process and return its mark."""
        home, version = parts.distribution.home, parts.distribution.version
        downloads = home / "extensions" / "downloads"
        places = self.places
        for folder in (places.data, places.logs, places.temp, places.search_temp, downloads):
            make_folder(folder, mode=0o700, account=parts.account)
        settings = server_properties(self.places, ports, address)
        write_properties(home / "conf" / "sonar.properties", settings, parts.account)
        self.places.output.unlink(missing_ok=True)
        heap = ["-Xms8m", "-Xmx64m", "-XX:+UseSerialGC", QUICK_START, f"-Djava.io.tmpdir={self.places.temp}"]
        jar = home / "lib" / f"sonar-application-{version}.jar"
        return start_detached(
            [str(parts.java.path), *heap, "-Djava.awt.headless=true", "-jar", str(jar)],
            log=self.places.output,
            env={**_ENVIRONMENT, "ES_TMPDIR": str(places.search_temp)},
            account=parts.account,
            cwd=home,
        )

    def _stop(self, account: Account | None) -> bool:
        """Stop the server gently, then by force what is left of it, then its Postgres."""
        state = load_state(self.places)
        ran = state is not None and stop(state.mark, seconds=STOP_SECONDS)
        left = kill_all(self.places, account)
        return self.postgres.down() or ran or left > 0

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Hold the lock of the server's life; a second command waits and says so."""
        with ExitStack() as held:
            try:
                held.enter_context(locked(self.places.lock, wait=False))
            except BlockingIOError:
                self._say("another `swe-assets sonar` is at work; waiting for it")
                held.enter_context(locked(self.places.lock))
            except StoreError as wrong:
                raise ServiceError(str(wrong)) from wrong
            yield


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part)
