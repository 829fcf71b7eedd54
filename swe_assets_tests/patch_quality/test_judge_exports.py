"""What is written of instances that were made, that failed, and that nobody made yet."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from swe_assets.patch_quality.evaluation_results import exported_rows
from swe_assets.storage.objects import objects_of
from swe_assets.storage.records import EXCLUDED, OK, Basis, InstanceStore, Record


def test_rows_stand_in_the_pinned_order_and_a_failure_before_an_older_record(tmp_path: Path) -> None:
    """Of a record, an exclusion, a failed remake and nothing come a row, none, the error and none."""
    store = InstanceStore(objects_of(tmp_path, "store"))
    for instance_id, status in ("c", OK), ("a", EXCLUDED), ("b", OK):
        store.write(Record("x", instance_id, {"v": instance_id}, Basis("1", "", "", {}), status))
    store.write_failure("x", "b", "refused")
    bench: Any = SimpleNamespace(store=store, instances=("d", "c", "b", "a"))
    rows = exported_rows(bench, "x", lambda one: dict(one.payload), lambda i, why: {i: why})
    assert rows == [{"v": "c"}, {"b": "refused"}]
