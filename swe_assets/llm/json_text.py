"""One JSON object out of a model's words: repairs only what is surely meant, and says what it repaired."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, NoReturn

from swe_assets.llm.json_mending import mended_object
from swe_assets.llm.outcomes import InvalidReplyError, RefusedError
from swe_assets.llm.refusals import declines, may_decline

READER_VERSION = "3"
"""Raise it when a reply would now be read otherwise than before: stored verdicts then count as stale."""

MAX_CHARS = 400_000
_MAX_STARTS = 200
_FENCE = re.compile(r"```[A-Za-z0-9_-]*")
_BRACE = re.compile("[{｛]")
_BEGUN = re.compile(r"""[{｛]\s{0,200}["“„”＂'‘’]""")
_A_SET = re.compile(r"""\{\s{0,9}(["'])[^"'\n{}:]{0,80}\1\s{0,9}[,}]""")
_A_KEY = re.compile(r"""["“”＂'‘’]\s{0,9}[:：]""")
THINKING = re.compile(r"\s*<(think|thinking|thought|reasoning)>", re.IGNORECASE)
THOUGHT = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_LEAD_IN = re.compile(r"[^\n.!?:：>]{0,80}[:：]?")
_CLOSING = re.compile(r"[^\n:：>{}]{0,40}")
_TELLING = re.compile(
    r"exemplo|example|format|patch|coment|comment|cont[eé]m|contains?\b|escreve|writes|\bdiz\b|\bsays\b|\bcit|quot"
    r"|\b(?:n[ãa]o|no|not|never|nunca|but|mas|por[ée]m|however|wait|actually|espera|ali[áa]s|false|true|falso)\b"
    r"|resol|score|nota|answer is|veredito d|verdict of|ignor|例|格式|补丁|注释|写|说|不|但|等|其实|忽略",
    re.IGNORECASE,
)
"""Words beside an object that may belong to its verdict, or tell that it is shown and not given."""
MAX_DEPTH = 64

Fault = Literal[
    "no_object", "not_an_object", "duplicate_key", "not_a_number", "truncated", "ambiguous", "unreadable"
]
"""What is wrong with a text from which no object could be read."""


class ReadingError(InvalidReplyError):
    """A text from which no one object can be read; ``fault`` says in a word why not."""

    def __init__(self, reason: str, fault: Fault) -> None:
        super().__init__(reason)
        self.fault: Fault = fault


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

    Accepted beside plain JSON, each noted as a repair: a code fence, one short clause that leads to the
    object ("Segue a avaliação:") or closes its fence, a closed thinking block before it, raw control
    characters inside strings, curly or single quotes as delimiters, full-width punctuation, a trailing
    comma, a list of one, JSON inside a JSON string, the same object twice.

    Raises ReadingError (no object, one that is unreadable or does not end, several that differ, a key twice
    with different values, NaN, pieces of JSON beside the object as a quotation leaves them) and RefusedError
    (words of refusal instead of an object, or beside it).
    """
    if len(text) > MAX_CHARS:
        raise ReadingError(f"reply of {len(text)} characters, more than the {MAX_CHARS} read", "unreadable")
    body = text.strip().removeprefix("\ufeff").strip()
    whole = _parsed(body)
    reading = _object_of(whole[0]) if whole is not None else _read_amid(body)
    if _depth(reading.value) > MAX_DEPTH:
        raise ReadingError(f"an object of more than {MAX_DEPTH} levels is not readable", "unreadable")
    return reading


def _read_amid(text: str) -> Reading:
    """Return the one object of a text that is not JSON as a whole."""
    body, repairs = _without_thinking(text)
    found = list(_objects(body))
    if not found:
        _refuse_without_object(body)
    beside = _surroundings(body, found, thought=bool(repairs))
    reading = _only(found)
    return Reading(reading.value, (*repairs, *beside, *reading.repairs))


def _depth(value: object) -> int:
    """Return how many objects and lists stand in one another, counted without recursion."""
    depth, level = 0, [value]
    while level:
        inner = [
            item.values() if isinstance(item, dict) else item
            for item in level
            if isinstance(item, dict | list)
        ]
        depth, level = depth + bool(inner), [item for items in inner for item in items]
    return depth


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
            raise ReadingError(
                f"ambiguous: key {key[:60]!a} occurs twice with different values", "duplicate_key"
            )
        built[key] = value
    return built


def _not_a_number(word: str) -> NoReturn:
    """Refuse NaN and Infinity, which JSON does not have."""
    raise ReadingError(f"{word} is not a JSON number", "not_a_number")


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
        raise ReadingError(f"ambiguous: a list of {len(value)} objects", "ambiguous")
    if isinstance(value, str) and not repairs:
        inner = _parsed(value.strip())
        if inner is not None:
            return _object_of(inner[0], ("JSON inside a JSON string",))
        if declines(value):
            raise RefusedError(f"the model declined: {value[:200]!a}")
    raise ReadingError(f"a JSON {type(value).__name__} instead of an object", "not_an_object")


def _without_thinking(text: str) -> tuple[str, tuple[str, ...]]:
    """Cut thinking blocks off the front; an unclosed one leaves nothing that could be an answer."""
    repairs: tuple[str, ...] = ()
    while True:
        opened, closed = THINKING.match(text), THOUGHT.search(text)
        if opened and not closed:
            raise ReadingError("truncated: a thinking block that is not closed", "truncated")
        if closed is None or not (opened or _BRACE.search(text, 0, closed.start()) is None):
            return text, repairs
        text, repairs = text[closed.end() :].strip(), ("thinking block",)


def _objects(text: str) -> Iterable[_Found]:
    """Yield the objects in a text, left to right; what begins like one but cannot be read is an error."""
    at = 0
    for _ in range(_MAX_STARTS):
        brace = _BRACE.search(text, at)
        if brace is None:
            return
        found = _object_at(text, brace.start())
        if found:
            yield found
        elif _begun(text, brace.start()):
            _refuse_unread(text, brace.start())
        at = found.end if found else brace.end()
    raise ReadingError(f"more than {_MAX_STARTS} braces outside objects", "unreadable")


def _begun(text: str, at: int) -> bool:
    """Tell whether an object begins at a brace: a quote follows, and it is no set of words in prose."""
    return bool(_BEGUN.match(text, at)) and not _A_SET.match(text, at)


def _refuse_unread(text: str, at: int) -> NoReturn:
    """Raise for an object that begins and cannot be read: it does not end, or it is not JSON."""
    if mended_object(text, at) is None:
        raise ReadingError(f"truncated: the object at character {at} does not end", "truncated")
    raise ReadingError(f"an object that is not readable JSON at character {at}", "unreadable")


def _object_at(text: str, at: int) -> _Found | None:
    """Return the object that begins at a brace: as it is, else with raw control characters, else mended."""
    for decoder, repairs in ((_DECODER, ()), (_LENIENT, ("raw control character in a string",))):
        try:
            value, end = decoder.raw_decode(text, at)
            return _Found(at, end, Reading(value, repairs))
        except (ValueError, RecursionError):
            continue
    mended = mended_object(text, at) if _begun(text, at) else None
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
        raise ReadingError(f"ambiguous: {len(found)} JSON objects that differ", "ambiguous")
    return Reading(first.value, (*first.repairs, *(("same object repeated",) if others else ())))


def _surroundings(text: str, found: list[_Found], *, thought: bool) -> tuple[str, ...]:
    """Note fences and prose around the object; refuse what makes it look like a quotation or takes it back.

    Before it may stand one clause, behind it only its fence's end and a few words; neither may say anything
    that a verdict could say, for then the object may not be the last word.
    """
    before, after = text[: found[0].start], text[found[-1].end :]
    fenced = bool(re.search(r"```[A-Za-z0-9_-]*\s*$", before))
    prose_before, prose_after = (_FENCE.sub("", side).strip() for side in (before, after))
    beside = f"{prose_before} {prose_after}"
    if may_decline(beside):
        _refuse_beside(prose_before, prose_after)
    if prose_after and (not fenced or thought or not _CLOSING.fullmatch(prose_after)):
        raise ReadingError("an object amid other text: it may be a quotation", "ambiguous")
    if not _LEAD_IN.fullmatch(prose_before) or _TELLING.search(beside):
        raise ReadingError("an object beside words that are no mere lead to it", "ambiguous")
    if _A_KEY.search(beside) or THOUGHT.search(beside) or re.search(r"^[\"'“”‘’,:}\]]|[}｝]", prose_after):
        raise ReadingError("an object beside pieces of JSON: it may be a quotation", "ambiguous")
    around = bool(prose_before or prose_after)
    return ("code fence",) * fenced + ("text around the object",) * around


def _refuse_beside(before: str, after: str) -> NoReturn:
    """Raise for words of refusal beside an object: declined, or too unclear to be taken."""
    if declines(before.rstrip(":")) or declines(after):
        raise RefusedError(f"the model declined beside an object: {(before or after)[:200]!a}")
    raise ReadingError("an object beside words of refusal: it may not be the answer", "ambiguous")


def _refuse_without_object(text: str) -> NoReturn:
    """Raise for a text without an object: a refusal where its words say so, else an invalid reply."""
    if declines(text):
        raise RefusedError(f"the model declined: {text[:200]!a}")
    raise ReadingError(f"no JSON object in the reply, which begins {text[:80]!a}", "no_object")
