"""A private Postgres server: one folder, one database, on the loopback address alone."""

import json
import os
import secrets
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from swe_assets.errors import ConfigurationError, ServiceError, StoreError
from swe_assets.services.accounts import Account, service_account
from swe_assets.services.folders import make_folder, require_entry
from swe_assets.services.postgres_address import PostgresAddress
from swe_assets.services.postgres_binaries import Binaries, find_binaries
from swe_assets.services.postgres_cluster import initialise
from swe_assets.services.postgres_log import cause, size_of, turn_over
from swe_assets.services.postgres_probe import (
    Answer,
    ServerEndedError,
    make_database,
    probe,
    wait_until_ready,
)
from swe_assets.services.private_files import read_private, write_private
from swe_assets.services.processes import (
    free_port,
    is_alive,
    is_free,
    mark_of,
    start_detached,
    stop,
    wait_for_end,
)
from swe_assets.storage.locks import locked

HOST = "127.0.0.1"
_ATTEMPTS = 4
_STILL_ENDING = "still in use"  # processes of a killed server that have not noticed yet
_PORT_TAKEN = "Address already in use"


@dataclass(frozen=True)
class ServiceStatus:
    """How a server does: in one word, in a sentence, and by which process on which port."""

    state: Literal["up", "down", "starting", "broken"]
    detail: str
    pid: int | None = None
    port: int | None = None


class PostgresServer:
    """One private cluster in one folder; several live beside each other, each with its folder and port.

    The folder holds `data/` (owned by the account that runs the server), `server.log`, `state.json` (port and
    process) and `password`, which only the calling user can read. The database and its role, which owns the
    cluster, have the same name; it signs in with a password of 192 random bits by SCRAM-SHA-256, and the
    server listens on 127.0.0.1 alone and on no socket file.
    """

    def __init__(self, folder: Path, database: str) -> None:
        self.folder = folder
        self.database = database

    @property
    def log(self) -> Path:
        """Return the server's own log."""
        return self.folder / "server.log"

    @property
    def data(self) -> Path:
        """Return Postgres's data folder."""
        return self.folder / "data"

    def up(self) -> PostgresAddress:
        """Return the address of the server, made and started where it is not; harmless twice.

        Two at once take turns. A server that was killed recovers what was committed. Raises
        ConfigurationError where no fitting Postgres is installed or the folder cannot be used, ServiceError
        with the words of the server's own log where it does not start.
        """
        account = service_account()
        make_folder(self.folder, mode=0o711 if account is not None else 0o700)
        require_entry(self.folder, account)
        with self._turn():
            binaries = find_binaries(self._data_major())
            if not self.data.is_dir():
                password = secrets.token_urlsafe(24)
                write_private(self.folder / "password", password)
                initialise(binaries, self.data, self.database, password, account)
            address = self.address()
            if not self._goes_on(address):
                address = self._start(binaries, account)
            make_database(address)
        return address

    def address(self) -> PostgresAddress:
        """Return where the server is, or last was, without asking it; ConfigurationError if never made."""
        password = read_private(self.folder / "password")
        if not self.data.is_dir():
            raise ConfigurationError(f"there is no Postgres in {str(self.folder)!r} yet: start it with `up`")
        if not password:
            raise ConfigurationError(
                f"{str(self.folder / 'password')!r} is missing, and without it the data cannot be read: put "
                f"it back, or remove {str(self.folder)!r} to begin anew"
            )
        return PostgresAddress(HOST, self._port(), self.database, self.database, password)

    def status(self) -> ServiceStatus:
        """Return how the server does now; it changes nothing."""
        try:
            if not self.data.is_dir():
                return ServiceStatus("down", f"never started; its folder would be {str(self.folder)!r}")
            address, mark = self.address(), self._mark()
        except (ConfigurationError, OSError) as wrong:
            return ServiceStatus("broken", str(wrong))
        if mark is None:
            return ServiceStatus("down", f"not running; its data is in {str(self.folder)!r}")
        pid = int(mark.partition(":")[0])
        found = probe(address)
        states: dict[Answer, Literal["up", "starting", "broken"]] = {
            Answer.READY: "up",
            Answer.NO_DATABASE: "starting",
            Answer.STARTING: "starting",
            Answer.SILENT: "starting",
            Answer.REFUSED: "broken",
        }
        detail = address.safe_url if found.answer is Answer.READY else found.words
        return ServiceStatus(states[found.answer], detail, pid, address.port)

    def down(self, *, seconds: float = 60) -> bool:
        """Stop the server and wait until it has ended; return whether it ran.

        Connected programs are cut off, what they committed stays (Postgres's fast shutdown). One that has not
        ended within so many seconds is killed, and recovers at the next `up`.
        """
        if not self.data.is_dir():
            return False
        with self._turn():
            mark = self._mark()
            return mark is not None and stop(mark, seconds=seconds, gently=signal.SIGINT)

    def _goes_on(self, address: PostgresAddress) -> bool:
        """Return whether a server runs already, once it is ready; one that is just ending does not."""
        if self._mark() is None:
            return False
        try:
            wait_until_ready(address, self._mark, lambda: cause(self.log, since=0))
        except ServerEndedError:
            return False
        return True

    def _start(self, binaries: Binaries, account: Account | None) -> PostgresAddress:
        turn_over(self.log)
        for attempt in range(1, _ATTEMPTS + 1):
            since = size_of(self.log)
            port = self._port()
            if not port or not is_free(port, HOST):
                port = free_port(HOST)
            mark = self._launch(binaries, port, account)
            try:
                self._await(mark, since)
            except ServiceError as wrong:
                words = str(wrong)
                if attempt == _ATTEMPTS or not (_STILL_ENDING in words or _PORT_TAKEN in words):
                    raise
                wait_for_end(mark, seconds=1.0)
            else:
                break
        return self.address()

    def _await(self, mark: str, since: int) -> None:
        wait_until_ready(
            self.address(),
            lambda: mark if is_alive(mark) else None,
            lambda: cause(self.log, since=since),
        )

    def _launch(self, binaries: Binaries, port: int, account: Account | None) -> str:
        self._remove_stale_pid_file()
        settings = {"listen_addresses": HOST, "port": str(port), "unix_socket_directories": ""}
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        mark = start_detached(
            [binaries.postgres, "-D", str(self.data), *options],
            log=self.log,
            env={"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"},
            account=account,
            cwd=self.folder,
        )
        write_private(self.folder / "state.json", json.dumps({"port": port, "mark": mark}))
        return mark

    @contextmanager
    def _turn(self) -> Iterator[None]:
        try:
            with locked(self.folder / "lock"):
                yield
        except StoreError as wrong:
            raise ServiceError(str(wrong)) from wrong

    def _state(self) -> tuple[int, str]:
        """Return the port and mark of the last start, 0 and an empty text where there was none."""
        try:
            state = json.loads(read_private(self.folder / "state.json") or "{}")
            return int(state.get("port", 0)), str(state.get("mark", ""))
        except (ValueError, AttributeError):
            return 0, ""

    def _port(self) -> int:
        return self._running_port() or self._state()[0]

    def _mark(self) -> str | None:
        """Return the mark of the server that runs on this data, ours or one that was started otherwise."""
        mark = self._state()[1]
        if mark and is_alive(mark):
            return mark
        pid = self._pid_file()[0]
        return mark_of(pid) if pid and self._serves(pid) else None

    def _running_port(self) -> int:
        pid, port = self._pid_file()
        return port if pid and self._serves(pid) else 0

    def _pid_file(self) -> tuple[int, int]:
        """Return process number and port of Postgres's own file, zeros where there is none or it is torn."""
        try:
            lines = (self.data / "postmaster.pid").read_text(encoding="utf-8").splitlines()
            return int(lines[0]), int(lines[3])
        except (OSError, ValueError, IndexError):
            return 0, 0

    def _serves(self, pid: int) -> bool:
        """Return whether the process works in this data folder, as only its own server does."""
        try:
            return Path(f"/proc/{pid}/cwd").resolve(strict=True) == self.data.resolve()
        except OSError:
            return False

    def _remove_stale_pid_file(self) -> None:
        """Remove the file of a server that was killed: its number may be another process's by now.

        Postgres itself still refuses a folder whose shared memory is in use.
        """
        pid, _ = self._pid_file()
        if Path("/proc/self").exists() and not (pid and self._serves(pid)):
            (self.data / "postmaster.pid").unlink(missing_ok=True)

    def _data_major(self) -> int | None:
        """Return the major version that made the data, nothing where there is none yet."""
        if not self.data.is_dir():
            return None
        try:
            return int((self.data / "PG_VERSION").read_text(encoding="ascii"))
        except (OSError, ValueError) as wrong:
            raise ServiceError(
                f"{str(self.data)!r} is no data folder of Postgres ({wrong}): remove it to begin anew, "
                "or put the data back"
            ) from wrong
