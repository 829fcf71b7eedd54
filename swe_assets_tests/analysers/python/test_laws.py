"""Laws that hold for any source, tried on many."""

from hypothesis import given
from hypothesis import strategies as st

from swe_assets.analysers.protocol import STRUCTURE_KEYS
from swe_assets.analysers.python.structure import measure_structure

PIECES = (
    "if a:\n    pass\n|x = (b and c) or d\n|def f(a, *b):\n    return a\n|class A:\n    '''Doc.'''\n|"
    "for i in j:\n    k = [l for l in m if n]\n|# words\ny = 1\n|print 'a'\n|while a: b()\n|"
    "z = f'{a if b else c}'\n"
)
STATEMENTS = st.sampled_from(PIECES.split("|"))
ADDITIVE = [key for key in STRUCTURE_KEYS if key not in ("lines", "comment_lines")]


@given(st.binary(max_size=200))
def test_any_bytes_give_an_answer(content: bytes) -> None:
    """Bytes parse and have all keys, or do not and have lines and a reason."""
    found = measure_structure(content)
    assert set(found.measures) == (set(STRUCTURE_KEYS) if found.reason is None else {"lines"})


@given(st.text(alphabet="ab1 \n\t\f\\'\"#()[]{}:;,.=*@!`fnotifelse", max_size=80))
def test_any_text_gives_an_answer(text: str) -> None:
    """Text made of what Python is made of never breaks the parser."""
    found = measure_structure(text.encode())
    assert (found.reason is None) == ("ncloc" in found.measures)


@given(st.lists(STATEMENTS, min_size=1, max_size=6), st.lists(STATEMENTS, min_size=1, max_size=6))
def test_sources_add_up(first: list[str], second: list[str]) -> None:
    """Counts of two sources one after the other are the sums of both; a docstring that moves aside."""
    head, tail = "x = 1\n" + "".join(first), "x = 1\n" + "".join(second)
    whole = measure_structure((head + tail).encode()).measures
    one, other = measure_structure(head.encode()).measures, measure_structure(tail.encode()).measures
    assert {key: whole[key] for key in ADDITIVE} == {key: one[key] + other[key] for key in ADDITIVE}


@given(st.lists(STATEMENTS, min_size=1, max_size=6), st.sampled_from(["\r", "\r\n"]))
def test_the_kind_of_line_end_does_not_matter(pieces: list[str], end: str) -> None:
    """The same source with other line ends has the same measures."""
    source = "".join(pieces)
    assert measure_structure(source.replace("\n", end).encode()) == measure_structure(source.encode())


@given(st.lists(STATEMENTS, min_size=1, max_size=6))
def test_a_function_around_changes_what_it_must(pieces: list[str]) -> None:
    """A def around a source adds one function, one statement and one line of code."""
    source = "".join(pieces)
    inside = "def f():\n" + "".join(f"    {line}\n" for line in ("x = 1\n" + source).splitlines())
    plain, wrapped = measure_structure(source.encode()).measures, measure_structure(inside.encode()).measures
    added = {key: wrapped[key] - plain[key] for key in ("functions", "complexity", "statements", "ncloc")}
    assert added == {"functions": 1, "complexity": 1, "statements": 2, "ncloc": 2}
