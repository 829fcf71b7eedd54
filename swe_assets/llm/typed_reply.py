"""A reply's text as a validated object: the schema decides, nothing is coerced, extras are noted."""

from typing import TYPE_CHECKING, TypeVar

from swe_assets.llm.json_text import read_object
from swe_assets.llm.outcomes import InvalidReplyError
from swe_assets.llm.protocol import ChatReply

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError

Schema = TypeVar("Schema", bound="BaseModel")


def validated(reply: ChatReply, schema: type[Schema]) -> tuple[Schema, tuple[str, ...]]:
    """Return a reply's object and notes, read from its text where the provider has not done so."""
    if isinstance(reply.value, schema):
        return reply.value, reply.notes
    value, notes = read_as(reply.text, schema)
    return value, (*reply.notes, *notes)


def read_as(text: str, schema: type[Schema]) -> tuple[Schema, tuple[str, ...]]:
    """Return the object in ``text`` as an instance of ``schema``, and notes of repairs and extra keys.

    Raises InvalidReplyError where there is no such object (the reason names each field that is wrong) and
    RefusedError where the model declined.
    """
    from pydantic import ValidationError

    reading = read_object(text)
    try:
        value = schema.model_validate(reading.value)
    except ValidationError as wrong:
        reason = _in_words(wrong)
    else:
        extra = [ascii(name[:40]) for name in reading.value if name not in schema.model_fields]
        noted = (f"extra keys: {', '.join(extra[:10])}",) if extra else ()
        return value, reading.repairs + noted
    raise InvalidReplyError(reason)


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
