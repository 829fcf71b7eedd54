"""Fixtures that several folders of tests share."""

import signal
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from swe_assets.patch_quality.sample import Sample, build
from swe_assets.services.postgres import PostgresServer
from swe_assets_tests.postgres_case import open_folder, private_postgres
from swe_assets_tests.sonarqube.shared_server import (
    START_SECONDS,
    sonar_alone,
    sonar_places,
    sonar_server,
    turn,
)

__all__ = ["sonar_alone", "sonar_places", "sonar_server"]


def pytest_configure() -> None:
    """Let children be interrupted, also where the tests run behind a shell's `&`, which ignores Ctrl-C."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give the tests on the real SonarQube server the time that its start takes, and one worker group."""
    for item in items:
        if "sonar_places" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.timeout(START_SECONDS))
            item.add_marker(pytest.mark.xdist_group("sonar"))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Let a test that may kill the real SonarQube server run while no other test uses it."""
    with turn(getattr(item, "fixturenames", ())):
        return (yield)


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    """Build the sample's repositories, dataset, predictions and results once a session."""
    folder: Path = tmp_path_factory.mktemp("sample input") / "sample"
    return build(folder)


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """Give one Postgres server for the session; tests that stop or kill a server start one of their own."""
    with open_folder() as folder, private_postgres(folder / "postgres") as server:
        yield server
