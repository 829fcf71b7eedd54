"""Tests of the per-instance store."""

import multiprocessing
import time
from pathlib import Path

import pytest

from swe_assets.errors import RecordError, StoreError
from swe_assets.storage.records import EXCLUDED, Basis, InstanceStore, Record

BASIS = Basis("1", "settings", "source", {"up": "v1"})


def record(instance_id: str = "a__b-1", **changes: object) -> Record:
    """Return a record for the tests."""
    values: dict[str, object] = {"payload": {"x": 1}, "basis": BASIS, **changes}
    return Record("asset", instance_id, **values)  # type: ignore[arg-type]  # a test's shorthand


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    """A record comes back equal, and its header says what the record says."""
    store = InstanceStore(tmp_path)
    written = record(status=EXCLUDED, reason="empty")
    store.write(written)
    assert store.read("asset", "a__b-1") == written
    assert store.header("asset", "a__b-1") == written.header


def test_folders_follow_repositories(tmp_path: Path) -> None:
    """A record lies under asset and repository, so that no folder holds all instances."""
    assert InstanceStore(tmp_path).path("asset", "a__b-1") == tmp_path / "asset" / "a__b" / "a__b-1.json"


@pytest.mark.parametrize("hostile", ["../x", "a/b", "/etc/passwd", ".hidden", "a\0b"])
def test_hostile_ids_never_become_paths(tmp_path: Path, hostile: str) -> None:
    """An id that could leave the folder is refused wherever it came from."""
    with pytest.raises(StoreError, match="not a usable instance id"):
        InstanceStore(tmp_path).path("asset", hostile)


@pytest.mark.parametrize("keep", [0, 10, 200, -3])
def test_torn_file_is_no_record(tmp_path: Path, keep: int) -> None:
    """A file cut anywhere is treated as missing, never as a shorter record."""
    store = InstanceStore(tmp_path)
    store.write(record(payload={"text": "y" * 300}))
    path = store.path("asset", "a__b-1")
    path.write_bytes(path.read_bytes()[:keep])
    assert store.read("asset", "a__b-1") is None


def test_changed_payload_is_no_record(tmp_path: Path) -> None:
    """A payload edited by hand no longer matches its data version and is not used."""
    store = InstanceStore(tmp_path)
    store.write(record())
    path = store.path("asset", "a__b-1")
    path.write_bytes(path.read_bytes().replace(b'"x":1', b'"x":2'))
    assert store.read("asset", "a__b-1") is None


def test_missing_record_says_what_to_run(tmp_path: Path) -> None:
    """Needing a record that is not there names the asset to run again."""
    with pytest.raises(RecordError, match="run asset again"):
        InstanceStore(tmp_path).need("asset", "a__b-1")


def test_success_forgets_the_failure(tmp_path: Path) -> None:
    """A failure is noted until a record is written."""
    store = InstanceStore(tmp_path)
    store.write_failure("asset", "a__b-1", "why")
    assert store.failure("asset", "a__b-1") == "why"
    store.write(record())
    assert store.failure("asset", "a__b-1") is None


def test_differences_name_what_changed() -> None:
    """A plan says in words which part of the basis is another."""
    newer = Basis("2", "settings", "other", {"up": "v2", "new": "v1"})
    assert newer.differences(BASIS) == ["code changed", "source changed", "new changed", "up changed"]


def test_data_version_ignores_the_basis() -> None:
    """A record that comes out the same from another basis keeps its data version."""
    assert record().data_version == record(basis=Basis("2")).data_version
    assert record().data_version != record(reason="x").data_version


def _hold(root: Path, seconds: float, held: "multiprocessing.synchronize.Event") -> None:
    with InstanceStore(root).claim("asset", "a__b-1"):
        held.set()
        time.sleep(seconds)


def test_claim_waits_for_another_process(tmp_path: Path) -> None:
    """A second process gets the claim only when the first has let go."""
    context = multiprocessing.get_context("spawn")
    held = context.Event()
    other = context.Process(target=_hold, args=(tmp_path, 0.6, held))
    other.start()
    held.wait(20)
    start = time.monotonic()
    with InstanceStore(tmp_path).claim("asset", "a__b-1"):
        waited = time.monotonic() - start
    other.join()
    assert waited > 0.3
