"""The folder of a scan: private, gone afterwards, swept where a killed run left it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from swe_assets.errors import StoreError
from swe_assets.repositories.abandoned import hold
from swe_assets.sonarqube.scan_folders import prune, scan_folder, sweep

HOLDER = """
import subprocess, sys, time
from pathlib import Path
from swe_assets.sonarqube.scan_folders import scan_folder
with scan_folder(Path(sys.argv[1])) as folder:
    sleeper = [sys.executable, "-c", "import time; time.sleep(60)"]
    subprocess.Popen(sleeper, cwd=folder, start_new_session=True)
    print(folder, flush=True)
    time.sleep(60)
"""


def held(parent: Path) -> tuple["subprocess.Popen[str]", Path]:
    """Start a process that holds a scan's folder with a scanner in a session of its own."""
    command = [sys.executable, "-c", HOLDER, str(parent)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    return process, Path(process.stdout.readline().strip())


def scanners_in(folder: Path) -> list[int]:
    """Return the processes that still scan in a folder."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            place = (entry / "cwd").readlink()
            state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if place == folder and state != "Z":
            found.append(int(entry.name))
    return found


def test_a_folder_is_private_and_gone_with_its_block(tmp_path: Path) -> None:
    """Only the user reads it, and nothing of it stays."""
    with scan_folder(tmp_path / "scans") as folder:
        (folder / "deep").mkdir()
        assert folder.stat().st_mode & 0o077 == 0
    assert list((tmp_path / "scans").iterdir()) == []


def test_a_folder_in_use_is_left_alone(tmp_path: Path) -> None:
    """While its process lives, a folder and its scanner stay."""
    process, folder = held(tmp_path)
    try:
        assert sweep(tmp_path) == 0
        assert folder.is_dir()
        assert len(scanners_in(folder)) == 1
    finally:
        process.kill()
        process.wait()
        sweep(tmp_path)


def test_a_folder_that_is_swept_before_it_is_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where another run takes a fresh folder for an abandoned one, the scan gets the next."""
    taken: list[Path] = []

    def hold_late(folder: Path) -> int:
        if len(taken) < 2:
            taken.append(folder)
            folder.rmdir()
        return hold(folder)

    monkeypatch.setattr("swe_assets.sonarqube.scan_folders.hold", hold_late)
    with scan_folder(tmp_path) as folder:
        assert folder.is_dir() and folder not in taken
    assert len(taken) == 2


def test_what_a_killed_run_left_is_swept(tmp_path: Path) -> None:
    """After kill -9 the next run ends the scanner that went on and removes the folder."""
    process, folder = held(tmp_path)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert len(scanners_in(folder)) == 1
    assert sweep(tmp_path) == 1
    time.sleep(0.2)
    assert not folder.exists()
    assert scanners_in(folder) == []


def test_logs_are_bounded(tmp_path: Path) -> None:
    """The newest stay, and nothing that is no log is touched."""
    for number in range(5):
        (tmp_path / f"{number}.log").touch()
        os.utime(tmp_path / f"{number}.log", (number, number))
    (tmp_path / "other").touch()
    prune(tmp_path, most=2)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["3.log", "4.log", "other"]


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    """A link that looks like a scan's folder leads nowhere: what it points to stays."""
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "file").touch()
    (tmp_path / "scans").mkdir()
    (tmp_path / "scans" / "scan-x").symlink_to(tmp_path / "precious")
    assert sweep(tmp_path / "scans") == 0
    assert (tmp_path / "precious" / "file").exists()


@pytest.mark.skipif(os.geteuid() == 0 and not Path("/proc/1").exists(), reason="needs /proc")
def test_a_place_where_nothing_can_be_made() -> None:
    """The message names the folder and the way out."""
    with pytest.raises(StoreError, match="SWE_ASSETS_CACHE"), scan_folder(Path("/proc/1/scans")):
        pass
