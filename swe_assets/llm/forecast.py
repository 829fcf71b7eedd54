"""What a run's model calls will take before the first is made: calls, tokens, money and time by model."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from swe_assets.llm.prices import FREE, PriceList, Unpriced
from swe_assets.llm.protocol import Answers, ChatReply, ChatRequest
from swe_assets.llm.specs import ModelSpec
from swe_assets.llm.token_estimate import (
    EXPECTED_OUT,
    EXPECTED_OUT_OTHERWISE,
    Calibration,
    Seen,
    calibrated,
    seen,
    token_limit,
    tokens_in,
)

SECONDS_BEFORE, TOKENS_A_SECOND = 1.0, 60.0
"""The latency assumed of an answer where none is known: a second, and a second for each 60 tokens."""


@dataclass(frozen=True)
class PlannedCall:
    """A call that a run would make: to whom, with what, and under which key its answer would be kept.

    ``longer_key``: the key of the answer to the same with the longer token limit, where there is one.
    ``stage`` names what asks; ``key`` None means that the answer cannot be known before it is paid for.
    """

    stage: str
    spec: ModelSpec
    request: ChatRequest
    key: str | None = None
    longer_key: str | None = None


@dataclass(frozen=True)
class ForecastLine:
    """The calls of one stage to one model.

    ``calls`` are to be paid for; ``kept`` are in the call store already, or will be once a call to pay for
    that asks the very same is answered. ``usd`` is None where the price is
    not known, and ``unpriced`` says why. ``seconds`` at the model's concurrency and limits.
    """

    stage: str
    model: str
    calls: int
    kept: int
    tokens_in: int
    tokens_out: int
    usd: float | None
    seconds: float
    unpriced: str = ""


@dataclass(frozen=True)
class CallForecast:
    """All lines of a forecast, the price sources by model, and what earlier answers taught by model."""

    lines: tuple[ForecastLine, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)
    learnt: Mapping[str, Calibration] = field(default_factory=dict)

    @property
    def calls(self) -> int:
        """Return how many calls are to be paid for."""
        return sum(line.calls for line in self.lines)

    @property
    def already_kept(self) -> int:
        """Return how many answers are in the call store already."""
        return sum(line.kept for line in self.lines)

    @property
    def tokens_in(self) -> int:
        """Return the tokens of all prompts."""
        return sum(line.tokens_in for line in self.lines)

    @property
    def tokens_out(self) -> int:
        """Return the tokens of all answers."""
        return sum(line.tokens_out for line in self.lines)

    @property
    def usd(self) -> float | None:
        """Return what all calls cost, None where the price of one that is to be made is not known."""
        known = [line.usd for line in self.lines if line.calls]
        return None if None in known else sum(cost for cost in known if cost is not None)

    @property
    def seconds(self) -> float:
        """Return how long the calls take, one stage after the other, the models of a stage at once."""
        stages = dict.fromkeys(line.stage for line in self.lines)
        return sum(max(line.seconds for line in self.lines if line.stage == stage) for stage in stages)


@dataclass
class _Group:
    """What is known of the calls of one stage to one model, prompts left out."""

    spec: ModelSpec
    purpose: str
    estimates: list[tuple[int, int | None]] = field(default_factory=list)
    kept: int = 0


def forecast_calls(
    planned: Iterable[PlannedCall], answers: Answers | None, prices: PriceList
) -> CallForecast:
    """Return what the planned calls will take; kept answers are counted apart and teach of the others.

    Prompts are looked at one at a time. Tokens come from characters and script, corrected by the usage that
    the model's kept answers among the planned calls told; answers without precedent are assumed to have 700
    tokens (judge), 350 (extraction) or 500, within max_tokens. Calls of rehearsal and replay are left out.
    """
    groups: dict[tuple[str, str], _Group] = {}
    known: dict[str, list[Seen]] = {}
    asked: set[str] = set()
    for call in planned:
        spec, request = call.spec, call.request
        if spec.provider in FREE:
            continue
        group = groups.setdefault((call.stage, spec.id), _Group(spec, request.purpose))
        kept = _kept(answers, call)
        if kept is not None:
            group.kept += 1
            known.setdefault(spec.id, []).append(seen(request, kept))
        elif call.key is not None and call.key in asked:
            group.kept += 1
        else:
            asked.add(call.key or "")
            group.estimates.append((tokens_in(request), token_limit(spec, request)))
    learnt = {model: calibrated(answered) for model, answered in known.items()}
    lines = tuple(
        _line(stage, group, learnt.get(model, Calibration()), prices)
        for (stage, model), group in groups.items()
    )
    return CallForecast(lines, _sources(groups.values(), prices), learnt)


def _kept(answers: Answers | None, call: PlannedCall) -> ChatReply | None:
    """Return the answer that a call would find, as asked or with the longer limit, or None."""
    if answers is None or call.key is None:
        return None
    kept = answers.find(call.key)
    return answers.find(call.longer_key) if kept is None and call.longer_key is not None else kept


def _line(stage: str, group: _Group, learnt: Calibration, prices: PriceList) -> ForecastLine:
    """Return what the calls of one stage to one model will take."""
    spec, quote = group.spec, prices.quote(group.spec)
    expected = learnt.out.get(group.purpose, EXPECTED_OUT.get(group.purpose, EXPECTED_OUT_OTHERWISE))
    sizes = [
        (round(guess * learnt.factor), round(expected if limit is None else min(limit, expected)))
        for guess, limit in group.estimates
    ]
    unpriced = quote.reason if isinstance(quote, Unpriced) else ""
    return ForecastLine(
        stage,
        spec.id,
        len(sizes),
        group.kept,
        sum(size for size, _ in sizes),
        sum(size for _, size in sizes),
        None if isinstance(quote, Unpriced) else sum(quote.usd(*size) for size in sizes),
        _seconds(spec, sizes, learnt),
        unpriced,
    )


def _seconds(spec: ModelSpec, sizes: list[tuple[int, int]], learnt: Calibration) -> float:
    """Return how long calls of these sizes take at the model's concurrency and limits."""
    latency = learnt.latency_s
    waits = (SECONDS_BEFORE + out / TOKENS_A_SECOND if latency is None else latency for _, out in sizes)
    bounds = [sum(waits) / max(1, spec.concurrency)]
    if spec.requests_per_minute:
        bounds.append(len(sizes) * 60 / spec.requests_per_minute)
    if spec.tokens_per_minute:
        bounds.append(sum(map(sum, sizes)) * 60 / spec.tokens_per_minute)
    return max(bounds)


def _sources(groups: Iterable[_Group], prices: PriceList) -> dict[str, str]:
    """Return by model where its price comes from; those without one are left out."""
    quotes = {group.spec.id: prices.quote(group.spec) for group in groups}
    return {model: quote.source for model, quote in quotes.items() if not isinstance(quote, Unpriced)}
