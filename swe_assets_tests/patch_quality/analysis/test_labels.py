"""What tables and figures must say of the numbers' origin."""

import pandas as pd
import pytest

from swe_assets.patch_quality.analysis.labels import Labels, labels_of, labels_of_frame

BY_RUFF = "embedded (violations and sqale_index by Ruff 0.17.6)"


@pytest.mark.parametrize(
    ("judges", "analysers", "rehearsals", "labels"),
    [
        ([], [], [], Labels()),
        (["gemini-2.5-flash"], ["sonarqube 25.11"], ["False", "0", ""], Labels()),
        (["Rehearsal judge"], [], [], Labels(rehearsal=True)),
        (["gemini", "rehearsal"], [], [], Labels(rehearsal=True)),
        ([], [], [True], Labels(rehearsal=True)),
        ([], ["sonarqube 25.11", BY_RUFF], [], Labels(stand_in=BY_RUFF)),
    ],
)
def test_labels_of_columns(
    judges: list[str], analysers: list[str], rehearsals: list[object], labels: Labels
) -> None:
    """One row of a rehearsal or a stand-in labels the whole; a real judge and SonarQube do not."""
    assert labels_of(judges, analysers, rehearsals) == labels


def test_union() -> None:
    """Labels add up, and what both name is named once."""
    assert Labels(rehearsal=True) | Labels(stand_in=BY_RUFF) == Labels(rehearsal=True, stand_in=BY_RUFF)
    assert (Labels(stand_in=BY_RUFF) | Labels(stand_in=BY_RUFF)).stand_in == BY_RUFF
    assert (Labels(stand_in="a") | Labels(stand_in="b")).stand_in == "a; b"


def test_sentences() -> None:
    """Ruff is named as Ruff, another stand-in only as not SonarQube."""
    assert Labels().texts() == []
    assert "violations e sqale_index são do Ruff, não do SonarQube" in Labels(stand_in=BY_RUFF).stand_in_text
    assert "violations e sqale_index não são do SonarQube [mine]" in Labels(stand_in="mine").stand_in_text
    assert Labels(rehearsal=True).texts()[0].startswith("ENSAIO / rehearsal")


def test_each_metric_has_its_own_label() -> None:
    """The rehearsal concerns M_*, the stand-in violations and sqale_index, the others neither."""
    labels = Labels(rehearsal=True, stand_in=BY_RUFF)
    assert labels.of_metric("M_defesa") == labels.rehearsal_text
    assert labels.of_metric("violations") == labels.of_metric("sqale_index") == labels.stand_in_text
    assert labels.of_metric("ncloc") == ""


def test_sonarqube_is_no_stand_in_whatever_its_profile_is_called() -> None:
    """A server's own measures carry no mark, even under a quality profile named after Ruff."""
    server = "sonarqube; violations, sqale_index: SonarQube 25.11, profile Ruff way, python plugin 5.12"
    assert labels_of(["gemini"], [server], []) == Labels()
    mixed = labels_of([], [server, "embedded; violations, sqale_index: Ruff 0.17"], [])
    assert mixed.stand_in == "embedded; violations, sqale_index: Ruff 0.17"


def test_a_reports_own_table_says_its_marks() -> None:
    """The column marks sets the labels that the columns of origin would set."""
    frame = pd.DataFrame({"instance_id": ["a", "b"], "marks": ["rehearsal stand_in", "small_model"]})
    assert labels_of_frame(frame).marks == ["rehearsal", "small_model", "stand_in"]
    assert labels_of_frame(frame[["instance_id"]]) == Labels()


def test_names_bear_their_marks_in_place() -> None:
    """A rated term bears the judge's marks, a stand-in's measure its own, the others none."""
    labels = Labels(stand_in=BY_RUFF, small_model=True)
    names = ("M_defesa", "delta_violations", "ncloc_log")
    expected = ["M_defesa [modelo pequeno]", "delta_violations [substituto]", "ncloc_log"]
    assert [labels.named(name) for name in names] == expected
