"""Scores of an open item by an anchored rubric: each criterion with a score and a quote that supports it."""

import math
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal

from swe_assets.errors import ConfigurationError
from swe_assets.judging.numerals import number_of
from swe_assets.judging.quotes import find_quote
from swe_assets.llm.json_text import Fault, read_object
from swe_assets.llm.outcomes import InvalidReplyError

if TYPE_CHECKING:
    from pydantic import BaseModel

Reason = Literal[
    Fault, "missing_criterion", "missing_score", "missing_quote", "out_of_range", "between_steps"
]
"""Why a reply gives no scores: a fault of its JSON, or what is wrong with a criterion."""

MOST_CRITERIA = 50
_BESIDE_HAN = re.compile("(?<=[\u2e80-\u9fff])\\s+|\\s+(?=[\u2e80-\u9fff])")
MAX_QUOTE = 20_000


@dataclass(frozen=True)
class Rubric:
    """The criteria of one item by id, and the scale of each score.

    ``criteria``: 1 to 50 ids, each with the text that anchors its scores. ``lowest`` and ``highest`` bound a
    score; ``step``: 0.5 where half points are allowed, 1 where only whole ones are, None for any number.
    Raises ConfigurationError for a rubric that cannot be used.
    """

    criteria: Mapping[str, str]
    lowest: float = 0.0
    highest: float = 5.0
    step: float | None = None

    def __post_init__(self) -> None:
        ids = {_key(name) for name in self.criteria}
        if not 1 <= len(self.criteria) <= MOST_CRITERIA or len(ids) < len(self.criteria) or "" in ids:
            found = list(self.criteria)[:60]
            raise ConfigurationError(f"criteria {found!r}: give 1 to {MOST_CRITERIA} ids that differ")
        if not (math.isfinite(self.lowest) and math.isfinite(self.highest) and self.lowest < self.highest):
            raise ConfigurationError(
                f"scale {self.lowest!r} to {self.highest!r}: give a lower and a higher bound"
            )
        if self.step is not None and not 0 < self.step <= self.highest - self.lowest:
            raise ConfigurationError(f"step {self.step!r}: give a part of the scale, or None for any number")


@dataclass(frozen=True)
class Scores:
    """One judge's scores of one answer.

    ``scores`` and ``quotes`` by criterion, in the rubric's order. ``flags``: quote_not_found:ID,
    quote_empty:ID, unknown_criterion:ID, each once. ``repairs``: what was mended in the reply.
    """

    scores: Mapping[str, float]
    quotes: Mapping[str, str]
    flags: tuple[str, ...]
    repairs: tuple[str, ...]
    rubric: Rubric

    @property
    def item(self) -> float:
        """The item's score: the mean of the criteria, limited to the scale (0 to 5 in the study)."""
        mean = math.fsum(self.scores.values()) / len(self.scores)
        return min(self.rubric.highest, max(self.rubric.lowest, mean))


class RubricError(InvalidReplyError):
    """A reply that gives no scores by the rubric; ``fault`` says in a word why not."""

    def __init__(self, reason: str, fault: Reason) -> None:
        super().__init__(reason)
        self.fault: Reason = fault


def read_scores(text: str, rubric: Rubric, answer: str | None = None) -> Scores:
    """Return the scores in a judge's reply; nothing is clamped, guessed or left out.

    The reply is one object {criterion: {"score", "quote"}}, read by ``read_object``. With an ``answer`` a
    quote that does not stand in it (white space, quotes and letter forms aside) is flagged. Criteria that
    the rubric does not have are flagged and not counted.

    Raises ReadingError and RubricError (both InvalidReplyError with ``fault``; ask again), and RefusedError.
    """
    reading = read_object(text)
    given = {_key(name): value for name, value in reading.value.items()}
    scores: dict[str, float] = {}
    quotes: dict[str, str] = {}
    for name in rubric.criteria:
        scores[name], quotes[name] = _criterion(name, given.pop(_key(name), None), rubric)
    unknown = [f"unknown_criterion:{name[:40]}" for name in given]
    flags = [flag for name, quote in quotes.items() if (flag := _quote_flag(name, quote, answer))]
    return Scores(scores, quotes, (*flags, *unknown), reading.repairs, rubric)


def quoted(quote: str, answer: str) -> bool:
    """Return whether a quote stands in an answer in whole words; an ellipsis stands for words left out.

    White space, quotation marks, letter case and compatibility forms (full width) do not count.
    """
    return find_quote(_plain(quote), _plain(answer)) is not None


def schema_of(rubric: Rubric) -> "type[BaseModel]":
    """Return the pydantic model of a reply by the rubric, for a ChatRequest: numerals as text are read."""
    return _schema(tuple(rubric.criteria), rubric.lowest, rubric.highest, rubric.step)


@cache
def _schema(names: tuple[str, ...], lowest: float, highest: float, step: float | None) -> "type[BaseModel]":
    """Build the model once for equal rubrics, so that equal requests have one schema."""
    from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, create_model

    def numeral(value: object) -> object:
        number = number_of(value, highest)
        return value if number is None else number

    bounds = Field(strict=True, ge=lowest, le=highest, multiple_of=step)
    score = Annotated[float, bounds, BeforeValidator(numeral)]
    quote = Annotated[str, StringConstraints(strict=True, max_length=MAX_QUOTE)]
    config = ConfigDict(extra="ignore", frozen=True)
    one: Any = create_model("CriterionScore", __config__=config, score=(score, ...), quote=(quote, ...))
    fields: dict[str, Any] = {f"criterion_{i}": (one, Field(alias=name)) for i, name in enumerate(names)}
    made: type[BaseModel] = create_model("RubricScores", __config__=config, **fields)
    return made


def _criterion(name: str, given: object, rubric: Rubric) -> tuple[float, str]:
    """Return one criterion's score and quote, or raise what is wrong with it."""
    if given is None:
        raise RubricError(f"criterion {name!r} missing", "missing_criterion")
    if not isinstance(given, dict):
        raise RubricError(
            f"criterion {name!r} is {ascii(given)[:80]}, not a score and quote", "missing_score"
        )
    if "score" not in given:
        raise RubricError(f"criterion {name!r} has no score", "missing_score")
    score = number_of(given["score"], rubric.highest)
    if score is None:
        raise RubricError(f"score of {name!r} is no number: {ascii(given['score'])[:80]}", "not_a_number")
    if not rubric.lowest <= score <= rubric.highest:
        scale = f"{rubric.lowest:g} to {rubric.highest:g}"
        raise RubricError(f"score of {name!r} is {score:g}, out of {scale}", "out_of_range")
    if rubric.step and not math.isclose(
        _steps := (score - rubric.lowest) / rubric.step, round(_steps), abs_tol=1e-9
    ):
        raise RubricError(f"score of {name!r} is {score:g}, no multiple of {rubric.step:g}", "between_steps")
    quote = given.get("quote")
    if not isinstance(quote, str):
        raise RubricError(f"criterion {name!r} has no quote: {ascii(quote)[:80]}", "missing_quote")
    return score, quote


def _quote_flag(name: str, quote: str, answer: str | None) -> str | None:
    """Return the flag of a quote that is empty or not in the answer."""
    if not quote.strip():
        return f"quote_empty:{name}"
    return None if answer is None or quoted(quote, answer) else f"quote_not_found:{name}"


def _key(name: str) -> str:
    """Return a criterion's id as it is compared: without outer space, case and letter forms."""
    return unicodedata.normalize("NFKC", name).strip().casefold()


def _plain(text: str) -> str:
    """Return a text in one form, Chinese without the spaces that some put beside its characters."""
    return _BESIDE_HAN.sub("", unicodedata.normalize("NFKC", text))
