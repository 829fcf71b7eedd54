"""Where this home keeps Dagster's records: SQLite, a private Postgres, or one that a URL names.

The URL is SWE_ASSETS_POSTGRES_URL, from the environment or from the file .env of SWE_ASSETS_HOME. Without
one, `swe-assets postgres up` turns the home to its private server and `swe-assets postgres down --sqlite`
turns it back; neither a server that is down nor one that was killed ever turns it by itself.
"""

import fcntl
import hashlib
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO
from urllib.parse import quote, unquote, urlsplit

from swe_assets.errors import ConfigurationError, StoreError
from swe_assets.home import dagster_home, home
from swe_assets.llm.keys import named_in_file
from swe_assets.services.accounts import planned_account
from swe_assets.services.folders import require_entry
from swe_assets.services.postgres import PostgresServer
from swe_assets.storage.atomic import remove, write_text

VARIABLE = "SWE_ASSETS_POSTGRES_URL"
DATABASE = "dagster"
ROOT_FOLDER = Path("/var/lib/swe-assets")
_SCHEMES = ("postgresql", "postgres", "postgresql+psycopg2")


@dataclass(frozen=True)
class RecordsPlace:
    """One place of records: the URL to connect with (None: SQLite), how it is shown, and what chose it."""

    url: str | None = field(repr=False)
    shown: str
    source: str
    back: str = ""

    @property
    def sentence(self) -> str:
        """Return the place and its source in one sentence for people."""
        return f"Dagster's records: {self.shown} ({self.source})"


def records_place() -> RecordsPlace:
    """Return where this home's records are kept, without asking any server.

    Raises ConfigurationError where the URL is none of Postgres's or the private server's password is gone.
    """
    named = os.environ.get(VARIABLE, "").strip()
    source = f"{VARIABLE} in the environment"
    if not named:
        named, source = named_in_file(home() / ".env", VARIABLE), f"{VARIABLE} in {home() / '.env'}"
    if named:
        return RecordsPlace(checked_url(named), safe_url(named), source, f"take {VARIABLE} away")
    if _switch().is_file():
        address = private_server().address()
        back = "`swe-assets postgres down --sqlite`"
        return RecordsPlace(address.url, address.safe_url, "by `swe-assets postgres up`", back)
    return RecordsPlace(None, f"SQLite in {dagster_home() / 'storage'}", "the default")


def checked_url(url: str) -> str:
    """Return the URL as SQLAlchemy and libpq both take it; ConfigurationError, which never shows it, else."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:  # whose words hold parts of the URL, so it is no cause of ours
        parts = None
    if parts is None or "@" in parts.path or "@" in parts.netloc.rpartition("@")[0]:
        raise ConfigurationError(
            f"{VARIABLE} cannot be taken apart: is the port a number, and is what is special in the password "
            f"written as %XX? Give {_form()}"
        )
    if parts.scheme not in _SCHEMES:
        raise ConfigurationError(f"{VARIABLE} begins with {parts.scheme!r}: give {_form()}")
    if not parts.path.strip("/"):
        raise ConfigurationError(f"{VARIABLE} names no database: give {_form()}")
    return f"postgresql{url[len(parts.scheme) :]}"


def _form() -> str:
    return "postgresql://USER:PASSWORD@HOST:PORT/DATABASE, with what is special in the password as %XX"


def safe_url(url: str) -> str:
    """Return a URL's user, host, port and database, and nothing that could be a secret."""
    parts = urlsplit(url)
    user = f"{quote(unquote(parts.username), safe='')}@" if parts.username else ""
    host = parts.netloc.rpartition("@")[2]
    return f"postgresql://{user}{host}/{parts.path.strip('/')}"


def private_server() -> PostgresServer:
    """Return this home's private server, whether it was ever started or not.

    Its data are records and no cache, so they lie with the home, in `.dagster_home/postgres`. Root's server
    runs as another account: where that one cannot enter the home, such as below /root, the data lie in
    /var/lib/swe-assets under a name made from the home's path.
    """
    inside = dagster_home() / "postgres"
    if _switch().is_file():
        kept = _switch().read_text(encoding="utf-8").strip()
        return PostgresServer(Path(kept) if kept else inside, DATABASE)
    try:
        require_entry(inside, planned_account())
    except ConfigurationError:
        name = hashlib.sha256(str(home()).encode()).hexdigest()[:12]
        return PostgresServer(ROOT_FOLDER / f"postgres-{name}", DATABASE)
    return PostgresServer(inside, DATABASE)


def is_turned() -> bool:
    """Return whether `swe-assets postgres up` has turned this home to its private server."""
    return _switch().is_file()


def turn_to_postgres(server: PostgresServer) -> bool:
    """Turn the home to its private server and return whether it was not yet.

    Raises StoreError where a run or the UI has the records in SQLite open: it would go on writing there.
    """
    if is_turned():
        return False
    with _no_one_else():
        inside = server.folder == dagster_home() / "postgres"
        write_text(_switch(), "" if inside else str(server.folder), durable=True)
    return True


def turn_to_sqlite() -> bool:
    """Turn the home back to SQLite and return whether it was turned; StoreError where records are open."""
    if not is_turned():
        return False
    with _no_one_else():
        remove(_switch())
    return True


def hold_place() -> IO[str] | None:
    """Return an open file that keeps others from turning the home, as long as it is open.

    None where the file cannot be locked, as on some network disks.
    """
    try:
        handle = (dagster_home() / "records.lock").open("a", encoding="utf-8")
        fcntl.flock(handle, fcntl.LOCK_SH)
    except OSError:
        return None
    return handle


def _no_one_else() -> IO[str]:
    dagster_home().mkdir(parents=True, exist_ok=True)
    handle = (dagster_home() / "records.lock").open("a", encoding="utf-8")
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as wrong:
        handle.close()
        raise StoreError(
            "Dagster's records are open in another process, which would go on where they are now: "
            "end `make ui`, runs and other dagster commands of this home first"
        ) from wrong
    return handle


def _switch() -> Path:
    return dagster_home() / "records-on-postgres"
