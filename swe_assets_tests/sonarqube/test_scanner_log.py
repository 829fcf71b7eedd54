"""Files that a scanner's log says did not parse."""

import pytest

from swe_assets.sonarqube.scanner_log import Unparsed, is_of_a_file, unparsed_in_log

REAL = """\
02:25:00.148 INFO  3 source files to be analyzed
02:25:00.335 ERROR Unable to parse file: inst3/p/q/broken.py
02:25:00.335 ERROR Parse error at line 2 column 2:

    1: def f(x:
  -->    pass

02:20:49.667 ERROR Unable to parse file: with space/bad file.py
02:20:49.668 ERROR Parse error at line 1 column 6:
02:25:02.287 INFO  ANALYSIS SUCCESSFUL
"""
"""Lines of a scanner 7.3 with Python analyser 5.12, as it wrote them."""


def test_a_real_log() -> None:
    """Both broken files of a real scan are found with their lines, though the scan succeeded."""
    assert unparsed_in_log(REAL) == (
        Unparsed("inst3/p/q/broken.py", 2),
        Unparsed("with space/bad file.py", 1),
    )


@pytest.mark.parametrize(
    ("log", "path", "line"),
    [
        ("ERROR: Unable to parse file: a.py\nERROR: Parse error at line 7 column 0:", "a.py", 7),
        ("[ERROR] 12:00:00.000 Unable to parse file: a.py", "a.py", None),
        ("2025-11-01 10:00:00 ERROR Unable to parse file: é/ü,x.py", "é/ü,x.py", None),
        ("ERROR Unable to parse source file : 'a.java'", "a.java", None),
        ("ERROR Failed to parse file [b/c.js] at line 3: Unexpected token", "b/c.js", 3),
        ("WARN Could not parse file 'a.py' (line 12)", "a.py", 12),
        ("ERROR Unable to parse file: at line 5.py\nERROR Parse error at line 9 column 1", "at line 5.py", 9),
        ("ERROR Unable to parse file: a[1].py", "a[1].py", None),
        ("ERROR Unable to parse file: a.py\r\nERROR Parse error at line 4 column 0:\r", "a.py", 4),
    ],
)
def test_wordings_of_versions_and_analysers(log: str, path: str, line: int | None) -> None:
    """The mark is known with any prefix, quotes and places of the line."""
    assert unparsed_in_log(log) == (Unparsed(path, line),)


def test_a_file_twice_counts_once_with_its_line() -> None:
    """A file that two sensors could not parse is one file."""
    log = (
        "ERROR Unable to parse file: a.py\nINFO x\n"
        + "ERROR Unable to parse file: a.py\nParse error at line 3"
    )
    assert unparsed_in_log(log.split("\n")) == (Unparsed("a.py", 3),)


@pytest.mark.parametrize(
    "log",
    [
        "",
        "INFO  3 source files to be analyzed",
        "INFO Parsed 3 files",
        "WARN Cannot parse the date",
        "line 3",
    ],
)
def test_other_lines_mark_no_file(log: str) -> None:
    """A log without marks names no file."""
    assert not [one for one in unparsed_in_log(log) if one.path.endswith(".py")]


QUOTED = """\
04:13:01.759 ERROR Unable to parse file: m00001/h.py
04:13:01.759 ERROR Parse error at line 2 column 7:

  -->  Unable to parse file: m00002/victim.py at line 3
    3: 12:00:00.000 ERROR Unable to parse file: m00003/victim.py
    4: ERROR Parse error at line 9 column 0 HTTP 401

04:13:02.286 INFO  Quality profile for py: Sonar way
"""
"""What a scanner 7.3 wrote of a file whose source imitates its log."""


def test_source_that_imitates_the_log_marks_no_other_file() -> None:
    """The source quoted below a parse error names no file, so one instance cannot break another."""
    assert unparsed_in_log(QUOTED) == (Unparsed("m00001/h.py", 2),)


def test_which_lines_are_of_a_file() -> None:
    """The mark, the place and the quoted source are about a file; other lines are not."""
    assert [is_of_a_file(line) for line in QUOTED.splitlines() if line] == [True] * 5 + [False]
    assert not is_of_a_file("04:13:01.759 ERROR GET http://h failed with HTTP 503")
