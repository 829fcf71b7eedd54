"""A backfill through the daemon works a whole study stage by stage, and one bad instance hurts no other."""

from typing import Any

import pytest

from swe_assets.patch_quality.report_assets import REPORT_NAMES
from swe_assets.patch_quality.stages import STAGE_NAMES
from swe_assets_tests.dagster_ui.graphql import Ui
from swe_assets_tests.dagster_ui.test_both_ways import counts, planned
from swe_assets_tests.patch_quality.small_study import SmallStudy

EVERYTHING = (*STAGE_NAMES, *REPORT_NAMES)
MEASURED = ("arquivos_reconstruidos", "projetos_sonar", "metricas_completas", "matriz_consolidada")
JUDGED = ("evaluation_payload", "evaluation_results", "metricas_estruturais_extraidas")


@pytest.fixture(scope="module")
def started(studies: dict[str, SmallStudy], ui: Ui) -> dict[str, str]:
    """Start two backfills side by side, of all of `whole` and of two ranges of `holes`; give their ids."""
    ids = studies["holes"].instances
    return {
        "whole": ui.backfill("whole", EVERYTHING, None),
        "holes": ui.backfill("holes", EVERYTHING, [ids[1], ids[2], ids[-1]]),
    }


def selected(run: dict[str, Any]) -> set[str]:
    """Return the names of the assets that a run was started for."""
    return {key["path"][1] for key in run["assetSelection"]}


def test_whole_study(started: dict[str, str], studies: dict[str, SmallStudy], ui: Ui) -> None:
    """A backfill of all assets and partitions ends well, reports included; our run finds nothing left."""
    assert ui.backfilled(started["whole"]) == "COMPLETED_SUCCESS"
    for stage in STAGE_NAMES:
        assert ui.partitions("whole", stage) == studies["whole"].instances
    assert set(planned(studies["whole"]).values()) == {"current"}
    assert (studies["whole"].path / "results" / "report.html").is_file()


def test_stages_follow_one_another(started: dict[str, str], ui: Ui) -> None:
    """No run holds a stage together with one it hangs on, and each begins after its upstream has ended."""
    ui.backfilled(started["whole"])
    above = {n: {k["path"][1] for k in node["dependencyKeys"]} for n, node in ui.nodes("whole").items()}
    runs = ui.runs_of(started["whole"])
    for run in runs:
        stages = selected(run) & set(STAGE_NAMES)
        upstream = set().union(*(above[stage] for stage in stages))
        assert not stages & upstream
        ended = [other["endTime"] for other in runs if selected(other) & upstream]
        assert all(end <= run["startTime"] for end in ended)


def test_separate_ranges(started: dict[str, str], studies: dict[str, SmallStudy], ui: Ui) -> None:
    """Of an arbitrary set of partitions every good one gets to the matrix, and no other is touched."""
    assert ui.backfilled(started["holes"]) == "COMPLETED_FAILED"
    ids = studies["holes"].instances
    good, bad = ids[1:3], ids[-1]
    for stage in MEASURED:
        assert ui.partitions("holes", stage) == good
    for stage in JUDGED:
        assert ui.partitions("holes", stage) == [*good, bad]


def test_failed_instance(started: dict[str, str], studies: dict[str, SmallStudy], ui: Ui) -> None:
    """The instance whose mirror lacks its commit is FAILED where it failed, and `status` says why."""
    ui.backfilled(started["holes"])
    bad = studies["holes"].instances[-1]
    assert ui.partitions("holes", "arquivos_reconstruidos", "failed") == [bad]
    row = counts(studies["holes"], "arquivos_reconstruidos")
    assert (row["ok"] + row["excluded"], row["failed"], row["missing"]) == (2, 1, 9)
    assert any(bad in ids and "commit" in reason for reason, ids in row["reasons"].items())
