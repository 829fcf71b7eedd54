"""Lines of code, of comment and in all, values by hand from their definitions."""

import pytest

from swe_assets_tests.analysers.python.measured import measured

LINES = {
    "": (0, 0, 1),
    "\n\n": (0, 0, 3),
    "x = 1": (1, 0, 1),
    "x = 1  # why\n": (1, 1, 2),
    "# why\nx = 1\n": (1, 1, 3),
    "# *** \n#\n# a\nx = 1\n": (1, 1, 5),
    "# NOSONAR because\nx = 1\n": (1, 0, 3),
    "x = 1\n# the last words hang on nothing\n": (1, 0, 3),
    "def f():\n    x = 1\n    # before a dedent\n\ny = 1\n": (3, 1, 6),
    '"""One.\n\nTwo.\n"""\n': (0, 4, 5),
    '"""One."""; x = 1\n': (0, 1, 2),
    'x = 1\n"""No docstring."""\n': (2, 0, 3),
    '"a" "b"\n': (0, 1, 2),
    '("a")\n': (1, 0, 2),
    '"a" % b\n': (1, 0, 2),
    '"a",\n': (0, 1, 2),
    'b"a"\n': (0, 1, 2),
    'f"""a\n{b}\nc"""\n': (2, 1, 4),
    'x = """a\nb\n"""\n': (3, 0, 4),
    "x = (\n    1,  # one\n\n)\n": (3, 1, 5),
    "from a import (\n    b,  # one\n    c  # two\n)\n": (3, 1, 5),
    "from a import (\n    b\n    ,\n)\n": (2, 0, 5),
    "import a, \\\n    b\n": (2, 0, 3),
    "a \\\n , \\\n b\n": (2, 0, 4),
    "x = a \\\n , \\\n b\n": (3, 0, 4),
    "def f[T \\\n = \\\n int](): pass\n": (2, 0, 4),
    "x = 1\r\ny = 2\r\n": (2, 0, 3),
    "x = 1\ry = 2\r# a\rz = 3": (3, 1, 4),
    '"""a\rb"""\rx = 1\r': (1, 2, 4),
    "x = 'a\u2028b\x85'\n": (1, 0, 2),
    "x = 1\n\f\ny = 2\n": (2, 0, 4),
}


@pytest.mark.parametrize("source", LINES)
def test_lines(source: str) -> None:
    """A line with a token is code, one of a docstring or with words behind # is comment."""
    assert measured(source, "ncloc", "comment_lines", "lines") == LINES[source]


@pytest.mark.parametrize("keyword", ["global", "nonlocal", "del", "print", "import"])
def test_commas_that_the_tree_does_not_hold_make_no_line(keyword: str) -> None:
    """A comma alone on its line is no code in statements whose tree drops commas."""
    assert measured(f"{keyword} a \\\n , \\\n b\n", "ncloc") == (2,)
