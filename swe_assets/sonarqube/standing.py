"""How the server does that `swe-assets sonar` started or remembered."""

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from swe_assets.services.accounts import planned_account
from swe_assets.services.postgres import PostgresServer, ServiceStatus
from swe_assets.services.processes import is_alive
from swe_assets.sonarqube.connection import read_state
from swe_assets.sonarqube.health import Answer, Health, ask
from swe_assets.sonarqube.leftovers import processes
from swe_assets.sonarqube.places import ServerPlaces
from swe_assets.sonarqube.state import ServerState, load_state

State = Literal["up", "starting", "down", "broken"]
_SECONDS = 5.0
_STARTING = {Answer.STARTING, Answer.RESTARTING, Answer.SILENT, Answer.DB_MIGRATION_RUNNING}


@dataclass(frozen=True)
class Standing:
    """How a server does, in one word and in a sentence, and where everything of it is; without secrets.

    `kind` is `private`, `named` (one of the user's own) or `none`; `processes` are kinds by number, and
    `memory_mib` is the resident memory of all of them without Postgres.
    """

    state: State
    detail: str
    kind: Literal["private", "named", "none"]
    url: str = ""
    version: str = ""
    java: str = ""
    database: str = ""
    database_state: str = ""
    ports: dict[str, int] = field(default_factory=dict)
    processes: dict[int, str] = field(default_factory=dict)
    memory_mib: int = 0
    folder: str = ""
    data: str = ""
    logs: str = ""
    token_file: str = ""

    def record(self) -> dict[str, Any]:
        """Return the standing as JSON knows it."""
        return asdict(self)


def standing(places: ServerPlaces) -> Standing:
    """Return how the remembered server does now; it changes nothing.

    Raises ConfigurationError where what is remembered cannot be read.
    """
    named = read_state(places.named)
    if named:
        return _named(str(named.get("url", "")), places)
    state = load_state(places)
    if state is None:
        return Standing("down", "never started: `swe-assets sonar up`", "none", folder=str(places.folder))
    return _private(state, places)


def _named(url: str, places: ServerPlaces) -> Standing:
    health = ask(url, seconds=_SECONDS)
    states: dict[Answer, State] = {Answer.UP: "up", Answer.SILENT: "down"}
    state = states.get(health.answer, "starting" if health.answer in _STARTING else "broken")
    return Standing(state, health.words, "named", url, health.version, token_file=str(places.named_token))


def _private(state: ServerState, places: ServerPlaces) -> Standing:
    """Return how the private server does: its processes, its answer, its database."""
    running = processes(places, planned_account())
    alive = is_alive(state.mark)
    health = ask(state.url, seconds=_SECONDS) if alive else None
    base = PostgresServer(places.postgres, "sonarqube").status() if state.database == "postgres" else None
    word, detail = _word(health, running, base)
    ports = {"web": state.ports.web, "search": state.ports.search, "transport": state.ports.transport}
    ports["database"] = state.ports.embedded if base is None else base.port or 0
    return Standing(
        word,
        detail,
        "private",
        url=state.url,
        version=state.version,
        java=state.java,
        database=state.database,
        database_state=base.state if base else ("up" if health else "down"),
        ports=ports,
        processes=running,
        memory_mib=sum(map(_resident, running)),
        folder=str(places.folder),
        data=str(places.data),
        logs=str(places.logs),
        token_file=str(places.token),
    )


def _word(health: Health | None, running: dict[int, str], base: ServiceStatus | None) -> tuple[State, str]:
    """Return the state in one word and in a sentence."""
    if health is None:
        if running:
            return (
                "broken",
                "its main process was killed: `swe-assets sonar up` ends the rest and starts anew",
            )
        return "down", "not running: `swe-assets sonar up` starts it with its data"
    if health.answer in _STARTING:
        return "starting", health.words
    if health.answer is not Answer.UP:
        return "broken", f"{health.words}: see its logs, or `swe-assets sonar up`"
    if base is not None and base.state != "up":
        return "broken", f"its Postgres is {base.state}: `swe-assets sonar up` starts it ({base.detail})"
    return "up", health.words


def _resident(pid: int) -> int:
    """Return a process's resident memory in MiB, 0 where it is gone."""
    try:
        with open(f"/proc/{pid}/status", encoding="utf-8") as lines:  # noqa: PTH123 - a line of a kernel file
            return next((int(line.split()[1]) // 1024 for line in lines if line.startswith("VmRSS:")), 0)
    except (OSError, ValueError):
        return 0
