"""The real server's life: up, up again, killed, stopped, its data of another version, its secrets."""

import json
import os
import signal
import stat
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest

from swe_assets.errors import ServiceError, SonarRightsError
from swe_assets.services.accounts import service_account
from swe_assets.services.processes import is_alive, wait_for_end
from swe_assets.sonarqube.administration import Account, Administration
from swe_assets.sonarqube.connection import SonarConnection, find_connection
from swe_assets.sonarqube.credentials import ADMIN, FIRST_PASSWORD, ROBOT
from swe_assets.sonarqube.leftovers import processes
from swe_assets.sonarqube.places import ServerPlaces
from swe_assets.sonarqube.server import SonarServer
from swe_assets.sonarqube.standing import standing
from swe_assets.sonarqube.state import ServerState, load_state

START = 1500.0


def state_of(places: ServerPlaces) -> ServerState:
    """Return what is remembered of the server."""
    state = load_state(places)
    assert state is not None
    return state


def robot(connection: SonarConnection) -> Administration:
    """Return the server as the account that scans sees it."""
    return Administration(connection.url, Account(ROBOT, token=connection.token))


def admin(places: ServerPlaces) -> Administration:
    """Return the server as its administrator sees it."""
    return Administration(state_of(places).url, Account(ADMIN, places.password.read_text()))


def new_project(connection: SonarConnection) -> str:
    """Make a project of a name that no other test has, and return its key."""
    key = f"life-{uuid4().hex}"
    robot(connection).post("api/projects/create", project=key, name="life")
    return key


def test_it_runs_apart(sonar_places: ServerPlaces, sonar_server: SonarConnection) -> None:
    """All four parts run as the service account where we are root, and status names them."""
    found = standing(sonar_places)
    assert (found.state, found.kind, found.version) == ("up", "private", "25.11.0.114957")
    assert {"main", "search", "web", "ce"} <= set(found.processes.values())
    account = service_account()
    owners = {Path(f"/proc/{pid}").stat().st_uid for pid in found.processes}
    assert owners == {account.uid if account else os.getuid()}


def test_search_keeps_its_files_to_itself(sonar_places: ServerPlaces, sonar_server: SonarConnection) -> None:
    """The search engine's temporary folder is the server's own, not the machine's."""
    pids = [pid for pid, kind in standing(sonar_places).processes.items() if kind == "search"]
    wanted = f"ES_TMPDIR={sonar_places.search_temp}".encode()
    assert pids and all(wanted in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0") for pid in pids)


def test_it_listens_on_this_machine_alone(sonar_places: ServerPlaces, sonar_server: SonarConnection) -> None:
    """Each TCP socket that its processes listen on is bound to a loopback address."""
    inodes = set()
    for pid in standing(sonar_places).processes:
        inodes |= {
            str(fd.readlink()).removeprefix("socket:[").removesuffix("]")
            for fd in Path(f"/proc/{pid}/fd").iterdir()
            if fd.is_symlink()
        }
    rows = [
        line.split()
        for name in ("tcp", "tcp6")
        for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]
    ]
    bound = {row[1].split(":")[0] for row in rows if row[3] == "0A" and row[9] in inodes}
    assert bound <= {"0100007F", "0000000000000000FFFF00000100007F", "00000000000000000000000001000000"}
    assert bound


def test_it_tells_nobody(sonar_places: ServerPlaces, sonar_server: SonarConnection) -> None:
    """Telemetry and update centre are off, and the database is the one that was chosen."""
    told = admin(sonar_places).get("api/system/info")
    assert told["Settings"]["sonar.telemetry.enable"] == "false"
    assert told["Settings"]["sonar.updatecenter.activate"] == "false"
    product = {"postgres": "PostgreSQL", "h2": "H2"}[state_of(sonar_places).database]
    assert told["Database"]["Database"] == product


def test_the_first_password_is_gone(sonar_places: ServerPlaces, sonar_server: SonarConnection) -> None:
    """Nobody signs in by the password that every new server has."""
    assert not Administration(sonar_server.url, Account(ADMIN, FIRST_PASSWORD)).signed_in()
    assert admin(sonar_places).signed_in()


def test_the_token_has_few_rights(sonar_server: SonarConnection) -> None:
    """The token makes a project, reads and removes it, and sees nothing of the administrator's."""
    seen = robot(sonar_server)
    key = new_project(sonar_server)
    assert seen.get("api/measures/component_tree", component=key, metricKeys="ncloc")["paging"]
    for path in ("api/system/info", "api/projects/search"):
        with pytest.raises(SonarRightsError):
            seen.get(path)
    seen.post("api/projects/delete", project=key)


def test_secrets_are_in_their_files_alone(sonar_places: ServerPlaces, sonar_server: SonarConnection) -> None:
    """No file below the cache but those of mode 0600 holds a password or token, nor does a command line."""
    kept = {sonar_places.password: sonar_places.password.read_text(), sonar_places.token: sonar_server.token}
    properties = Path(state_of(sonar_places).home) / "conf" / "sonar.properties"
    if state_of(sonar_places).database == "postgres":
        kept[sonar_places.postgres / "password"] = (sonar_places.postgres / "password").read_text()
    holding = {
        path
        for path in files(sonar_places.folder)
        if any(s.encode() in path.read_bytes() for s in kept.values())
    }
    assert holding <= {*kept, properties}
    assert {stat.S_IMODE(path.stat().st_mode) for path in (*kept, properties)} == {0o600}
    lines = b"".join(Path(f"/proc/{pid}/cmdline").read_bytes() for pid in standing(sonar_places).processes)
    shown = json.dumps(standing(sonar_places).record()) + repr(sonar_server) + lines.decode()
    assert not any(secret in shown for secret in kept.values())


def files(folder: Path) -> list[Path]:
    """Return the files below a folder that are written while a server runs, without Sonar's own programs."""
    inside = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    return [
        path
        for path in inside
        if path.suffix not in (".jar", ".gz", ".so") and path.stat().st_size < 50_000_000
    ]


def test_up_twice_is_harmless(sonar_places: ServerPlaces, sonar_server: SonarConnection) -> None:
    """Several `up` at once and after each other leave one server, with the same token."""
    before = state_of(sonar_places).mark
    with ThreadPoolExecutor(3) as pool:
        made = list(pool.map(lambda _: SonarServer(sonar_places).up(), range(3)))
    assert {one.token for one in made} == {sonar_server.token}
    assert state_of(sonar_places).mark == before


def test_it_is_found(sonar_places: ServerPlaces, sonar_server: SonarConnection) -> None:
    """Without any variable the remembered server is the one that is asked."""
    assert find_connection({}, places=sonar_places) == sonar_server


def test_a_token_that_the_server_does_not_know(
    sonar_alone: ServerPlaces, sonar_server: SonarConnection
) -> None:
    """Where the token in the file is not valid any more, `up` makes another, and writes it there."""
    sonar_alone.token.write_text("squ_" + "0" * 40)
    made = SonarServer(sonar_alone).up()
    assert robot(made).signed_in()
    assert made.token == sonar_alone.token.read_text() != sonar_server.token


def test_another_database_is_refused(sonar_places: ServerPlaces, sonar_server: SonarConnection) -> None:
    """The database is chosen once: asking for the other one later is an error that says so."""
    other = {"postgres": "h2", "h2": "postgres"}[state_of(sonar_places).database]
    with pytest.raises(Exception, match=f"not {other}"):
        SonarServer(sonar_places).up(database=other)  # type: ignore[arg-type] # one of the two


def kill(places: ServerPlaces, *kinds: str) -> None:
    """Kill processes of the server as `kill -9` does."""
    for pid, kind in processes(places, service_account()).items():
        if kind in kinds:
            os.kill(pid, signal.SIGKILL)


def test_a_part_that_is_killed(sonar_alone: ServerPlaces, sonar_server: SonarConnection) -> None:
    """Where the web part is killed the rest ends by itself, and `up` brings it back with its data."""
    key = new_project(sonar_server)
    kill(sonar_alone, "web")
    made = SonarServer(sonar_alone).up(seconds=START)
    assert robot(made).get("api/components/show", component=key)["component"]
    robot(made).post("api/projects/delete", project=key)


def test_all_that_is_killed_and_older_data(sonar_alone: ServerPlaces, sonar_server: SonarConnection) -> None:
    """Main process and database killed, then stopped, then on data of an older version: it comes back."""
    key = new_project(sonar_server)
    database = SonarServer(sonar_alone).postgres.status().pid
    kill(sonar_alone, "main")
    if database:
        os.kill(database, signal.SIGKILL)
    wait_for_end(state_of(sonar_alone).mark, seconds=10)
    assert standing(sonar_alone).state == "broken"
    assert SonarServer(sonar_alone).down() is True
    assert (processes(sonar_alone, service_account()), standing(sonar_alone).state) == ({}, "down")
    older_data(sonar_alone)
    made = SonarServer(sonar_alone).up(seconds=START, migrate=True)
    assert robot(made).get("api/components/show", component=key)["component"]
    assert state_of(sonar_alone).data_version == "25.11.0.114957"
    robot(made).post("api/projects/delete", project=key)


def older_data(places: ServerPlaces) -> None:
    """Make Postgres's data that of an older version, which `up` changes only where it is told to."""
    state = state_of(places)
    if state.database != "postgres":
        return
    import psycopg2

    address = SonarServer(places).postgres.up()
    connection = psycopg2.connect(address.url)
    with connection, connection.cursor() as cursor:
        cursor.execute(
            "delete from schema_migrations where version in (select max(version) from schema_migrations)"
        )
    connection.close()
    replace(state, data_version="25.10.0.1").save(places)
    with pytest.raises(ServiceError, match=r"older version.*--migrate"):
        SonarServer(places).up(seconds=START)
    assert not is_alive(state_of(places).mark)
    assert SonarServer(places).postgres.status().state == "down"
