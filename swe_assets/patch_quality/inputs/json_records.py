"""JSON as people send it: lines, a list or an object, told apart by content, each element with its line.

JSON lines are read one line at a time; any other document is held at once and has the tighter limit
`Limits.document_bytes`. Lines end at LF alone (RFC 8259 allows U+2028 and U+0085 raw inside a text).
"""

import codecs
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any, BinaryIO, NamedTuple

from swe_assets.errors import InputError
from swe_assets.patch_quality.inputs.quoting import quoted
from swe_assets.patch_quality.inputs.sources import Source

MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
LINES, LIST, OBJECT, SCALAR = "JSON lines", "JSON list", "JSON object", "JSON scalar"
_SPACE = re.compile(r"[ \t\n\r]*")


class JsonObject(dict[str, Any]):
    """A decoded object that remembers which keys it had more than once (the last value is kept)."""

    repeated: frozenset[str] = frozenset()


class NotANumber:
    """NaN or Infinity, which Python writes and JSON forbids; never equal to a usable value."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


class Element(NamedTuple):
    """One element of a document: its key in an object (None elsewhere), its value, its 1-based line."""

    key: str | None
    value: Any
    line: int


@dataclass(frozen=True)
class Document:
    """What a source turned out to be, and its elements, which can be iterated once."""

    form: str
    elements: Iterator[Element]


def read_elements(source: Source) -> Document:
    """Tell JSON lines from one JSON document by content and return its elements.

    A list gives its items, an object its pairs, lines one element a line that is not blank, a scalar itself.
    Raises InputError with line and column, at once or while iterating, where the JSON is not valid.
    """
    lines = _lines(source)
    first = next(lines, None)
    if first is None:
        raise InputError(f"{source.given}: line 1 column 1: the file is empty")
    if not first.text.startswith("{"):
        return _whole(source)
    second = next(lines, None)
    if second is None or not (_is_object(first.text) or _is_object(second.text)):
        return _whole(source)
    return Document(LINES, _decoded_lines(source, chain((first, second), lines)))


def read_json(source: Source) -> Any:
    """Return a whole JSON document; raise InputError with line and column where it is not valid."""
    text = read_text(source)
    try:
        value, end = _DECODER.raw_decode(text, _after_space(text, 0))
        if _after_space(text, end) < len(text):
            raise json.JSONDecodeError("Extra data", text, _after_space(text, end))
    except (ValueError, RecursionError) as wrong:
        raise _not_json(source, wrong) from None
    return value


def read_text(source: Source) -> str:
    """Return a document's text without its byte order mark; raise InputError over the limit."""
    most = source.limits.document_bytes
    encoding, mark = _encoding(source)
    with source.open() as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise InputError(
            f"{source.given} is one JSON document of more than {most:,} bytes: write it as JSON lines, one "
            "complete object a line, which are streamed, or raise the limit with --max-input-bytes"
        )
    try:
        return data[mark:].decode(encoding)
    except UnicodeDecodeError as wrong:
        line = data.count(b"\n", 0, wrong.start + mark) + 1
        raise InputError(f"{source.given}: line {line}: not {encoding} text ({wrong.reason})") from None


class _Line(NamedTuple):
    number: int
    text: str


def _encoding(source: Source) -> tuple[str, int]:
    """Return the encoding that the byte order mark tells, and the mark's length; UTF-8 without one."""
    head = source.head()
    for mark, encoding in MARKS:
        if head.startswith(mark):
            return encoding, len(mark)
    if b"\0" in head:
        raise InputError(f"{source.given}: line 1: the file has NUL bytes: give JSON in UTF-8")
    return "utf-8", 0


def _lines(source: Source) -> Iterator[_Line]:
    """Yield each line that is not blank, stripped of JSON white space, with its number."""
    encoding, mark = _encoding(source)
    most = source.limits.document_bytes
    with source.open() as file:
        file.read(mark)
        raw = _physical_lines(file, encoding, most)
        for number, data in enumerate(raw, 1):
            if len(data) > most:
                raise InputError(
                    f"{source.given}: line {number} is longer than {most:,} bytes, a quarter of the limit: "
                    "raise it with --max-input-bytes"
                )
            try:
                text = data.decode(encoding).strip(" \t\n\r")
            except UnicodeDecodeError as wrong:
                raise InputError(
                    f"{source.given}: line {number}: not {encoding} text ({wrong.reason})"
                ) from None
            if text:
                yield _Line(number, text)


def _physical_lines(file: BinaryIO, encoding: str, most: int) -> Iterator[bytes]:
    """Yield lines as bytes, at most one byte over the limit each; UTF-16 and UTF-32 have their own LF."""
    if encoding == "utf-8":
        while line := file.readline(most + 1):
            yield line
        return
    feed = "\n".encode(encoding)
    data = file.read(most + 1)
    start = 0
    while start < len(data):
        end = data.find(feed, start)
        while end >= 0 and end % len(feed):
            end = data.find(feed, end + 1)
        stop = len(data) if end < 0 or len(data) > most else end + len(feed)
        yield data[start:stop]
        start = stop


def _decoded_lines(source: Source, lines: Iterator[_Line]) -> Iterator[Element]:
    """Yield the value of each line; raise InputError with the line where one is not JSON."""
    for line in lines:
        try:
            value = _DECODER.decode(line.text)
        except (ValueError, RecursionError) as wrong:
            raise _not_json(source, wrong, line.number) from None
        yield Element(None, value, line.number)


def _whole(source: Source) -> Document:
    """Return the elements of a source that is one document: list, object or scalar."""
    text = read_text(source)
    start = _after_space(text, 0)
    opening = text[start : start + 1]
    if opening in ("[", "{"):
        form = LIST if opening == "[" else OBJECT
        return Document(form, _walk(source, text, start))
    value = read_json(source)
    return Document(SCALAR, iter([Element(None, value, text.count("\n", 0, start) + 1)]))


def _walk(source: Source, text: str, start: int) -> Iterator[Element]:
    """Yield the items of a list or the pairs of an object one by one, each with its line."""
    counted, line = 0, 1
    try:
        for key, value, position in _members(text, start):
            line += text.count("\n", counted, position)
            counted = position
            yield Element(key, value, line)
    except (ValueError, RecursionError) as wrong:
        raise _not_json(source, wrong) from None


def _members(text: str, start: int) -> Iterator[tuple[str | None, Any, int]]:
    """Yield (key, value, position) of the list or object that opens at `start`, then check the end."""
    keyed, closing = text[start] == "{", "}" if text[start] == "{" else "]"
    position = _after_space(text, start + 1)
    while text[position : position + 1] != closing:
        begin, key = position, None
        if keyed:
            key, position = _key(text, position)
        value, position = _DECODER.raw_decode(text, position)
        yield key, value, begin
        position = _after_space(text, position)
        if text[position : position + 1] == ",":
            comma, position = position, _after_space(text, position + 1)
            if text[position : position + 1] == closing:
                raise json.JSONDecodeError("Illegal trailing comma", text, comma)
        elif text[position : position + 1] != closing:
            raise json.JSONDecodeError("Expecting ',' delimiter", text, position)
    position = _after_space(text, position + 1)
    if position < len(text):
        raise json.JSONDecodeError("Extra data", text, position)


def _key(text: str, position: int) -> tuple[str, int]:
    """Return the key at a position, and where its value starts."""
    if text[position : position + 1] != '"':
        raise json.JSONDecodeError("Expecting property name enclosed in double quotes", text, position)
    key, position = _DECODER.raw_decode(text, position)
    position = _after_space(text, position)
    if text[position : position + 1] != ":":
        raise json.JSONDecodeError("Expecting ':' delimiter", text, position)
    return key, _after_space(text, position + 1)


def _is_object(text: str) -> bool:
    """Tell whether a line is one whole JSON object."""
    try:
        return isinstance(_DECODER.decode(text), dict)
    except (ValueError, RecursionError):
        return False


def _object(pairs: list[tuple[str, Any]]) -> JsonObject:
    """Build an object and remember its repeated keys."""
    made = JsonObject(pairs)
    if len(made) < len(pairs):
        made.repeated = frozenset(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
    return made


def _not_json(source: Source, wrong: Exception, line: int | None = None) -> InputError:
    """Return the error that says where a text stops being JSON."""
    if isinstance(wrong, json.JSONDecodeError):
        where = f"line {line or wrong.lineno} column {wrong.colno}"
        around = wrong.doc[max(wrong.pos - 20, 0) : wrong.pos + 20]
        return InputError(f"{source.given}: {where}: not JSON: {wrong.msg}, near {quoted(around)}")
    reason = "nested too deeply" if isinstance(wrong, RecursionError) else str(wrong)
    return InputError(f"{source.given}: line {line or 1}: not usable JSON: {reason}")


def _after_space(text: str, position: int) -> int:
    """Return the first position at or after `position` that is not JSON white space."""
    found = _SPACE.match(text, position)
    assert found is not None  # noqa: S101 - the pattern matches the empty text
    return found.end()


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=NotANumber)
