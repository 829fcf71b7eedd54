"""Money reserved before each attempt and settled after it, so that a run stays below what was allowed."""

import threading
import time
from dataclasses import dataclass, replace

from swe_assets.errors import ConfigurationError
from swe_assets.llm.outcomes import BudgetSpentError, CallsCancelledError, StopCallsError
from swe_assets.llm.prices import PriceList, Unpriced
from swe_assets.llm.protocol import ChatReply, ChatRequest
from swe_assets.llm.specs import ModelSpec
from swe_assets.llm.spend import Spend, SpendLedger, alone, total
from swe_assets.llm.token_estimate import MOST_OUT_UNSTATED, most_tokens_in, token_limit

LOOK_S = 0.2
"""How often a wait for money looks whether the run was stopped."""

WRITE_S = 1.0
"""Answers that cost nothing are written so often at most; what costs is written at once."""

ROUNDING_USD = 1e-9


@dataclass
class _Open:
    """The reservations of one model's calls under way."""

    calls: int = 0
    usd: float = 0.0


class SpendMeter:
    """Counts the money of one run and bounds it; safe to share among threads, a ledger joins processes.

    ``max_usd`` None only counts. An attempt is admitted where what is spent, what is reserved for calls under
    way and what it may cost itself stay within ``max_usd``; where only the calls under way stand against it,
    it waits for them, since most cost less than was reserved. What an attempt may cost: each byte of the
    prompt as a token, and for the answer max_tokens of the request or model. Where neither names one, 8,192
    tokens or twice the longest answer so far are reserved, and a longer answer may exceed the limit by the
    rest of its price.
    """

    def __init__(
        self,
        max_usd: float | None,
        prices: PriceList,
        *,
        ledger: SpendLedger | None = None,
        stop: threading.Event | None = None,
    ) -> None:
        if max_usd is not None and not 0 <= max_usd < float("inf"):
            raise ConfigurationError(f"the most that may be spent is {max_usd!r}: give USD, 0 or more")
        self.max_usd, self.prices = max_usd, prices
        self._ledger, self._stop = ledger, stop or threading.Event()
        self._changed = threading.Condition()
        self._models: dict[str, Spend] = {}
        self._open: dict[str, _Open] = {}
        self._longest_out = 0
        self._written = float("-inf")

    def stop_with(self, stop: threading.Event) -> None:
        """End waits for money once this event is set."""
        self._stop = stop

    @property
    def spent(self) -> Spend:
        """Return what this process has spent, with what is reserved for calls under way."""
        with self._changed:
            return total(self._by_model().values())

    @property
    def by_model(self) -> dict[str, Spend]:
        """Return what this process has spent by model id."""
        with self._changed:
            return self._by_model()

    def line(self) -> str:
        """Return what was spent in a few words, for a display that goes on."""
        return self.spent.line()

    def check(self, spec: ModelSpec) -> None:
        """Raise ConfigurationError where a limit is set and the model's price is not known."""
        quote = self.prices.quote(spec)
        if self.max_usd is not None and isinstance(quote, Unpriced):
            raise ConfigurationError(f"a limit of USD {self.max_usd:g} cannot be kept: {quote.reason}")

    def admit(self, spec: ModelSpec, request: ChatRequest) -> float:
        """Reserve what one attempt may cost and return it (USD).

        Raises BudgetSpentError where it could exceed the limit, CallsCancelledError where the run is stopped
        while it waits for calls under way, StopCallsError where a limit is set and the price is not known.
        """
        most = self.most_usd(spec, request)
        with self._changed:
            while not self._reserved(spec, most):
                if self._stop.is_set():
                    raise CallsCancelledError("the run was interrupted while a call waited for the budget")
                self._changed.wait(LOOK_S)
        return most

    def most_usd(self, spec: ModelSpec, request: ChatRequest) -> float:
        """Return what one attempt may cost (USD), 0 where the price is not known and no limit is set."""
        quote = self.prices.quote(spec)
        if isinstance(quote, Unpriced):
            if self.max_usd is not None:
                raise StopCallsError(f"a limit of USD {self.max_usd:g} cannot be kept: {quote.reason}")
            return 0.0
        most_out = token_limit(spec, request)
        if most_out is None:
            most_out = max(MOST_OUT_UNSTATED, 2 * self._longest_out)
        return quote.usd(most_tokens_in(request), most_out)

    def settle(self, spec: ModelSpec, reserved: float, reply: ChatReply | None) -> None:
        """Replace a reservation by what the attempt did cost; None where nothing was served.

        A reply whose usage is not told is counted at what was reserved, and as estimated.
        """
        with self._changed:
            opened = self._open[spec.id]
            opened.calls -= 1
            opened.usd = opened.usd - reserved if opened.calls else 0.0
            if reply is not None:
                self._models[spec.id] = self._models.get(spec.id, Spend()) + self._one(spec, reserved, reply)
                self._longest_out = max(self._longest_out, reply.tokens_out or 0)
            self._write()
            self._changed.notify_all()

    def reused(self, spec: ModelSpec, reply: ChatReply) -> None:  # noqa: ARG002 - as the Protocol says
        """Count an answer that came from the call store and cost nothing."""
        with self._changed:
            self._models[spec.id] = self._models.get(spec.id, Spend()) + Spend(reused=1)
            if time.monotonic() >= self._written + WRITE_S:
                self._write()

    def close(self) -> None:
        """Write the last counts, where anything was counted."""
        with self._changed:
            if self._models:
                self._write()

    def _one(self, spec: ModelSpec, reserved: float, reply: ChatReply) -> Spend:
        """Return what one attempt came to."""
        tokens = {"tokens_in": reply.tokens_in or 0, "tokens_out": reply.tokens_out or 0}
        if isinstance(self.prices.quote(spec), Unpriced):
            return Spend(calls=1, unpriced_calls=1, **tokens)
        cost = self.prices.cost_usd(spec, reply)
        if cost is None:
            return Spend(calls=1, usd=reserved, estimated_calls=1, **tokens)
        return Spend(calls=1, usd=cost, **tokens)

    def _reserved(self, spec: ModelSpec, most: float) -> bool:
        """Reserve an amount; return False where it must wait for calls under way."""
        with self._ledger.held() if self._ledger and self.max_usd is not None else alone():
            if self.max_usd is not None and not self._fits(spec, most):
                return False
            opened = self._open.setdefault(spec.id, _Open())
            opened.calls += 1
            opened.usd += most
            self._write()
        return True

    def _fits(self, spec: ModelSpec, most: float) -> bool:
        """Return whether an amount may be reserved now; raise BudgetSpentError where it never may."""
        assert self.max_usd is not None  # noqa: S101 - asked only where there is a limit
        mine = total(self._by_model().values())
        others = self._ledger.others() if self._ledger else Spend()
        left = self.max_usd + ROUNDING_USD - mine.usd - others.most_usd
        if mine.reserved_usd + most <= left:
            return True
        if most <= left:
            return False
        raise BudgetSpentError(
            f"USD {mine.usd + others.most_usd:.4f} of the allowed USD {self.max_usd:g} are spent, the next "
            f"call of {spec.id!r} may cost USD {most:.4f}: what is answered is kept, go on with a higher "
            "--max-cost"
        )

    def _by_model(self) -> dict[str, Spend]:
        """Return the counts by model, with the reservations of calls under way."""
        names = dict.fromkeys([*self._models, *self._open])
        open_usd = {name: opened.usd for name, opened in self._open.items()}
        return {
            name: replace(self._models.get(name, Spend()), reserved_usd=open_usd.get(name, 0.0))
            for name in names
        }

    def _write(self) -> None:
        """Let the ledger know, where there is one."""
        if self._ledger is not None:
            self._ledger.write(self._by_model())
            self._written = time.monotonic()
