"""JSON by content: lines, list, object; errors with line and column; nothing kept in silence."""

import json
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from swe_assets.errors import InputError
from swe_assets.patch_quality.inputs.json_records import NotANumber, read_elements, read_json
from swe_assets.patch_quality.inputs.sources import Source

Opened = Callable[..., Source]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)
FRESH = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)


def values(source: Source) -> list[object]:
    """Return the values of all elements."""
    return [element.value for element in read_elements(source).elements]


@given(rows=st.lists(JSON, max_size=4), indent=st.sampled_from([None, 1]))
@FRESH
def test_list_agrees_with_json(opened: Opened, rows: list[object], indent: int | None) -> None:
    """A list's items are those that Python's own reader gives, however it is laid out."""
    source = opened(json.dumps(rows, indent=indent))
    assert values(source) == rows


@given(rows=st.lists(st.dictionaries(st.text(), JSON), min_size=2, max_size=4), ascii_only=st.booleans())
@FRESH
def test_lines_agree_with_json(opened: Opened, rows: list[object], ascii_only: bool) -> None:
    """Each line is one element, and no separator but LF ends a line."""
    text = "\n".join(json.dumps(row, ensure_ascii=ascii_only) for row in rows)
    source = opened(text.encode("utf-8"))
    assert (read_elements(source).form, values(source)) == ("JSON lines", rows)


@given(pairs=st.dictionaries(st.text(), JSON, max_size=4), indent=st.sampled_from([None, 1]))
@FRESH
def test_object_agrees_with_json(opened: Opened, pairs: dict[str, object], indent: int | None) -> None:
    """An object's pairs are those that Python's own reader gives."""
    elements = read_elements(opened(json.dumps(pairs, indent=indent))).elements
    assert {element.key: element.value for element in elements} == pairs


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("text", ['{"a": "\u2028ćé"}\n{"b": 1}\n', '[{"a": "\u2028ćé"},\n{"b": 1}]'])
def test_byte_order_marks(opened: Opened, encoding: str, text: str) -> None:
    """The encodings that a byte order mark tells are read, as lines and as a document."""
    assert values(opened(text.encode(encoding))) == [{"a": "\u2028ćé"}, {"b": 1}]


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b'{"a": 1}\n\n{"a": \xff}\n', 3),
        (b'[\n{"a": 1},\n"\xff"]', 3),
        ('{"a": 1}\n'.encode("utf-16-le"), 1),
        (b"", 1),
        (b" \n\n", 1),
        (b'{"a": 1}\n{"a": 1\n', 2),
        (b'{"a": 1\n{"a": 1}\n', 1),
        (b'{"a": 1}\r\n{"a"\r\n', 2),
        (b"[1,\n2,\n]", 2),
        (b'{"a": 1,\n"b": 2,}', 2),
        (b"[1,\n2", 2),
        (b'{"a" 1}', 1),
        (b"{'a': 1}", 1),
        (b"[1]\n[2]", 2),
        (b"[" * 100_00, 1),
        (b'{"n": ' + b"9" * 5000 + b"}", 1),
    ],
)
def test_error_has_line(opened: Opened, content: bytes, line: int) -> None:
    """Text that is not JSON, or not text, is an error that says its line."""
    with pytest.raises(InputError, match=rf"line {line}\b"):
        values(opened(content))


@pytest.mark.parametrize("content", [b"[1,]", b'{"a": [1, 2}', b"[1] 2", b'"\n"'])
def test_whole_document_error(opened: Opened, content: bytes) -> None:
    """A whole document that is not JSON gives line and column."""
    with pytest.raises(InputError, match=r"line 1 column \d+"):
        read_json(opened(content))


def test_repeated_keys_are_remembered(opened: Opened) -> None:
    """An object tells which keys it had twice, in lines, lists and documents."""
    twice = '{"a": 1, "a": 2}'
    found = [*read_elements(opened(f"{twice}\n{{}}")).elements, *read_elements(opened(f"[{twice}]")).elements]
    assert [element.value.repeated for element in found if element.value] == [{"a"}, {"a"}]
    assert read_json(opened(twice)).repeated == {"a"}


def test_top_level_pairs_keep_repetitions(opened: Opened) -> None:
    """An object's repeated keys come as the pairs they are."""
    elements = read_elements(opened('{"a": 1,\n "a": 2}')).elements
    assert [(element.key, element.value, element.line) for element in elements] == [("a", 1, 1), ("a", 2, 2)]


def test_not_a_number(opened: Opened) -> None:
    """NaN and Infinity become values that nothing can take for a text, a number or null."""
    found = read_json(opened('{"a": NaN, "b": -Infinity}'))
    assert all(isinstance(value, NotANumber) for value in found.values())


def test_document_limit(opened: Opened) -> None:
    """A document that is not JSON lines has a tighter limit, and the message says to send lines."""
    source = opened(json.dumps(["x" * 10_000] * 2, indent=1))
    with pytest.raises(InputError, match="write it as JSON lines"):
        values(source)


def test_line_limit(opened: Opened) -> None:
    """A line over the limit for what is held at once is refused with its number."""
    with pytest.raises(InputError, match="line 2 is longer than"):
        values(opened('{"a": 1}\n{"a": "' + "x" * 20_000 + '"}\n'))
