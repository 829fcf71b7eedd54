"""A reply's text as a validated object: the schema decides, nothing is coerced, extras are noted."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

from swe_assets.llm.json_text import read_object
from swe_assets.llm.outcomes import InvalidReplyError
from swe_assets.llm.protocol import ChatReply

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError

Schema = TypeVar("Schema", bound="BaseModel")

SHORTEST_ECHO = 24
_NOT_WORDS = re.compile(r"[\W_]+")
_NUMBER = re.compile(r"(?<![\w.])\d{1,15}(?:\.\d{1,30})?(?:[eE][+-]?\d{1,2})?(?![\w.])", re.ASCII)
_ESCAPES = re.compile(r'\\(?:[nrtbf"/\\]|u([0-9a-fA-F]{4}))')


def validated(reply: ChatReply, schema: type[Schema], *, prompt: str = "") -> tuple[Schema, tuple[str, ...]]:
    """Return a reply's object and notes, read from its text where the provider has not done so."""
    if isinstance(reply.value, schema):
        return reply.value, reply.notes
    value, notes = read_as(reply.text, schema, prompt=prompt)
    return value, (*reply.notes, *notes)


def read_as(text: str, schema: type[Schema], *, prompt: str = "") -> tuple[Schema, tuple[str, ...]]:
    """Return the object in ``text`` as an instance of ``schema``, and notes of repairs and extra keys.

    ``prompt``: what the model was asked; an object that stands there word for word is an echo of foreign
    text and no answer.

    Raises InvalidReplyError where there is no such object (the reason names each field that is wrong) and
    RefusedError where the model declined.
    """
    from pydantic import ValidationError

    reading = read_object(text)
    if prompt and echoes(reading.value, prompt):
        raise InvalidReplyError("the object is a quotation of the prompt, not an answer to it")
    try:
        value = schema.model_validate(reading.value)
    except ValidationError as wrong:
        reason = _in_words(wrong)
    else:
        extra = [ascii(name[:40]) for name in _beside(reading.value, _names(schema))]
        noted = (f"extra keys: {', '.join(extra[:10])}",) if extra else ()
        return value, reading.repairs + noted
    raise InvalidReplyError(reason)


def echoes(value: object, prompt: str) -> bool:
    """Return whether an object's keys and values stand in a prompt in their order, word for word.

    Only letters and digits are compared, so that indents, quotes and the marks of a diff do not hide an
    echo, and numbers by their value; an object of fewer than 24 of them is too short to tell.
    """
    said = "".join(map(_bare, _parts(value)))
    plain = _ESCAPES.sub(lambda found: chr(int(found.group(1), 16)) if found.group(1) else "", prompt)
    return len(said) >= SHORTEST_ECHO and said in _bare(plain)


def _bare(text: str) -> str:
    """Return the letters and digits of a text, each number in its shortest form: 5 for 5e0 and 5.00."""
    return _NOT_WORDS.sub("", _NUMBER.sub(_shortest, text)).lower()


def _shortest(found: "re.Match[str]") -> str:
    """Return a number as Python writes it, a whole one without its fraction."""
    value = float(found.group())
    return str(int(value)) if value.is_integer() else str(value)


def _beside(value: Iterable[str], names: set[str]) -> list[str]:
    """Return the keys that a schema does not know; raise where one is a known key in other letters."""
    extra = [name for name in value if name not in names]
    folded = {name.casefold() for name in names}
    for name in extra:
        if name.strip().casefold() in folded:
            raise InvalidReplyError(f"key {name[:40]!a} is a known one in other letters: ambiguous")
    return extra


def _parts(value: object) -> Iterator[str]:
    """Yield the keys and values of a JSON value as they are written, in order."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from _parts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _parts(inner)
    else:
        yield value if isinstance(value, str) else json.dumps(value)


def _names(schema: "type[BaseModel]") -> set[str]:
    """Return the names under which a schema knows its fields."""
    return {field.alias or name for name, field in schema.model_fields.items()}


def integral(value: object) -> object:
    """Return 4 for 4.0 and leave all else as it is, for a strict integer field to judge."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _in_words(wrong: "ValidationError") -> str:
    """Return one short phrase a wrong field: its name, what is wrong, what was found."""
    phrases = []
    for problem in wrong.errors(include_url=False, include_context=False)[:5]:
        name = ".".join(map(str, problem["loc"])) or "object"
        if problem["type"] == "missing":
            phrases.append(f"{name} missing")
        else:
            phrases.append(f"{name}: {problem['msg']}, got {ascii(problem['input'])[:80]}")
    return "; ".join(phrases)
