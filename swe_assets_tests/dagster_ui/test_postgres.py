"""The UI, its daemon and our command line share their records on a real Postgres."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from swe_assets.patch_quality.sample import Sample
from swe_assets.services.postgres import PostgresServer
from swe_assets.storage.place import VARIABLE
from swe_assets_tests.dagster_ui.graphql import Ui
from swe_assets_tests.dagster_ui.pinned import pin
from swe_assets_tests.dagster_ui.services import dagster_dev
from swe_assets_tests.dagster_ui.test_both_ways import counts, planned
from swe_assets_tests.patch_quality.small_study import SmallStudy
from swe_assets_tests.postgres_case import ask, fresh_database

FIRST = ("patches", "mapeamento_commits", "arquivos_reconstruidos")
CHOSEN = (1, 3, 4, 8)
"""Places of the instances to backfill: three ranges apart from one another."""

pytestmark = pytest.mark.timeout(900)


@pytest.fixture(scope="module")
def study(postgres: PostgresServer, sample: Sample, tmp_path_factory: pytest.TempPathFactory) -> SmallStudy:
    """Pin a study in a home whose records are on an empty database."""
    home: Path = tmp_path_factory.mktemp("on postgres") / "home"
    (home / "user").mkdir(parents=True)
    return pin(home, sample, "there", **{VARIABLE: fresh_database(postgres).url})


@pytest.fixture(scope="module")
def ui(study: SmallStudy, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ui]:
    """Serve the study by stock `dagster dev`, web server and daemon."""
    with dagster_dev(study.variables(), tmp_path_factory.mktemp("services")) as address:
        yield Ui(address)


@pytest.fixture(scope="module")
def backfill(study: SmallStudy, ui: Ui) -> str:
    """Give the id of a backfill of the chosen partitions that is over."""
    started = ui.backfill(study.name, FIRST, [study.instances[place] for place in CHOSEN])
    assert ui.backfilled(started) == "COMPLETED_SUCCESS"
    return started


def test_a_backfill_of_arbitrary_partitions(study: SmallStudy, ui: Ui, backfill: str) -> None:
    """The daemon works partitions that are not contiguous, in a run for each range, and no others."""
    chosen = [study.instances[place] for place in CHOSEN]
    for stage in FIRST:
        assert Counter(ui.partitions(study.name, stage)) == Counter(chosen)
        assert ui.events(study.name, stage) == Counter(chosen)
    assert len(ui.runs_of(backfill)) >= 3
    assert counts(study, FIRST[-1])["missing"] == len(study.instances) - len(chosen)


def test_our_run_completes_it(study: SmallStudy, ui: Ui, backfill: str) -> None:
    """Our run beside the UI does what is left, and the UI shows every instance materialised and fresh."""
    study.run()
    for stage in FIRST:
        assert set(ui.partitions(study.name, stage)) == set(study.instances)
    assert set(planned(study).values()) == {"current"}
    assert {node["staleStatus"] for node in ui.nodes(study.name).values()} == {"FRESH"}


def test_all_of_it_is_on_the_server(study: SmallStudy, ui: Ui, postgres: PostgresServer) -> None:
    """Web server, daemon and workers made no SQLite file, and none shows the password on its command line."""
    assert not list(study.home.rglob("*.db"))
    password = postgres.address().password.encode()
    assert ask(postgres.address(), "SELECT 1") == [(1,)]
    lines = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            lines.append(path.read_bytes())
        except OSError:
            continue
    assert not any(password in line for line in lines)
