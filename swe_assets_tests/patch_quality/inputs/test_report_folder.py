"""The harness's folder of reports, one an instance."""

import json
from pathlib import Path
from typing import Any

import pytest

from swe_assets.errors import InputError, ResultsError
from swe_assets.patch_quality.inputs.results import read_results
from swe_assets.patch_quality.inputs.sources import Sources


def put(root: Path, place: str, value: Any) -> None:
    """Write a report at a place below the root."""
    (root / place).mkdir(parents=True, exist_ok=True)
    (root / place / "report.json").write_text(value if isinstance(value, str) else json.dumps(value), "utf-8")


def report(instance_id: str, resolved: Any) -> dict[str, Any]:
    """Return a report as the harness writes it."""
    return {instance_id: {"patch_is_None": False, "resolved": resolved, "tests_status": {}}}


def test_folder_of_reports(tmp_path: Path, sources: Sources) -> None:
    """Every report below the folder counts, wherever its run and model put it."""
    put(tmp_path, "run/model/a__b-1", report("a__b-1", True))
    put(tmp_path, "run/model/a__b-2", report("a__b-2", False))
    (tmp_path / "run/model/a__b-3").mkdir()
    found = read_results(str(tmp_path), sources)
    assert found.resolved == ("a__b-1",)
    assert found.reported == {"a__b-1", "a__b-2"}


def test_sha256_sees_every_report(tmp_path: Path, sources: Sources) -> None:
    """The folder's sha256 changes with any report."""
    put(tmp_path, "a", report("a", True))
    before = read_results(str(tmp_path), sources).record["sha256"]
    put(tmp_path, "a", report("a", False))
    assert read_results(str(tmp_path), sources).record["sha256"] != before


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (report("b", True), "the report is of 'b', the folder of 'a'"),
        (report("a", "true"), "'resolved' of 'a' is 'true'"),
        ({"a": {}}, "says nothing under 'resolved'"),
        ({**report("a", True), **report("b", True)}, "one object under the instance's id"),
        ([], "one object under the instance's id"),
        ('{"a": {"resolved": true,}}', "line 1 column"),
        ("", "line 1"),
    ],
)
def test_refused(tmp_path: Path, sources: Sources, value: Any, says: str) -> None:
    """A report of another shape is an error that names its path."""
    put(tmp_path, "a", value)
    with pytest.raises(InputError, match=rf"a/report.json.*{says}"):
        read_results(str(tmp_path), sources)


def test_runs_that_disagree(tmp_path: Path, sources: Sources) -> None:
    """Two runs that disagree about an instance are an error that names it."""
    put(tmp_path, "run1/a", report("a", True))
    put(tmp_path, "run2/a", report("a", False))
    with pytest.raises(ResultsError, match="'a' is resolved in one place and not in another"):
        read_results(str(tmp_path), sources)


def test_links_are_not_followed(tmp_path: Path, sources: Sources) -> None:
    """A link to a report or a folder elsewhere is left alone."""
    put(tmp_path / "elsewhere", "a", report("a", True))
    folder = tmp_path / "reports"
    (folder / "a").mkdir(parents=True)
    (folder / "a" / "report.json").symlink_to(tmp_path / "elsewhere" / "a" / "report.json")
    (folder / "b").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ResultsError, match=r"no report\.json"):
        read_results(str(folder), sources)


def test_total_limit(tmp_path: Path, sources: Sources) -> None:
    """Many reports together are held to the limit of one input."""
    for number in range(6):
        put(tmp_path, f"i{number}", json.dumps(report(f"i{number}", True)) + " " * 15_000)
    with pytest.raises(ResultsError, match="together have more than"):
        read_results(str(tmp_path), sources)


def test_key_and_folder(tmp_path: Path, sources: Sources) -> None:
    """A folder has no blocks, so a key with it is an error."""
    with pytest.raises(ResultsError, match="leave --results-key out"):
        read_results(str(tmp_path), sources, key="x")
