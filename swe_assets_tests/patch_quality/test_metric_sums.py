"""Tests of sums over files, by hand."""

from typing import Any

from swe_assets.analysers.projects import SideMeasures
from swe_assets.analysers.protocol import FileMeasures
from swe_assets.patch_quality.metric_sums import METRICS, instance_measures, server_measures, side_sums


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


def server_side(
    *files: dict[str, float], own: dict[str, float], lacking: tuple[str, ...] = ()
) -> SideMeasures:
    """Return a side that a server measured; `lacking` could not be measured in any file."""
    found = (FileMeasures(f"{n}.py", True, measures, None, lacking) for n, measures in enumerate(files))
    return SideMeasures(tuple(found), own, ("bugs", "ncloc"))


def totals(base: SideMeasures, patched: SideMeasures) -> dict[str, Any]:
    """Return what a server's measures add to an instance's."""
    return server_measures(
        instance_measures([file("base"), file("patched")]), {"base": base, "patched": patched}
    )


def test_counts_are_sums_and_ratios_the_server_s_own() -> None:
    """Bugs add up over files; a density is what the server says of the whole, and so is its difference."""
    before = server_side({"bugs": 1}, own={"bugs": 1, "comment_lines_density": 10.1})
    after = server_side({"bugs": 1}, {"bugs": 2}, own={"bugs": 3, "comment_lines_density": 12.3})
    found = totals(before, after)
    assert (found["base"]["bugs"], found["patched"]["bugs"], found["delta"]["bugs"]) == (1, 3, 2)
    assert found["delta"]["comment_lines_density"] == 2.2
    assert found["own"]["patched"] == {"bugs": 3, "comment_lines_density": 12.3}


def test_a_count_that_a_file_lacks_is_undefined() -> None:
    """A file that did not parse leaves the instance without the metric, whatever the others have."""
    broken = server_side({"bugs": 1}, {}, own={"lines": 4}, lacking=("bugs",))
    found = totals(server_side({"bugs": 1}, own={"bugs": 1}), broken)
    assert found["patched"]["bugs"] is None
    assert found["delta"]["bugs"] is None


def test_a_side_without_files_counts_nothing() -> None:
    """Where the patch adds the only file the base has 0 bugs, and no density at all."""
    after = server_side({"bugs": 2}, own={"bugs": 2, "sqale_debt_ratio": 0.5})
    found = totals(SideMeasures((), additive=("bugs",)), after)
    assert (found["base"]["bugs"], found["delta"]["bugs"]) == (0, 2)
    assert found["base"]["sqale_debt_ratio"] is None
    assert found["delta"]["sqale_debt_ratio"] is None


def test_an_analyser_of_files_adds_nothing() -> None:
    """Without a server an instance has the ten metrics and nothing else."""
    assert totals(SideMeasures(()), SideMeasures(())) == {}
