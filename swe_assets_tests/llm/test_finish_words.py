"""A finish word means the same whichever service says it, and decides the outcome of a call."""

import pytest

from swe_assets.llm.finish_words import BLOCKED, BROKEN, CUT, DECLINED, FINISHED, UNASKED, ended_by
from swe_assets.llm.outcomes import CallError
from swe_assets.llm.protocol import ChatRequest
from swe_assets_tests.llm.loopback import GOOD, service
from swe_assets_tests.llm.loopback_wire import WIRES, Wire

OUTCOMES = [
    (FINISHED, None, False),
    (CUT, "truncated", False),
    (DECLINED, "refused", False),
    (BLOCKED, "blocked", False),
    (UNASKED, "invalid", True),
    (BROKEN, "infrastructure", True),
]


@pytest.mark.parametrize(
    ("words", "outcome", "again"),
    OUTCOMES,
    ids=lambda part: min(part) if isinstance(part, frozenset) else str(part),
)
def test_each_set_has_its_outcome(words: frozenset[str], outcome: str | None, again: bool) -> None:
    """Every word of a set ends as its set says, in small and capital letters."""
    for word in [*words, *map(str.upper, words)]:
        ended = ended_by(word, "text")
        assert (ended and ended.outcome, bool(ended and ended.retryable)) == (outcome, again), word


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.provider)
@pytest.mark.parametrize(
    ("word", "outcome"),
    [
        ("model_length", "truncated"),
        ("max_tokens", "truncated"),
        ("insufficient_system_resource", "infrastructure"),
        ("error", "infrastructure"),
        ("abort", "infrastructure"),
        ("timeout", "infrastructure"),
        ("end_turn", "answered"),
        ("eos_token", "answered"),
        ("COMPLETE", "answered"),
        ("STOP", "answered"),
    ],
)
@pytest.mark.filterwarnings("ignore:.*is not a valid FinishReason")
def test_words_of_compatible_services(wire: Wire, word: str, outcome: str) -> None:
    """A word of another service behind a provider's door ends the call as that service means it."""
    ended = "answered"
    with service(wire.said(GOOD, word)) as running:
        try:
            running.provider(wire.provider).send(ChatRequest("s", "u"))
        except CallError as failure:
            ended = failure.outcome
    assert ended == outcome


def test_an_unknown_word_blocks() -> None:
    """A word that no service is known to say is taken for a block and repeated."""
    ended = ended_by("SOMETHING_NEW", "text")
    assert str(ended) == "blocked: SOMETHING_NEW: the service ended the reply"
