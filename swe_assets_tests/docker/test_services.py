"""Each service's exact command, started on a real Postgres, does its part of the sample study.

SonarQube's server is started for real by the tests of `swe-assets sonar`; here its service is read only.
"""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg2
import pytest

from swe_assets.patch_quality.report_assets import REPORT_NAMES
from swe_assets.patch_quality.stages import STAGE_NAMES
from swe_assets_tests.docker.composed import floors, services
from swe_assets_tests.docker.native import Native
from swe_assets_tests.docker.stack import PIN, Place, Stack, started

STUDY = "sample"

pytestmark = pytest.mark.timeout(1800)


@pytest.fixture(scope="module")
def stack(open_folder: Path) -> Iterator[Stack]:
    """Start all services of ours on this machine."""
    place = Place(open_folder / "stack")
    with started(place, Native(place)) as stack:
        yield stack


@pytest.fixture(scope="module")
def finished(stack: Stack) -> str:
    """Pin the sample in the running code server, reload it from the UI and give a whole backfill's id."""
    return work_sample(stack)


def work_sample(stack: Stack) -> str:
    """Pin the sample, reload the code location, backfill everything, wait for the end and return the id."""
    (floor,) = floors().values()
    done = stack.run(floor, ["python", "-c", PIN])
    assert done.returncode == 0, done.stderr
    assert stack.ui.reload(floor.name) == "LOADED"
    backfill, ended = stack.backfill(STUDY, (*STAGE_NAMES, *REPORT_NAMES))
    assert ended == "COMPLETED_SUCCESS"
    return backfill


def test_sample_study_is_finished(finished: str, stack: Stack) -> None:
    """A backfill launched in the web server ends well: every partition and the report are there."""
    study = stack.place.folder / "home" / "studies" / STUDY
    ids = (study / "instances.txt").read_text(encoding="utf-8").split()
    for stage in STAGE_NAMES:
        assert sorted(stack.ui.partitions(STUDY, stage)) == sorted(ids)
    assert (study / "results" / "report.html").is_file()


def tagged(place: Place, key: str) -> dict[str, str]:
    """Return the value of a tag by run, read in Dagster's database."""
    account = {"host": "127.0.0.1", "port": place.ports["5432"], "user": "dagster", "dbname": "dagster"}
    connection = psycopg2.connect(**account, password=place.secret("dagster_password"))
    with closing(connection), connection.cursor() as cursor:
        cursor.execute("SELECT run_id, value FROM run_tags WHERE key = %s", (key,))
        return dict(cursor.fetchall())


def test_runs_are_in_postgres(finished: str, stack: Stack) -> None:
    """The runs of the backfill are rows in Dagster's database, and no SQLite file was made."""
    runs = [run for run, value in tagged(stack.place, "dagster/backfill").items() if value == finished]
    assert sorted(runs) == sorted(run["runId"] for run in stack.ui.runs_of(finished))
    assert len(runs) > 1
    assert list((stack.place.folder / "home").rglob("*.db")) == []


def test_runs_went_through_the_code_server(finished: str, stack: Stack) -> None:
    """The default launcher started each run in the code server, whose port stands in the run's hidden tag."""
    launched = tagged(stack.place, ".dagster/grpc_info")
    assert {run["runId"] for run in stack.ui.runs_of(finished)} <= launched.keys()
    assert {json.loads(value)["port"] for value in launched.values()} == {stack.place.ports["4000"]}


def test_command_line_sees_what_the_daemon_did(finished: str, stack: Stack) -> None:
    """The command line beside the code server finds nothing left to do."""
    (floor,) = floors().values()
    done = stack.run(floor, ["python", "-m", "swe_assets", "run", STUDY, "--dry-run"])
    assert done.returncode == 0, done.stderr
    assert "evaluation_results: current" in done.stdout + done.stderr


def test_health_checks_fail_without_their_service(stack: Stack, tmp_path: Path) -> None:
    """Each health check is well while its service runs, and fails where nothing answers."""
    nowhere = Place(tmp_path / "nowhere")
    alone = Stack(nowhere, Native(nowhere), stack.held)
    for service in services().values():
        if service.is_ours and service.check:
            assert stack.run(service, service.check, entered=True).returncode == 0
            assert alone.run(service, service.check, entered=True).returncode != 0


def test_roles_are_kept_apart(stack: Stack) -> None:
    """SonarQube's role opens its own database and not Dagster's."""
    place = stack.place
    account = {
        "host": "127.0.0.1",
        "port": place.ports["5432"],
        "user": "sonarqube",
        "password": place.secret("sonarqube_password"),
    }
    psycopg2.connect(**account, dbname="sonarqube").close()
    with pytest.raises(psycopg2.OperationalError, match="permission denied"):
        psycopg2.connect(**account, dbname="dagster")


def test_passwords_are_nowhere(finished: str, stack: Stack) -> None:
    """No password stands in a service's log, on a command line, or in what was stored."""
    place = stack.place
    secret = [place.secret(path.name) for path in (place.folder / "secrets").iterdir()]
    lines = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if path.exists()]
    files = [path for folder in ("home", "cache") for path in (place.folder / folder).rglob("*")]
    stored = [path.read_bytes() for path in [*files, *place.folder.glob("*.log")] if path.is_file()]
    for password in secret:
        assert not [text for text in [*lines, *stored] if password.encode() in text]
