"""Money reserved before each attempt and settled after it, so that a run stays below what was allowed."""

import logging
import threading
import time
from dataclasses import dataclass, replace

from swe_assets.errors import ConfigurationError, WaitEndedError
from swe_assets.llm.outcomes import BudgetSpentError, CallsCancelledError, StopCallsError
from swe_assets.llm.prices import PriceList, Unpriced
from swe_assets.llm.protocol import ChatReply, ChatRequest
from swe_assets.llm.specs import ModelSpec
from swe_assets.llm.spend import Spend, SpendLedger, alone, total
from swe_assets.llm.token_estimate import MOST_OUT_UNSTATED, most_tokens_in, token_limit

logger = logging.getLogger(__name__)

LOOK_S = 0.2
"""How often a wait for money looks whether the run was stopped."""

WRITE_S = 1.0
"""Answers that cost nothing are written so often at most; what costs is written before the call goes on."""

ROUNDING_USD = 1e-9


@dataclass
class _Open:
    """The reservations of one model's calls under way."""

    calls: int = 0
    usd: float = 0.0


@dataclass(eq=False)
class _Asked:
    """What one attempt may cost, and what came of its asking for it."""

    spec: ModelSpec
    usd: float
    granted: bool = False
    refused: BudgetSpentError | None = None


class SpendMeter:
    """Counts the money of one run and bounds it; safe to share among threads, a ledger joins processes.

    ``max_usd`` None only counts. An attempt is admitted where what is spent, what is reserved for calls under
    way and what it may cost itself stay within ``max_usd``; where only the calls under way stand against it,
    it waits for them, since most cost less than was reserved. What an attempt may cost: each byte of the
    prompt as a token, and for the answer max_tokens of the request or model. Where neither names one, 8,192
    tokens or twice the longest answer so far are reserved, and a longer answer may exceed the limit by the
    rest of its price.

    Threads that ask at the same time are admitted together, by one look at the ledger and one write, and
    what changes while a write is under way is in the next one; none waits for the store under the lock of
    the counts.
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
        self._changed, self._turn, self._pen = threading.Condition(), threading.Lock(), threading.Lock()
        self._models: dict[str, Spend] = {}
        self._open: dict[str, _Open] = {}
        self._longest_out = 0
        self._asking: list[_Asked] = []
        self._settled = self._version = self._version_written = 0
        self._written = float("-inf")

    def stop_with(self, stop: threading.Event) -> None:
        """End waits for money once this event is set."""
        self._stop = stop

    @property
    def spent(self) -> Spend:
        """Return what this process has spent, with what is reserved for calls under way."""
        with self._changed:
            return total(self._by_model().values())

    def check(self, spec: ModelSpec) -> None:
        """Raise ConfigurationError where a limit is set and the model's price is not known."""
        quote = self.prices.quote(spec)
        if self.max_usd is not None and isinstance(quote, Unpriced):
            raise ConfigurationError(f"a limit of USD {self.max_usd:g} cannot be kept: {quote.reason}")

    def admit(self, spec: ModelSpec, request: ChatRequest) -> float:
        """Reserve what one attempt may cost and return it (USD).

        Raises BudgetSpentError where it could exceed the limit, CallsCancelledError where the run is stopped
        while it waits, StopCallsError where a limit is set and the price is not known, and StoreError where
        the ledger cannot be written: nothing is reserved then.
        """
        asked = _Asked(spec, self.most_usd(spec, request))
        with self._changed:
            self._asking.append(asked)
        try:
            while not asked.granted:
                settled = self._decided(asked)
                if not asked.granted:
                    self._await(settled)
        except BaseException:
            self._withdraw(asked)
            raise
        return asked.usd

    def _decided(self, asked: _Asked) -> int:
        """Let all that ask be decided, here or by another thread; return how many calls were settled."""
        while not self._turn.acquire(timeout=LOOK_S):
            self._look()
        try:
            with self._changed:
                settled = self._settled
            if not asked.granted and asked.refused is None:
                self._look()
                self._decide()
        finally:
            self._turn.release()
        if asked.refused is not None:
            raise asked.refused
        return settled

    def _await(self, settled: int) -> None:
        """Wait until a call under way is settled, or for a moment."""
        self._look()
        with self._changed:
            self._changed.wait_for(lambda: self._settled != settled, LOOK_S)

    def _look(self) -> None:
        """Raise where the run is stopped."""
        if self._stop.is_set():
            raise CallsCancelledError("the run was interrupted while a call waited for the budget")

    def _withdraw(self, asked: _Asked) -> None:
        """Take back what was asked for and, where it was granted meanwhile, reserved."""
        with self._changed:
            if asked in self._asking:
                self._asking.remove(asked)
            elif asked.granted:
                self._free(asked.spec, asked.usd)

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

        A reply whose usage is not told is counted at what was reserved, and as estimated. A ledger that
        cannot be written takes no answer away: what is not written goes with the next reservation, which
        raises where that fails too.
        """
        with self._changed:
            self._free(spec, reserved)
            if reply is not None:
                self._models[spec.id] = self._models.get(spec.id, Spend()) + self._one(spec, reserved, reply)
                self._longest_out = max(self._longest_out, reply.tokens_out or 0)
            self._settled += 1
            self._changed.notify_all()
        self._write_later_if_not_now()

    def reused(self, spec: ModelSpec, reply: ChatReply) -> None:  # noqa: ARG002 - as the Protocol says
        """Count an answer that came from the call store and cost nothing."""
        with self._changed:
            self._models[spec.id] = self._models.get(spec.id, Spend()) + Spend(reused=1)
            self._version += 1
        if time.monotonic() >= self._written + WRITE_S:
            self._write_later_if_not_now()

    def close(self) -> None:
        """Write the last counts, where anything was counted."""
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

    def _decide(self) -> None:
        """Admit, refuse or leave waiting all that ask, in their order; the ledger knows before they go on."""
        bounded = self._ledger if self.max_usd is not None else None
        try:
            with bounded.held(self._stop) if bounded else alone():
                others = bounded.others() if bounded else Spend()
                with self._changed:
                    fitting = [asked for asked in self._asking if self._reserved(asked, others)]
                try:
                    self._write()
                except BaseException:
                    with self._changed:
                        for asked in fitting:
                            self._free(asked.spec, asked.usd)
                    raise
        except WaitEndedError as ended:
            raise CallsCancelledError(f"the run was interrupted: {ended}") from ended
        with self._changed:
            for asked in fitting:
                if asked in self._asking:
                    asked.granted = True
                else:
                    self._free(asked.spec, asked.usd)
            self._asking = [asked for asked in self._asking if not (asked.granted or asked.refused)]

    def _reserved(self, asked: _Asked, others: Spend) -> bool:
        """Reserve what is asked for; return False where it waits for calls under way or is refused."""
        try:
            if self.max_usd is not None and not self._fits(asked.spec, asked.usd, others):
                return False
        except BudgetSpentError as refused:
            asked.refused = refused
            return False
        opened = self._open.setdefault(asked.spec.id, _Open())
        opened.calls += 1
        opened.usd += asked.usd
        self._version += 1
        return True

    def _free(self, spec: ModelSpec, reserved: float) -> None:
        """Take back a reservation."""
        opened = self._open[spec.id]
        opened.calls -= 1
        opened.usd = opened.usd - reserved if opened.calls else 0.0
        self._version += 1

    def _fits(self, spec: ModelSpec, most: float, others: Spend) -> bool:
        """Return whether an amount may be reserved now; raise BudgetSpentError where it never may."""
        assert self.max_usd is not None  # noqa: S101 - asked only where there is a limit
        mine = total(self._by_model().values())
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
        """Let the ledger know, where there is one, unless a write that began since has told it."""
        if self._ledger is None:
            return
        with self._changed:
            version = self._version
        with self._pen:
            if self._version_written >= version:
                return
            with self._changed:
                version, models = self._version, self._by_model()
            self._ledger.write(models)
            self._version_written, self._written = version, time.monotonic()

    def _write_later_if_not_now(self) -> None:
        """Let the ledger know; where it cannot be written, the next reservation writes it."""
        try:
            self._write()
        except Exception as wrong:
            logger.warning("the account could not be written (%s): it is tried again", wrong)
