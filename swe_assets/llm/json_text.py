"""One JSON object out of a model's words: repairs only what is surely meant, and says what it repaired."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NoReturn

from swe_assets.llm.json_mending import mended_object
from swe_assets.llm.outcomes import InvalidReplyError, RefusedError

READER_VERSION = "1"
"""Raise it when a reply would now be read otherwise than before: stored verdicts then count as stale."""

MAX_CHARS = 400_000
_MAX_STARTS = 200
_FENCE = re.compile(r"```[A-Za-z0-9_-]*")
_BEGUN = re.compile(r'\{\s{0,200}["“„”]')
_THINKING = re.compile(r"\s*<(think|thinking|thought|reasoning)>", re.IGNORECASE)
_CLOSED = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_REFUSAL = re.compile(
    r"\b(?:i(?: am|'m) (?:sorry|unable|not able)|i (?:cannot|can't|can not|won't|must decline|refuse)"
    r"|as an ai|n[ãa]o (?:posso|consigo|irei|vou)|(?:me )?recuso|desculpe|lamento|sinto muito)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Reading:
    """The one object in a text, and the repairs that led to it."""

    value: dict[str, Any]
    repairs: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Found:
    """An object read from a text, with where it begins and ends."""

    start: int
    end: int
    reading: Reading


def read_object(text: str) -> Reading:
    """Return the one JSON object that ``text`` holds.

    Accepted beside plain JSON, each noted as a repair: a code fence, prose before or after the object, a
    closed thinking block before it, raw control characters inside strings, curly quotes as delimiters, a
    trailing comma, a list of one, JSON inside a JSON string, the same object twice.

    Raises InvalidReplyError (no object, unreadable, several that differ, a key twice with different values,
    NaN) and RefusedError (words of refusal instead of an object, or beside it).
    """
    if len(text) > MAX_CHARS:
        raise InvalidReplyError(f"reply of {len(text)} characters, more than the {MAX_CHARS} that are read")
    body = text.strip().removeprefix("\ufeff").strip()
    whole = _parsed(body)
    if whole is not None:
        return _object_of(whole[0])
    body, repairs = _without_thinking(body)
    found = list(_objects(body))
    if not found:
        _refuse_without_object(body)
    reading = _only(found)
    return Reading(reading.value, (*repairs, *_surroundings(body, found), *reading.repairs))


def _parsed(text: str) -> tuple[Any] | None:
    """Return the strict JSON value of the whole text in a tuple of one, or None where it is not JSON."""
    try:
        return (_DECODER.decode(text),)
    except (ValueError, RecursionError):
        return None


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object, refusing a key that occurs twice with different values."""
    built: dict[str, Any] = {}
    for key, value in pairs:
        if key in built and not _same(built[key], value):
            raise InvalidReplyError(f"ambiguous: key {key[:60]!a} occurs twice with different values")
        built[key] = value
    return built


def _not_a_number(word: str) -> NoReturn:
    """Refuse NaN and Infinity, which JSON does not have."""
    raise InvalidReplyError(f"{word} is not a JSON number")


_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_not_a_number)
_LENIENT = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_not_a_number, strict=False)


def _same(left: object, right: object) -> bool:
    """Tell whether two JSON values are equal, where true is not 1 and 4.0 is not 4."""
    return json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)


def _object_of(value: object, repairs: tuple[str, ...] = ()) -> Reading:
    """Return the object in a parsed value: itself, the one item of a list, or JSON inside a JSON string."""
    if isinstance(value, dict):
        return Reading(value, repairs)
    if isinstance(value, list) and len(value) == 1 and not repairs:
        return _object_of(value[0], ("list of one",))
    if isinstance(value, list) and len(value) > 1 and all(isinstance(item, dict) for item in value):
        raise InvalidReplyError(f"ambiguous: a list of {len(value)} objects")
    if isinstance(value, str) and not repairs:
        inner = _parsed(value.strip())
        if inner is not None:
            return _object_of(inner[0], ("JSON inside a JSON string",))
        if _REFUSAL.search(value[:400].replace("’", "'")):
            raise RefusedError(f"the model declined: {value[:200]!a}")
    raise InvalidReplyError(f"a JSON {type(value).__name__} instead of an object")


def _without_thinking(text: str) -> tuple[str, tuple[str, ...]]:
    """Cut a thinking block off the front; an unclosed one leaves nothing that could be an answer."""
    opened, closed = _THINKING.match(text), _CLOSED.search(text)
    if opened and not closed:
        raise InvalidReplyError("a thinking block that is not closed")
    if closed and (opened or "{" not in text[: closed.start()]):
        return text[closed.end() :].strip(), ("thinking block",)
    return text, ()


def _objects(text: str) -> Iterable[_Found]:
    """Yield the objects in a text, left to right; what begins like one but cannot be read is an error."""
    at = text.find("{")
    for _ in range(_MAX_STARTS):
        if at < 0:
            return
        found = _object_at(text, at)
        if found:
            yield found
        elif _BEGUN.match(text, at):
            raise InvalidReplyError(f"an object that is not readable JSON at character {at}")
        at = text.find("{", found.end if found else at + 1)
    raise InvalidReplyError(f"more than {_MAX_STARTS} braces outside objects")


def _object_at(text: str, at: int) -> _Found | None:
    """Return the object that begins at a brace: as it is, else with raw control characters, else mended."""
    for decoder, repairs in ((_DECODER, ()), (_LENIENT, ("raw control character in a string",))):
        try:
            value, end = decoder.raw_decode(text, at)
            return _Found(at, end, Reading(value, repairs))
        except (ValueError, RecursionError):
            continue
    mended = mended_object(text, at) if _BEGUN.match(text, at) else None
    if mended is None:
        return None
    try:
        return _Found(at, mended.end, Reading(_LENIENT.decode(mended.text), mended.repairs))
    except (ValueError, RecursionError):
        return None


def _only(found: list[_Found]) -> Reading:
    """Return the single object, or the first of several equal ones."""
    first, *others = (one.reading for one in found)
    if any(not _same(first.value, other.value) for other in others):
        raise InvalidReplyError(f"ambiguous: {len(found)} JSON objects that differ")
    return Reading(first.value, (*first.repairs, *(("same object repeated",) if others else ())))


def _surroundings(text: str, found: list[_Found]) -> tuple[str, ...]:
    """Note fences and prose around the object; prose on both sides is only accepted around a fence."""
    before, after = text[: found[0].start], text[found[-1].end :]
    fenced = bool(re.search(r"```[A-Za-z0-9_-]*\s*$", before))
    prose_before, prose_after = (_FENCE.sub("", side).strip() for side in (before, after))
    if _REFUSAL.search(f"{prose_before} {prose_after}".replace("’", "'")):
        raise RefusedError(f"the model declined beside an object: {(prose_before or prose_after)[:200]!a}")
    if prose_before and prose_after and not fenced:
        raise InvalidReplyError("an object amid other text: it may be a quotation")
    around = bool(prose_before or prose_after)
    return ("code fence",) * fenced + ("text around the object",) * around


def _refuse_without_object(text: str) -> NoReturn:
    """Raise for a text without an object: a refusal where its words say so, else an invalid reply."""
    if _REFUSAL.search(text[:400].replace("’", "'")):
        raise RefusedError(f"the model declined: {text[:200]!a}")
    raise InvalidReplyError(f"no JSON object in the reply, which begins {text[:80]!a}")
