"""How an examinee's answer ended: answered, or refused, blocked, cut, empty, or the service's own failure."""

from dataclasses import dataclass
from typing import Literal

from swe_assets.judging.language_hint import language_of
from swe_assets.llm.finish_words import BLOCKED, CUT, DECLINED, FAILED, FINISHED, plain_word
from swe_assets.llm.json_text import THINKING, THOUGHT
from swe_assets.llm.refusals import declines

AnswerOutcome = Literal["answered", "refusal", "blocked", "truncated", "empty", "error"]


@dataclass(frozen=True)
class EndedAnswer:
    """How one answer ended, and what was noticed: language_mismatch, unknown_finish:WORD."""

    outcome: AnswerOutcome
    flags: tuple[str, ...] = ()


def answer_outcome(
    finish_reason: str | None, text: str | None, *, item_lang: str | None = None
) -> EndedAnswer:
    """Return how an answer in free words ended, by the service's finish word and the words themselves.

    The finish word goes first: cut, blocked, declined, failed. Then the text, without thinking blocks: none
    is ``empty``; one that declines is ``refusal``; all else is ``answered``, also "I don't know" and a wrong
    answer. ``item_lang`` ("pt", "en", "zh") flags an answer that is plainly in another of the three.
    A finish word that is not known and has a text is flagged and judged by the text.

    >>> answer_outcome("stop", "Portanto, 12.").outcome, answer_outcome("length", "First").outcome
    ('answered', 'truncated')
    """
    word = plain_word(finish_reason or "")
    named = _outcome_of(word)
    if named is not None:
        return EndedAnswer(named)
    flags = () if word in FINISHED else (f"unknown_finish:{word[:40]}",)
    said = without_thinking(text or "")
    if not said:
        return EndedAnswer("empty", flags)
    if declines(said):
        return EndedAnswer("refusal", flags)
    spoken = language_of(said) if item_lang else None
    mismatch = spoken is not None and spoken != (item_lang or "")[:2].lower()
    return EndedAnswer("answered", (*flags, *(("language_mismatch",) if mismatch else ())))


def without_thinking(text: str) -> str:
    """Return a text without the thinking blocks at its beginning; one that is not closed leaves nothing."""
    rest = text.strip("\ufeff \t\r\n\u200b\u3000")
    while opened := THINKING.match(rest):
        closed = THOUGHT.search(rest, opened.end())
        rest = rest[closed.end() :].strip() if closed else ""
    return rest


def _outcome_of(word: str) -> AnswerOutcome | None:
    """Return the outcome that a finish word alone decides, or None."""
    by_word: tuple[tuple[frozenset[str], AnswerOutcome], ...] = (
        (CUT, "truncated"),
        (DECLINED, "refusal"),
        (BLOCKED, "blocked"),
        (FAILED, "error"),
    )
    return next((outcome for words, outcome in by_word if word in words), None)
