"""Tests of runs that are killed, interrupted, or meet a full or read-only disk."""

import json
import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from swe_assets.patch_quality.sample import Sample
from swe_assets_tests.patch_quality.small_study import SmallStudy, small_study

COUNT = 30
KILLS = 6


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory, sample: Sample) -> SmallStudy:
    """Give a study that ran to its end without interruption."""
    study = small_study(tmp_path_factory.mktemp("uninterrupted"), sample, COUNT)
    study.run(expected=None)
    return study


def started(study: SmallStudy) -> subprocess.Popen[bytes]:
    """Start a run in the background, in a process group of its own."""
    return subprocess.Popen(
        study.command("run", study.name),
        env=study.variables(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def stored(study: SmallStudy) -> dict[Path, int]:
    """Return the inode of every stored record: a record written again has another."""
    return {path: path.stat().st_ino for path in (study.path / "store").glob("*/*/*.json")}


def wait_for_records(study: SmallStudy, running: subprocess.Popen[bytes], count: int) -> None:
    """Wait until the run stored at least count records or ended."""
    limit = time.monotonic() + 120
    while running.poll() is None and len(stored(study)) < count and time.monotonic() < limit:
        time.sleep(0.01)


def test_killed_runs_come_to_the_same_files(
    tmp_path: Path, sample: Sample, uninterrupted: SmallStudy
) -> None:
    """After kill -9 at random moments the files are byte-identical, and no stored record was made again."""
    study = small_study(tmp_path / "home", sample, COUNT)
    dice = random.Random(20240402)
    for _ in range(KILLS):
        before = stored(study)
        running = started(study)
        wait_for_records(study, running, len(before) + dice.randint(1, 70))
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()
        after = stored(study)
        assert {path: after[path] for path in before if path.parts[-2] != "_"} == {
            path: inode for path, inode in before.items() if path.parts[-2] != "_"
        }
    study.run(expected=None)
    assert study.files() == uninterrupted.files()


def test_killed_run_is_closed_in_dagster(tmp_path: Path, sample: Sample) -> None:
    """The next run closes the killed one's record, so that no run seems to go on for ever."""
    study = small_study(tmp_path / "home", sample, 12)
    running = started(study)
    wait_for_records(study, running, 5)
    os.killpg(running.pid, signal.SIGKILL)
    running.wait()
    assert "was killed before" in study.run(expected=None).stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupt_is_clean(tmp_path: Path, sample: Sample, number: signal.Signals) -> None:
    """An interrupted run ends with exit code 130, and the next one goes on."""
    study = small_study(tmp_path / "home", sample, 24)
    running = started(study)
    wait_for_records(study, running, 10)
    running.send_signal(number)
    assert running.wait(timeout=60) == 130
    before = stored(study)
    study.run(expected=None)
    after = stored(study)
    assert all(after[path] == inode for path, inode in before.items())


def test_second_run_is_refused(tmp_path: Path, sample: Sample) -> None:
    """While one run holds the study another is exit code 2 and says so."""
    study = small_study(tmp_path / "home", sample, 24)
    running = started(study)
    wait_for_records(study, running, 3)
    try:
        assert "is under way" in study.run(expected=2).stderr
    finally:
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[None]:
    """Mount a file system of the size over a folder; skip where that is not allowed."""
    folder.mkdir(parents=True, exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("mounting a small file system is not allowed here")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def test_full_disk_is_said_and_mended(tmp_path: Path, sample: Sample, uninterrupted: SmallStudy) -> None:
    """A disk that fills in mid-run is a clear error; with room again the run comes to the same files."""
    study = small_study(tmp_path / "home", sample, COUNT)
    store = study.path / "store"
    with small_disk(store, "300k"):
        done = study.run(expected=None)
        assert done.returncode in (1, 2)
        assert (
            "No space left" in done.stderr
            or "no space left" in study.call("status", study.name, expected=None).stdout.lower()
        )
        kept = tmp_path / "kept"
        shutil.copytree(store, kept)
    shutil.copytree(kept, store, dirs_exist_ok=True)
    study.run(expected=None)
    assert study.files() == uninterrupted.files()


def test_unwritable_folder_is_said(tmp_path: Path, sample: Sample) -> None:
    """A store on a read-only mount is a clear error that names the folder, and what is there stays."""
    study = small_study(tmp_path / "home", sample, 8)
    study.run(expected=None)
    store = study.path / "store"
    before = {path: path.read_bytes() for path in store.rglob("*.json")}
    bind = subprocess.run(["mount", "--bind", str(store), str(store)], capture_output=True, check=False)
    if bind.returncode:
        pytest.skip("mounting is not allowed here")
    subprocess.run(["mount", "-o", "remount,ro,bind", str(store)], check=True)
    try:
        done = study.run("--force", expected=None)
    finally:
        subprocess.run(["umount", "-l", str(store)], check=True)
    assert done.returncode in (1, 2)
    assert "Read-only" in done.stderr
    assert {path: path.read_bytes() for path in store.rglob("*.json")} == before


def test_missing_commit_fails_its_instance_alone(tmp_path: Path, sample: Sample) -> None:
    """An instance whose base commit the mirror lacks fails with the reason, and the others go on."""
    home = tmp_path / "home"
    dataset = home / "dataset.jsonl"
    rows = [json.loads(line) for line in sample.dataset.read_text(encoding="utf-8").splitlines()]
    study = small_study(home, sample, 10)
    wrong = study.instances[3]
    for row in rows:
        if row["instance_id"] == wrong:
            row["base_commit"] = "0123456789" * 4
    dataset.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    study.call("study", "update", study.name, f"--dataset={dataset}", "--yes")
    done = study.run(expected=1)
    assert "failed instances" in done.stderr
    tables = study.files()
    assert f"{wrong},missing,arquivos_reconstruidos".encode() in tables["contabilidade.csv"]
    status = study.call("status", study.name, expected=1).stdout
    assert "0123456789" in status and wrong in status
    ended = {path.stem for path in (study.path / "store" / "matriz_consolidada").rglob("*.json")}
    assert ended == set(study.instances) - {wrong}
    study.call("study", "update", study.name, f"--dataset={sample.dataset}", "--yes")
    plan = study.run("--retry-failed", "--dry-run").stdout
    assert "arquivos_reconstruidos: 1 to run" in plan
    study.run("--retry-failed", expected=None)
    assert (study.path / "results" / "matriz_consolidada.csv").is_file()
    assert "failed" not in study.call("status", study.name).stdout


def test_corrupt_mirror_fails_its_instances_alone(tmp_path: Path, sample: Sample) -> None:
    """A mirror that is no repository fails its own instances, names the mend, and the others go on."""
    study = small_study(tmp_path / "home", sample, 12)
    repositories = sorted(path.name for path in sample.repos.iterdir() if path.is_dir())
    broken = tmp_path / "broken"
    broken.mkdir()
    name = repositories[0].removesuffix(".git").replace("__", "/")
    study.call("study", "update", study.name, "--mirror", f"{name}={broken}", "--yes")
    study.run(expected=1)
    status = json.loads(study.call("status", study.name, "--json", expected=1).stdout)
    rebuilt = next(a for a in status["assets"] if a["asset"] == "arquivos_reconstruidos")
    failed = [i for reason, ids in rebuilt["reasons"].items() if reason.startswith("failed") for i in ids]
    own = [i for i in study.instances if i.startswith(name.replace("/", "__"))]
    assert set(failed) <= set(own) and failed
