"""What a call costs: the user's own price, else the price list of genai-prices, else unknown and said so.

The list is that which was installed (https://github.com/pydantic/genai-prices, MIT); nothing is fetched, so
what was paid can be computed again. Input served from a service's cache and other discounts are not known
per call and not deducted, so that what is told is at least the bill for the tokens that were told; only where
a service charges more for writing its cache (Anthropic), which is not asked for here, may it be less.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

from swe_assets.llm.protocol import ChatModel, ChatReply
from swe_assets.llm.specs import ModelSpec

if TYPE_CHECKING:
    from genai_prices.data_snapshot import DataSnapshot
    from genai_prices.types import ModelInfo, Provider

FREE = ("rehearsal", "replay")
"""Providers that call no service."""

OWN_HOSTS = {
    "gemini": "generativelanguage.googleapis.com",
    "anthropic": "api.anthropic.com",
    "openai": "api.openai.com",
}
_LIST_IDS = {"gemini": "google"}
_PUBLISHED = {"0.2.3": "2026-11-10"}
"""The day on which a version of the list was published, as its package index says."""


class Quote(Protocol):
    """A model's known price."""

    @property
    def source(self) -> str:
        """Where the price comes from, with its date where it has one."""

    def usd(self, tokens_in: int, tokens_out: int) -> float:
        """Return what one call of so many tokens costs, in USD."""


@dataclass(frozen=True)
class Unpriced:
    """A model whose price is not known, and what to do about it; it is no number and never counts as 0."""

    reason: str


@dataclass(frozen=True)
class FlatQuote:
    """A price per million tokens, the same for every call."""

    price_in: float
    price_out: float
    source: str

    def usd(self, tokens_in: int, tokens_out: int) -> float:
        """Return what one call of so many tokens costs, in USD."""
        return (tokens_in * self.price_in + tokens_out * self.price_out) / 1_000_000


@dataclass(frozen=True)
class ListedQuote:
    """A price of the list as of a moment; long prompts may cost more a token, which the list knows."""

    provider: "Provider"
    model: "ModelInfo"
    when: datetime
    source: str

    def usd(self, tokens_in: int, tokens_out: int) -> float:
        """Return what one call of so many tokens costs, in USD."""
        from genai_prices import Usage

        usage = Usage(input_tokens=tokens_in, output_tokens=tokens_out)
        told = self.model.calc_price(usage, self.provider, genai_request_timestamp=self.when)
        return float(told.total_price)


class PriceList:
    """Prices of models as of one moment (the present, unless given); safe to share among threads."""

    def __init__(self, when: datetime | None = None) -> None:
        self.when = when or datetime.now(UTC)
        self._quotes: dict[ModelSpec, Quote | Unpriced] = {}

    def quote(self, spec: ModelSpec) -> Quote | Unpriced:
        """Return a model's price, or why there is none."""
        found = self._quotes.get(spec)
        if found is None:
            found = self._quotes[spec] = self._found(spec)
        return found

    def cost_usd(self, spec: ModelSpec, reply: ChatReply) -> float | None:
        """Return what an answer costs (USD), None where its price or its usage is not known.

        An answer of the call store costs what it once did; ``stored`` tells that nothing was paid now.
        """
        quote = self.quote(spec)
        if spec.provider in FREE:
            return 0.0
        if isinstance(quote, Unpriced) or reply.tokens_in is None or reply.tokens_out is None:
            return None
        return quote.usd(reply.tokens_in, reply.tokens_out)

    def _found(self, spec: ModelSpec) -> Quote | Unpriced:
        """Look a price up: the user's, then the list's."""
        if spec.provider in FREE:
            return FlatQuote(0.0, 0.0, "nothing is called")
        if spec.price_in is not None and spec.price_out is not None:
            return FlatQuote(spec.price_in, spec.price_out, "the user's price")
        if spec.price_in is not None or spec.price_out is not None:
            return Unpriced(f"model {spec.id!r} has one of price_in and price_out: give both")
        return self._listed(spec)

    def _listed(self, spec: ModelSpec) -> Quote | Unpriced:
        """Return the list's price of a model at the address where it is called."""
        told = _listing()
        own = spec.base_url is None or urlsplit(spec.base_url).hostname == OWN_HOSTS.get(spec.provider)
        named = (_LIST_IDS.get(spec.provider, spec.provider), None) if own else (None, spec.base_url)
        try:
            provider, model = told.find_provider_model(spec.model, None, *named)
        except LookupError:
            where = f" at {urlsplit(spec.base_url).netloc}" if spec.base_url and not own else ""
            return Unpriced(
                f"the price of {spec.model!r}{where} is in neither models.toml nor {listing_name()}: "
                f"give price_in and price_out (USD per million tokens, 0 for free) of {spec.id!r}"
            )
        quote = ListedQuote(provider, model, self.when, f"{listing_name()}: {provider.id} {model.id}")
        if quote.usd(1_000_000, 0) <= 0 and quote.usd(0, 1_000_000) <= 0:
            return Unpriced(f"{listing_name()} has {model.id!r} without a price: give price_in and price_out")
        return quote


@cache
def _listing() -> "DataSnapshot":
    """Return the installed list, apart from any that another part of the process might fetch."""
    from genai_prices.data import providers
    from genai_prices.data_snapshot import DataSnapshot

    return DataSnapshot(providers=providers, from_auto_update=False)


@cache
def listing_name() -> str:
    """Return the list's name, version and, where it is known, the day it was published."""
    from importlib.metadata import version

    number = version("genai-prices")
    day = f" of {_PUBLISHED[number]}" if number in _PUBLISHED else ""
    return f"genai-prices {number}{day}"


def cost_usd(spec: ModelSpec | None, reply: ChatReply, prices: PriceList | None = None) -> float | None:
    """Return what an answer costs (USD), by present prices unless given; None where it is not known."""
    return None if spec is None else (prices or PriceList()).cost_usd(spec, reply)


def spec_of(model: ChatModel) -> ModelSpec | None:
    """Return a model's settings, None for one that was registered without."""
    spec = getattr(model, "spec", None)
    return spec if isinstance(spec, ModelSpec) else None
