"""The evidence: checked against itself, written beside the report and read back the same."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from swe_assets.errors import MatrixError, ReportError
from swe_assets.patch_quality.analysis.evidence import Evidence, InstanceLine, repo_of
from swe_assets.patch_quality.analysis.evidence_files import ENTRIES, INSTANCES, read_evidence, write_evidence
from swe_assets.patch_quality.analysis.evidence_tables import matrix_csv, read_instances, read_judgements
from swe_assets.patch_quality.analysis.labels import Labels
from swe_assets_tests.patch_quality.analysis.matrices import STAND_IN
from swe_assets_tests.patch_quality.analysis.studies import study


def written(folder: Path, evidence: Evidence) -> Path:
    """Write evidence into a folder and return it."""
    write_evidence(folder, evidence, matrix_csv(evidence.matrix))
    return folder


def test_written_and_read(tmp_path: Path) -> None:
    """The evidence read back is what was written, its labels, verdicts, texts and known measures too."""
    evidence = study(labels=Labels(rehearsal=True, stand_in=STAND_IN))
    assert read_evidence(written(tmp_path, evidence)) == (evidence, [])


def test_file_that_changed_is_named(tmp_path: Path) -> None:
    """An input that is not what was analysed is named; the rest is read."""
    path = written(tmp_path, study()) / INSTANCES
    path.write_text(path.read_text().replace("failed: 1", "failed: 2"))
    _evidence, (line,) = read_evidence(tmp_path)
    assert line.startswith(f"input '{INSTANCES}': sha256")


@pytest.mark.parametrize("name", ["../secret.csv", "/etc/passwd", None])
def test_entries_lead_nowhere_else(name: str | None, tmp_path: Path) -> None:
    """Entries that name a file outside the folder are refused."""
    path = written(tmp_path, study()) / ENTRIES
    path.write_text(json.dumps(json.loads(path.read_text()) | {"matrix": name}))
    with pytest.raises(ReportError):
        read_evidence(tmp_path)


@pytest.mark.parametrize("content", ["", "[]", '{"format": 2}', '{"format": 1}'])
def test_entries_that_are_none(content: str, tmp_path: Path) -> None:
    """Entries that are not of this format are an error."""
    (tmp_path / ENTRIES).write_text(content)
    with pytest.raises(ReportError):
        read_evidence(tmp_path)


def test_matrix_and_instances_must_agree() -> None:
    """A row that the instances do not place in the matrix, or with another outcome, is named."""
    evidence = study()
    with pytest.raises(MatrixError, match="demo__pkg0-0"):
        replace(evidence, lines=evidence.lines[1:])
    first = evidence.lines[0]
    turned = replace(first, resolved=not first.resolved)
    with pytest.raises(MatrixError, match="pass@1"):
        replace(evidence, lines=(turned, *evidence.lines[1:]))
    with pytest.raises(MatrixError, match="none of the 1 judged instances"):
        replace(evidence, judgements=(replace(evidence.judgements[0], instance_id="another"),))


@pytest.mark.parametrize(
    ("instance_id", "repo"),
    [("django__django-11099", "django/django"), ("a__b__c-1", "a/b__c"), ("own-id", None)],
)
def test_repository_of_an_id(instance_id: str, repo: str | None) -> None:
    """An id of SWE-bench's form names its repository; another names none."""
    assert repo_of(instance_id) == repo


def test_instances_of_outcomes_alone(tmp_path: Path) -> None:
    """A table of ids and outcomes is enough: every instance counts as in the matrix."""
    (tmp_path / "i.csv").write_text("instance_id,pass@1\na,1\nb,\n")
    assert read_instances(tmp_path / "i.csv") == (InstanceLine("a", resolved=True), InstanceLine("b"))


@pytest.mark.parametrize(
    "body",
    [
        "id\na",
        "instance_id,pass@1\na,2",
        "instance_id,ncloc\na,x",
        "instance_id\na\na",
        "instance_id,ncloc\na,-7",
        "instance_id,pass@1\n \t,1",
    ],
)
def test_unusable_instances(body: str, tmp_path: Path) -> None:
    """A table without ids, with a blank id or one twice, or with a value that is none is refused."""
    (tmp_path / "i.csv").write_text(body + "\n")
    with pytest.raises(MatrixError):
        read_instances(tmp_path / "i.csv")


@pytest.mark.parametrize("row", ["a,j,2,3", "a,j,1,6", "a,j,1,2.5", "a,j,1,", "a,j,1,3\na,j,0,3", "a,,1,3"])
def test_unusable_judgements(row: str, tmp_path: Path) -> None:
    """A verdict other than 0 or 1, a confidence not 1 to 5, a second verdict, no judge are refused."""
    (tmp_path / "j.csv").write_text(f"instance_id,judge,resolve_issue,score_confianca\n{row}\n")
    with pytest.raises(MatrixError):
        read_judgements(tmp_path / "j.csv")
