"""The embedded analyser: both halves, in order, each content once."""

import pytest

from swe_assets.analysers import embedded
from swe_assets.analysers.embedded import EmbeddedAnalyser, parses
from swe_assets.analysers.protocol import METRIC_KEYS, STRUCTURE_KEYS, SourceFile
from swe_assets.analysers.python.structure import Structure, measure_structure

GOOD = b"import os\n\n\ndef f(a):\n    return a if a else None\n"
PYTHON_2 = b"print 'x'\n"
BROKEN = b"def f(:\n"


def test_all_ten_keys_are_there() -> None:
    """A plain file has every metric key; the unused import is a violation of one minute."""
    (found,) = EmbeddedAnalyser().measure([SourceFile("a.py", GOOD)])
    assert set(found.measures) == set(METRIC_KEYS)
    assert (found.measures["violations"], found.measures["sqale_index"], found.reason) == (1, 1, None)


def test_the_answers_keep_the_order_and_the_paths() -> None:
    """Paths come back in order, doubled ones too, each with its own content's measures."""
    files = [SourceFile("b.py", BROKEN), SourceFile("a.py", GOOD), SourceFile("b.py", PYTHON_2)]
    found = EmbeddedAnalyser().measure(files)
    assert [(one.path, one.parsed) for one in found] == [("b.py", False), ("a.py", True), ("b.py", True)]


def test_what_does_not_parse_has_lines_alone() -> None:
    """A broken file says so with its place, and has no measure that could pass for a zero."""
    (found,) = EmbeddedAnalyser().measure([SourceFile("a.py", BROKEN)])
    assert found.measures == {"lines": 2}
    assert str(found.reason).startswith("no longer parses: line 1, column 7")


def test_python_2_is_measured_but_for_the_violations() -> None:
    """Ruff reads no Python 2: its two keys are absent and the reason names it."""
    (found,) = EmbeddedAnalyser().measure([SourceFile("a.py", PYTHON_2)])
    assert set(found.measures) == set(STRUCTURE_KEYS)
    assert "Ruff cannot read it: line 1" in str(found.reason)


def test_equal_contents_are_measured_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three files of two contents cost two measurements."""
    measured: list[bytes] = []

    def counting(content: bytes) -> Structure:
        measured.append(content)
        return measure_structure(content)

    monkeypatch.setattr(embedded, "measure_structure", counting)
    pairs = (("a", b"x = 1\n"), ("b", b"x = 1\n"), ("c", GOOD))
    found = EmbeddedAnalyser().measure([SourceFile(*pair) for pair in pairs])
    assert measured == [b"x = 1\n", GOOD]
    assert found[0].measures == found[1].measures


def test_nothing_to_measure_is_no_work() -> None:
    """No files, no answers."""
    assert EmbeddedAnalyser().measure([]) == []


def test_provenance_names_all_that_the_numbers_depend_on() -> None:
    """Grammar, Ruff and rule set stand in the provenance; the source of violations names the last two."""
    analyser = EmbeddedAnalyser()
    told = analyser.provenance()
    assert set(told) == {"analyser", "grammar", "ruff", "rule_set"}
    assert f"Ruff {told['ruff']}, rule set {told['rule_set']}" in analyser.violations_source
    assert "not SonarQube's" in analyser.violations_source


@pytest.mark.parametrize(("content", "answer"), [(GOOD, True), (PYTHON_2, True), (BROKEN, False)])
def test_parses_asks_the_wide_grammar(content: bytes, answer: bool) -> None:
    """Python 2 parses here although CPython refuses it."""
    assert parses(content) is answer
