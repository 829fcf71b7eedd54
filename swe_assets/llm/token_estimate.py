"""How many tokens a prompt will take, from its characters and their script, before any service counts them.

Each service has a tokenizer of its own and most are not public. An estimate is therefore corrected by the
usage that the service itself told of earlier calls, where there was one, and a bound holds for every
tokenizer that falls back to bytes.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from swe_assets.llm.protocol import ChatReply, ChatRequest
from swe_assets.llm.specs import ModelSpec

if TYPE_CHECKING:
    from pydantic import BaseModel

_CLASSES = re.compile(
    r"(?P<word>[A-Za-z]+)|(?P<digits>[0-9]+)|(?P<line>\n[ \t]*)|(?P<blank>[ \t\r]{2,})"
    r"|(?P<mark>[!-/:-@\[-`{-~])"
    r"|(?P<latin>[À-ɏ])|(?P<cjk>[ぁ-ヿ㐀-鿿가-힯豈-﫿＀-￯　-〿])|(?P<other>[^\x00-\x7f])"
)
_EACH = {"line": 0.9, "blank": 0.9, "mark": 0.6, "latin": 0.5, "cjk": 0.85, "other": 0.6}
_WORD_LETTERS, _DIGITS_A_TOKEN = 6.0, 2.0
OVERHEAD = 16
"""Tokens that roles and templates add to a request."""

MOST_OVERHEAD = 256
EXPECTED_OUT = {"judge": 700, "extraction": 350}
EXPECTED_OUT_OTHERWISE = 500
"""Tokens of an answer by its purpose where no earlier one is known and nothing is thought aloud."""

MOST_OUT_UNSTATED = 8_192
"""Tokens that are reserved for an answer where the model names no max_tokens."""


def text_tokens(text: str) -> int:
    """Return about how many tokens a text takes: words, digits, marks, line beginnings, scripts apart."""
    total = 0.0
    for found in _CLASSES.finditer(text):
        kind = found.lastgroup or "other"
        length = found.end() - found.start()
        if kind == "word":
            total += max(1.0, length / _WORD_LETTERS)
        elif kind == "digits":
            total += max(1.0, length / _DIGITS_A_TOKEN)
        else:
            total += _EACH[kind]
    return round(total)


def tokens_in(request: ChatRequest) -> int:
    """Return about how many tokens a request takes, its schema and the roles' marks among them."""
    return OVERHEAD + text_tokens(request.system) + text_tokens(request.user) + _schema_tokens(request.schema)


def most_tokens_in(request: ChatRequest) -> int:
    """Return how many tokens a request takes at most: a token is at least a byte of UTF-8."""
    texts = (request.system, request.user, _schema_text(request.schema))
    return MOST_OVERHEAD + sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)


def token_limit(spec: ModelSpec, request: ChatRequest) -> int | None:
    """Return the most tokens that an answer may have, None where neither request nor model says."""
    return request.max_tokens if request.max_tokens is not None else spec.max_tokens


def tokens_out(spec: ModelSpec, request: ChatRequest) -> int:
    """Return about how many tokens an answer will have."""
    expected = EXPECTED_OUT.get(request.purpose, EXPECTED_OUT_OTHERWISE)
    limit = token_limit(spec, request)
    return expected if limit is None else min(limit, expected)


@dataclass(frozen=True)
class Calibration:
    """What earlier answers of one model teach of the next.

    ``factor``: tokens told by the service over tokens estimated; ``error``: mean absolute relative error of
    the estimates after that factor; ``out``: mean tokens of an answer by purpose; ``latency_s``: mean
    seconds of an answer. None or empty where nothing is known. ``answers``: how many it comes from.
    """

    answers: int = 0
    factor: float = 1.0
    error: float | None = None
    out: "tuple[tuple[str, float], ...]" = ()
    latency_s: float | None = None

    def tokens_in(self, request: ChatRequest) -> int:
        """Return about how many tokens a request will take."""
        return round(tokens_in(request) * self.factor)

    def tokens_out(self, spec: ModelSpec, request: ChatRequest) -> int:
        """Return about how many tokens an answer will have."""
        known = dict(self.out).get(request.purpose)
        return tokens_out(spec, request) if known is None else round(known)


def calibrated(seen: Iterable[tuple[ChatRequest, ChatReply]]) -> Calibration:
    """Return what answered requests of one model teach; those without told usage teach nothing of tokens."""
    pairs = list(seen)
    told = [(tokens_in(request), reply.tokens_in) for request, reply in pairs if reply.tokens_in]
    estimated, real = sum(guess for guess, _ in told), sum(used for _, used in told)
    factor = real / estimated if estimated else 1.0
    errors = [abs(guess * factor - used) / used for guess, used in told]
    out: dict[str, list[int]] = {}
    for request, reply in pairs:
        if reply.tokens_out is not None:
            out.setdefault(request.purpose, []).append(reply.tokens_out)
    waits = [reply.latency_s for _, reply in pairs if reply.latency_s > 0]
    return Calibration(
        len(pairs),
        factor,
        sum(errors) / len(errors) if errors else None,
        tuple((purpose, sum(counts) / len(counts)) for purpose, counts in out.items()),
        sum(waits) / len(waits) if waits else None,
    )


def _schema_tokens(schema: "type[BaseModel] | None") -> int:
    return text_tokens(_schema_text(schema))


@cache
def _schema_text(schema: "type[BaseModel] | None") -> str:
    """Return a schema as services put it before the model, an empty text where there is none."""
    return "" if schema is None else json.dumps(schema.model_json_schema())
