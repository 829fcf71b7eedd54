"""Runs that our command line started can be re-executed in the UI where that means the same instances."""

import pytest

from swe_assets_tests.dagster_ui.graphql import Ui, failures
from swe_assets_tests.patch_quality.small_study import SmallStudy


@pytest.fixture(scope="module")
def repeated(studies: dict[str, SmallStudy]) -> SmallStudy:
    """Give a study of which our command line ran one stage for three separate instances, one for all."""
    study = studies["repeated"]
    study.run("--only", "patches", "--instances", ",".join(study.instances[i] for i in (7, 0, 3)))
    study.run("--only", "resultados_testes")
    return study


def test_run_says_what_it_was_for(repeated: SmallStudy, ui: Ui) -> None:
    """A run of ours is shown like one of the UI's: its assets, and where it can be repeated."""
    run = ui.run(ui.last_run(repeated.name, "patches"))
    assert run["jobName"] == "__ASSET_JOB"
    assert run["repositoryOrigin"] == {"repositoryLocationName": "patch_quality"}


def test_separate_instances_are_refused(repeated: SmallStudy, ui: Ui) -> None:
    """Repeating a run for a list that is no range fails, says why and what to do, and makes nothing."""
    before = ui.events(repeated.name, "patches")
    run = ui.again(ui.last_run(repeated.name, "patches"))
    assert run["status"] == "FAILURE"
    assert "not a range of the pinned order" in failures(run)
    assert "run `swe-assets run` again" in failures(run)
    assert ui.events(repeated.name, "patches") == before


def test_whole_list_is_repeated(repeated: SmallStudy, ui: Ui) -> None:
    """Repeating a run for all instances works and records each once more."""
    run = ui.again(ui.last_run(repeated.name, "resultados_testes"))
    assert run["status"] == "SUCCESS"
    assert ui.events(repeated.name, "resultados_testes") == dict.fromkeys(repeated.instances, 2)
