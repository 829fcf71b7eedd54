"""Tests of sums over files, by hand."""

from typing import Any

from swe_assets.patch_quality.metric_sums import METRICS, instance_measures, side_sums


def file(side: str, **measures: int) -> dict[str, Any]:
    """Return one measured file whose unnamed metrics are 1."""
    return {"side": side, "measures": {**dict.fromkeys(METRICS, 1), **measures}}


def test_sides_are_summed_apart() -> None:
    """Two base files and one patched file give their own sums and the difference patched minus base."""
    found = instance_measures([file("base", ncloc=10), file("base", ncloc=5), file("patched", ncloc=18)])
    assert (found["base"]["ncloc"], found["patched"]["ncloc"], found["delta"]["ncloc"]) == (15, 18, 3)
    assert (found["n_files_base"], found["n_files_patched"]) == (2, 1)


def test_added_file_counts_from_nothing() -> None:
    """A file that only the patched side has is compared with 0 on the base side."""
    found = instance_measures([file("patched", complexity=4)])
    assert found["delta"]["complexity"] == 4


def test_deleted_file_counts_down() -> None:
    """A file that only the base side has gives a negative difference."""
    found = instance_measures([file("base", lines=30)])
    assert found["delta"]["lines"] == -30


def test_lacking_measure_is_never_zero() -> None:
    """A file without a metric makes the sum undefined, and with it the difference."""
    lacking = {"side": "patched", "measures": {m: 1 for m in METRICS if m != "violations"}}
    assert side_sums([lacking])["violations"] is None
    assert instance_measures([file("base"), lacking])["delta"]["violations"] is None
