"""Prices: the user's win, then the installed list's, else unknown; nothing is fetched."""

import re
import socket
from datetime import UTC, datetime
from importlib.metadata import version

import pytest

from swe_assets.llm import prices
from swe_assets.llm.prices import PriceList, Unpriced, cost_usd, listing_name
from swe_assets.llm.protocol import ChatReply
from swe_assets.llm.specs import ModelSpec
from swe_assets_tests.shared_data import CHECKOUT

GEMINI = ModelSpec("g", "gemini", "gemini-2.5-flash")


def usd(spec: ModelSpec, tokens_in: int, tokens_out: int) -> float:
    """Return the price of one call in the middle of November 2026."""
    quote = PriceList(datetime(2026, 11, 15, tzinfo=UTC)).quote(spec)
    assert not isinstance(quote, Unpriced), quote
    return quote.usd(tokens_in, tokens_out)


def test_the_locked_list_has_its_day() -> None:
    """The version of the list that is locked is one whose day of publication is known."""
    locked = re.search(r"^genai-prices==(\S+)", (CHECKOUT / "requirements.lock").read_text(), re.MULTILINE)
    assert locked is not None
    assert locked[1] in prices._PUBLISHED


def test_a_million_tokens_cost_the_stated_price() -> None:
    """A million tokens in at 3 USD and a hundred thousand out at 15 USD a million are 4.50 USD."""
    spec = ModelSpec("mine", "openai", "m", price_in=3.0, price_out=15.0)
    assert usd(spec, 1_000_000, 100_000) == pytest.approx(4.5)


@pytest.mark.parametrize(
    ("provider", "model", "price_in", "price_out"),
    [
        ("gemini", "gemini-2.5-flash", 0.30, 2.50),
        ("anthropic", "claude-sonnet-4-5", 3.00, 15.00),
        ("openai", "gpt-4o-mini", 0.15, 0.60),
    ],
)
def test_list_prices_are_those_published(
    provider: str, model: str, price_in: float, price_out: float
) -> None:
    """The list's price of a thousand tokens in and a hundred out is what the provider's page says."""
    expected = (1_000 * price_in + 100 * price_out) / 1e6
    assert usd(ModelSpec("x", provider, model), 1_000, 100) == pytest.approx(expected)


def test_long_prompts_cost_their_tier() -> None:
    """Above 200,000 tokens Gemini 2.5 Pro costs 2.50 USD a million in and 15 USD out, below 1.25 and 10."""
    spec = ModelSpec("x", "gemini", "gemini-2.5-pro")
    assert usd(spec, 100_000, 1_000) == pytest.approx(0.125 + 0.010)
    assert usd(spec, 300_000, 1_000) == pytest.approx(0.750 + 0.015)


def test_the_users_price_wins() -> None:
    """A price in models.toml stands also where the list knows the model, a price of 0 too."""
    spec = ModelSpec("x", "gemini", "gemini-2.5-flash", price_in=0.0, price_out=0.0)
    assert usd(spec, 1_000_000, 1_000_000) == 0.0


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        (ModelSpec("x", "openai", "my-own-model"), "price_in and price_out"),
        (ModelSpec("x", "gemini", "gemini-2.5-flash", base_url="http://127.0.0.1:1/"), "at 127.0.0.1:1"),
        (ModelSpec("x", "a-plugin", "gpt-4o-mini"), "neither"),
        (ModelSpec("x", "openai", "gpt-4o-mini", price_in=1.0), "give both"),
    ],
)
def test_an_unknown_price_is_said(spec: ModelSpec, words: str) -> None:
    """A model, address or half a price that gives none is unpriced with what to do, and its cost None."""
    found = PriceList().quote(spec)
    assert isinstance(found, Unpriced)
    assert words in found.reason
    assert cost_usd(spec, ChatReply("a", "m", "m", "stop", 1, 1)) is None


def test_a_service_is_known_by_its_address() -> None:
    """An OpenAI-compatible service of the list is priced by its base URL: DeepSeek's own price."""
    spec = ModelSpec("x", "openai", "deepseek-chat", base_url="https://api.deepseek.com/v1")
    assert usd(spec, 1_000_000, 0) > 0


def test_unknown_usage_has_no_cost() -> None:
    """A reply that does not say its tokens has no cost, which is not 0."""
    assert cost_usd(GEMINI, ChatReply("a", "m", "m", "stop", 10, None)) is None


def test_rehearsal_and_replay_are_free() -> None:
    """What calls no service costs nothing."""
    assert usd(ModelSpec("r", "rehearsal"), 1_000_000, 1_000_000) == 0.0


def test_source_names_list_version_and_day() -> None:
    """A list price says which list, its version and the day it was published."""
    quote = PriceList().quote(GEMINI)
    assert not isinstance(quote, Unpriced)
    assert quote.source == f"{listing_name()}: google gemini-2.5-flash"
    assert f"genai-prices {version('genai-prices')} of 20" in listing_name()


def test_nothing_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Prices come without a socket, and not from a snapshot that another part of the process has set."""
    from genai_prices.data_snapshot import DataSnapshot, set_custom_snapshot

    def refused(*_args: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket.socket, "connect", refused)
    set_custom_snapshot(DataSnapshot(providers=[], from_auto_update=True))
    try:
        assert usd(GEMINI, 1_000_000, 0) == pytest.approx(0.3)
    finally:
        set_custom_snapshot(None)
