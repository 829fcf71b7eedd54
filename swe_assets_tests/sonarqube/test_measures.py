"""Measured, not measured and not applicable are three things."""

import pytest

from swe_assets.errors import SonarReplyError
from swe_assets.sonarqube.measures import (
    Measured,
    Measures,
    NotApplicable,
    NotMeasured,
    found_in,
    measures_of,
    value_in,
)
from swe_assets.sonarqube.metrics import Metric, best_value_of
from swe_assets.sonarqube.tree import Tree, tree_of
from swe_assets_tests.sonarqube.stub import row

KEYS = ("ncloc", "lines", "violations", "cognitive_complexity", "coverage", "new_violations")
METRICS = [Metric(key, "PERCENT" if key == "coverage" else "INT", 0, best_value_of(key)) for key in KEYS]


def measured(**values: object) -> Measures:
    """Return what a file's values mean."""
    return measures_of(found_in(row("a/x.py", "FIL", **values)), METRICS)


def test_a_parsed_file() -> None:
    """What is stored is measured, a best value that is left out counts 0, the rest is not applicable."""
    found = measured(ncloc=7, lines=9, cognitive_complexity=2)
    assert found.parsed is True
    assert found.numbers() == {"ncloc": 7, "lines": 9, "violations": 0, "cognitive_complexity": 2}
    assert found["violations"] == Measured(0, stored=False)
    assert [type(found[key]) for key in KEYS[4:]] == [NotApplicable, NotApplicable]
    assert list(found.states) == list(KEYS)


def test_an_unparsed_file_with_best_values_filled_in() -> None:
    """Only `lines` is measured where a file did not parse, though the server shows zeros."""
    found = measured(lines=5, violations=0, cognitive_complexity=0)
    assert found.parsed is False
    assert found.numbers() == {"lines": 5}
    assert isinstance(found["violations"], NotMeasured)
    assert found.unparsed == ("a/x.py",)
    assert "a/x.py" in found.reasons()["ncloc"]


def test_an_empty_file_parsed() -> None:
    """A file of nothing has ncloc 0, which is a measure."""
    assert measured(ncloc=0, lines=1).numbers() == {
        "ncloc": 0,
        "lines": 1,
        "violations": 0,
        "cognitive_complexity": 0,
    }


def test_without_a_witness_absence_means_nothing() -> None:
    """Where nothing asked for tells whether a file parsed, an absent best value is not 0."""
    found = measures_of(
        found_in(row("x.py", lines=3)), [metric for metric in METRICS if metric.key != "ncloc"]
    )
    assert found.parsed is None
    assert isinstance(found["violations"], NotMeasured)


@pytest.mark.parametrize("other", [{"qualifier": "UTS"}, {"language": "json"}])
def test_what_is_no_python_source_never_failed_to_parse(other: dict[str, str]) -> None:
    """Test files and other languages without measures of code are not taken for broken Python."""
    found = measures_of(found_in({**row("x", lines=3), **other}), METRICS)
    assert (found.parsed, found.unparsed, found.numbers()) == (None, (), {"lines": 3})


def test_a_switched_off_metric_is_not_applicable() -> None:
    """Coverage that a server makes 0.0 without a report can be taken back, with the reason."""
    found = measured(ncloc=7, coverage="0.0").switched_off(["coverage", "tests"], "no report")
    assert found["coverage"] == NotApplicable("no report")
    assert "tests" not in found.states


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        ({"metric": "m", "value": "1"}, "1"),
        ({"metric": "m", "period": {"index": 1, "value": "2"}}, "2"),
        ({"metric": "m", "periods": [{"index": 1, "value": "3"}]}, "3"),
        ({"metric": "m", "value": "0", "period": {"value": "4"}}, "0"),
        ({"metric": "m", "period": {"index": 1}}, None),
        ({"metric": "m", "periods": []}, None),
        ({"metric": "m"}, None),
    ],
)
def test_a_value_in_every_version_s_form(measure: dict[str, object], value: object) -> None:
    """New-code values stand in `period`, in older versions in `periods`."""
    assert value_in(measure) == value


@pytest.mark.parametrize(
    "given", [None, [], {}, {"key": 1}, {"key": "p"}, {"key": "p", "qualifier": "FIL", "measures": {}}]
)
def test_what_is_no_component_is_refused(given: object) -> None:
    """A component has a key, a qualifier and a list of measures."""
    with pytest.raises(SonarReplyError):
        found_in(given)


def test_a_path_that_is_not_given_is_read_from_the_key() -> None:
    """Some replies leave the path out, which the key of a file holds."""
    assert found_in({"key": "p:a/x.py", "qualifier": "FIL"}).path == "a/x.py"


def tree() -> Tree:
    """Return a project of two modules, in one of which a file did not parse."""
    folders = [row("one/a/b", "DIR", ncloc=4, lines=5), row("two", "DIR", ncloc=4, lines=10, violations=0)]
    files = [row("one/a/b/x.py", ncloc=4), row("two/x.py", ncloc=4), row("two/y.py", lines=5)]
    return tree_of(
        found_in({"key": "p", "qualifier": "TRK", "measures": [{"metric": "ncloc", "value": "8"}]}),
        [found_in(one) for one in folders],
        [found_in(one) for one in [*folders, *files]],
        METRICS,
    )


def test_modules_go_by_the_first_segment_of_their_path() -> None:
    """A module whose folders collapse into one is still found by its name; folders are no files."""
    found = tree()
    assert list(found.children) == ["one", "two"]
    assert list(found.files) == ["one/a/b/x.py", "two/x.py", "two/y.py"]


def test_a_module_with_an_unparsed_file_has_no_totals() -> None:
    """Totals that leave a file out are not measured, but lines, and the module beside it is whole."""
    found = tree()
    assert found.children["one"]["ncloc"] == Measured(4)
    assert found.children["two"].numbers() == {"lines": 10}
    assert found.children["two"].unparsed == found.unparsed == ("two/y.py",)
    assert isinstance(found.own["ncloc"], NotMeasured)


def test_many_unparsed_files_make_a_short_reason() -> None:
    """A reason names three files and counts the rest."""
    found = measures_of(found_in(row("m", "DIR", ncloc=1)), METRICS, [f"m/{n}.py" for n in range(100)])
    assert found.reasons()["ncloc"].endswith("'m/2.py' and 97 more")


def test_two_children_of_one_name_are_refused() -> None:
    """What cannot be told apart is not guessed."""
    twice = [found_in(row("one/a", "DIR")), found_in(row("one/b", "DIR"))]
    with pytest.raises(SonarReplyError, match="'one'"):
        tree_of(found_in({"key": "p", "qualifier": "TRK"}), twice, [], METRICS)
