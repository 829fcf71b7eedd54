"""Scans side by side: what fails is split until it stands alone, what stops the work stops all of it."""

import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from swe_assets.analysers.projects import HandedOver, Offer, Project
from swe_assets.analysers.protocol import SourceFile
from swe_assets.errors import (
    AnalyserUnavailableError,
    ScannerError,
    SonarRightsError,
    SonarServerError,
    SonarTimeoutError,
    StoreError,
)
from swe_assets.sonarqube.batches import PER_INSTANCE, ScanOptions, packed
from swe_assets.sonarqube.client import SonarClient
from swe_assets.sonarqube.patience import Patience
from swe_assets.sonarqube.scanner import Running
from swe_assets.sonarqube.scans import Scans
from swe_assets_tests.sonarqube.fake_scan import FakeServer, fake_scanner, fake_server

DIES_ON_BAD = "sys.exit(7) if any(b'BAD' in source(path) for path in FILES) else upload()"


def scans(folder: Path, server: FakeServer, body: str = "upload()", **how: Any) -> Scans:
    """Return scans by a fake scanner, eight instances at most together."""
    running = Running()
    patience = Patience(attempts=2, first_wait_s=0.01, sleep=lambda s: running.nap(min(s, 0.01)))
    options = replace(ScanOptions("study", modules=8, task_seconds=2.0), **how)
    return Scans(
        client=SonarClient(server.connection, patience=patience),
        connection=server.connection,
        tools=fake_scanner(folder, body),
        options=options,
        provenance={"server": "25.11"},
        folder=folder / "scans",
        logs=folder / "logs",
        running=running,
    )


def offers(count: int, bad: tuple[int, ...] = ()) -> list[Offer]:
    """Return that many instances of one file; those that are bad say so."""
    projects = (
        Project(f"i-{n}", "patched", (SourceFile("a.py", (b"BAD" if n in bad else b"x") + b" = %d\n" % n),))
        for n in range(count)
    )
    return [Offer(one.instance_id, partial(tuple, [one])) for one in projects]


def handed(found: Scans, offered: list[Offer]) -> dict[str, HandedOver]:
    """Return what became of each instance; each comes once."""
    results = list(found.run(packed(offered, found.options, lambda _: None)))
    assert len({one.instance_id for one in results}) == len(results) == len(offered)
    return {one.instance_id: one for one in results}


def test_a_batch_that_goes_well(tmp_path: Path) -> None:
    """Three instances are three modules of one project; each receipt has its task, analysis and files."""
    with fake_server() as server:
        found = handed(scans(tmp_path, server), offers(3))
    receipts = [found[f"i-{n}"].receipts["patched"] for n in range(3)]
    assert {one["project"] for one in receipts} == set(server.files)
    assert [one["module"] for one in receipts] == ["m00001", "m00002", "m00003"]
    assert receipts[2]["components"] == {"a.py": "m00003/a.py"}
    assert {(one["task"], one["analysis"]) for one in receipts} == {("T1", "A-T1")}
    assert len({one["uploaded"] for one in receipts}) == 3


def test_a_log_that_is_gone(tmp_path: Path) -> None:
    """A scan whose log was removed while the server worked is a scan all the same."""

    def removes_the_log(_key: str, _files: list[str]) -> dict[str, Any]:
        for log in (tmp_path / "logs").glob("*.log"):
            log.unlink()
        return {"status": "SUCCESS"}

    with fake_server(task=removes_the_log) as server:
        (found,) = handed(scans(tmp_path, server), offers(1)).values()
    assert found.receipts["patched"]["stopped_at_line"] == {}


def test_one_project_an_instance(tmp_path: Path) -> None:
    """In per-instance mode each project is scanned as itself, under the instance's own key."""
    with fake_server() as server:
        found = handed(scans(tmp_path, server, mode=PER_INSTANCE), offers(3))
    assert set(server.files) == {"study:i-0", "study:i-1", "study:i-2"}
    assert found["i-1"].receipts["patched"]["components"] == {"a.py": "a.py"}


def test_a_project_with_a_quality_profile_of_its_own(tmp_path: Path) -> None:
    """An instance's project that somebody gave other rules fails alone, and the message names them."""
    with fake_server(profiles={"study:i-1": "strict"}) as server:
        found = scans(tmp_path, server, mode=PER_INSTANCE)
        found.provenance = {"profile": "the default way", "profile_key": "default"}
        results = handed(found, offers(3))
    assert [one.error is None for _, one in sorted(results.items())] == [True, False, True]
    assert "'the strict way'" in str(results["i-1"].error)


def test_the_one_that_kills_the_scanner_stands_alone(tmp_path: Path) -> None:
    """Of eight in a batch the one at fault fails with the scanner's words, the seven others go on."""
    with fake_server() as server:
        found = handed(scans(tmp_path, server, DIES_ON_BAD), offers(8, bad=(5,)))
    assert [i for i, one in found.items() if one.error] == ["i-5"]
    assert isinstance(found["i-5"].error, ScannerError)
    assert all(found[f"i-{n}"].receipts["patched"]["uploaded"] for n in range(8) if n != 5)


def test_a_task_that_fails_is_split_as_well(tmp_path: Path) -> None:
    """A report that the server cannot take fails the instances at fault, with the server's own words."""

    def task(_key: str, files: list[str]) -> dict[str, Any]:
        said = {"status": "FAILED", "errorMessage": "Fail to read report"}
        return said if len(files) > 2 else {"status": "SUCCESS"}

    with fake_server(task=task) as server:
        found = handed(scans(tmp_path, server), offers(4))
    assert not any(one.error for one in found.values())
    assert len(server.tasks) == 3


def test_a_task_that_never_ends(tmp_path: Path) -> None:
    """A batch that stays pending fails in time, by the name of its task, and is not scanned in parts."""
    with fake_server(task=lambda _key, _files: {"status": "PENDING"}) as server:
        found = handed(scans(tmp_path, server, task_seconds=0.2), offers(2))
    assert all(isinstance(one.error, SonarTimeoutError) for one in found.values())
    assert "T1" in str(found["i-0"].error)
    assert len(server.tasks) == 1


def test_splitting_is_bounded(tmp_path: Path) -> None:
    """Where every scan fails, a batch of 64 is given up after a bounded number of scans, all of it named."""
    body = f"open({str(tmp_path / 'turns')!r}, 'a').write('.'); sys.exit(9)"
    with fake_server() as server:
        found = handed(scans(tmp_path, server, body, modules=64), offers(64))
    assert all(isinstance(one.error, ScannerError) for one in found.values())
    assert len((tmp_path / "turns").read_text()) <= 40


def test_a_server_that_went_down_stops_all(tmp_path: Path) -> None:
    """A scan that failed while the server is not UP is not the instances' fault."""
    with fake_server(word="DB_MIGRATION_NEEDED") as server:
        found = scans(tmp_path, server, "sys.exit(1)")
        with pytest.raises(SonarServerError, match="swe-assets sonar up"):
            handed(found, offers(3))


def test_a_refused_token_stops_all(tmp_path: Path) -> None:
    """No batch is split for a token that no scan could use."""
    body = "print('ERROR GET http://h failed with HTTP 401.'); sys.exit(1)"
    with fake_server() as server, pytest.raises(SonarRightsError):
        handed(scans(tmp_path, server, body), offers(3))


def test_a_full_disk_stops_all(tmp_path: Path) -> None:
    """Neither is it for a disk that is full."""
    body = "print('Caused by: java.io.IOException: No space left on device'); sys.exit(1)"
    with fake_server() as server, pytest.raises(StoreError, match="free space"):
        handed(scans(tmp_path, server, body), offers(3))


def test_what_was_scanned_before_a_stop_comes_first(tmp_path: Path) -> None:
    """A batch that went well is handed over although a later one stops the work."""
    body = """
    if b"= 1" in source(FILES[0]):
        time.sleep(3)
        sys.exit(print("ERROR HTTP 503") or 1)
    upload()
    """
    with fake_server() as server:
        found = scans(tmp_path, server, body, modules=1, scanners=2)
        results = found.run(packed(offers(2), found.options, lambda _: None))
        assert next(results).receipts["patched"]["task"] == "T1"
        with pytest.raises(SonarServerError):
            next(results)


def test_another_scan_in_between(tmp_path: Path) -> None:
    """Where the project's last analysis is not the task's own, nothing is recorded."""
    with fake_server() as server:
        server.task = lambda key, _files: server.last.update({key: "A-other"}) or {"status": "SUCCESS"}
        found = handed(scans(tmp_path, server), offers(1))
    assert "another scan wrote to the same project" in str(found["i-0"].error)


def test_leaving_early_ends_the_scanners(tmp_path: Path) -> None:
    """Whoever stops asking for results ends the scanners at once, and no folder stays."""
    body = "time.sleep(60) if any(b'= 1' in source(path) for path in FILES) else upload()"
    with fake_server() as server:
        found = scans(tmp_path, server, body, modules=1, scanners=2)
        results = found.run(packed(offers(2), found.options, lambda _: None))
        assert next(results).instance_id == "i-0"
        started = time.monotonic()
        results.close()  # type: ignore[attr-defined]  # a generator
    assert time.monotonic() - started < 30
    assert list((tmp_path / "scans").iterdir()) == []


def test_a_wait_for_a_task_is_cut_short(tmp_path: Path) -> None:
    """An interruption does not wait for the server's task."""
    with fake_server(task=lambda _key, _files: {"status": "PENDING"}) as server:
        found = scans(tmp_path, server, task_seconds=600.0)
        found.running.stop()
        with pytest.raises(AnalyserUnavailableError, match="being stopped"):
            handed(found, offers(1))


def test_scanners_side_by_side_are_bounded(tmp_path: Path) -> None:
    """With two scanners, never more than two run at a time, and two do."""
    count = tmp_path / "count"
    count.mkdir()
    body = f"""
    mark = os.path.join({str(count)!r}, str(os.getpid()))
    open(mark, "w").close()
    time.sleep(0.6)
    print("ERROR at a time", len(os.listdir({str(count)!r})))
    os.remove(mark)
    upload()
    """
    with fake_server() as server:
        handed(scans(tmp_path, server, body, modules=1, scanners=2), offers(5))
    seen = [int(log.read_text().split()[-1]) for log in (tmp_path / "logs").glob("*.log")]
    assert max(seen) == 2
