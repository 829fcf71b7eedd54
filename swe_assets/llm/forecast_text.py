"""A forecast of model calls in words: a line a stage and model, or one in all."""

from swe_assets.llm.forecast import CallForecast, ForecastLine


def forecast_text(forecast: CallForecast) -> list[str]:
    """Return the forecast for reading: a line a stage and model, then the total, prices and certainty."""
    if not forecast.lines:
        return ["model calls: none that a service would be asked for"]
    lines = ["model calls:", *(f"    {line.stage}, {line.model}: {_words(line)}" for line in forecast.lines)]
    lines += [f"    {summary}" for summary in forecast_summary(forecast)]
    lines += [f"    price of {model}: {source}" for model, source in forecast.sources.items()]
    return lines + [f"    {learnt}" for learnt in _certainty(forecast)]


def forecast_summary(forecast: CallForecast) -> list[str]:
    """Return the forecast in one line, and one more where a price is not known."""
    lines = [f"forecast: {_words(forecast)}"]
    unknown = dict.fromkeys(line.unpriced for line in forecast.lines if line.unpriced and line.calls)
    return lines + [f"price unknown: {reason}" for reason in unknown]


def _words(told: ForecastLine | CallForecast) -> str:
    """Return calls, tokens, money and time in words."""
    kept = told.kept if isinstance(told, ForecastLine) else told.already_kept
    money = "USD unknown" if told.usd is None else f"about USD {told.usd:.4f}"
    return (
        f"{told.calls} calls to pay for, {kept} answers kept already; about {told.tokens_in:,} tokens in, "
        f"{told.tokens_out:,} out; {money}; about {duration(told.seconds)}"
    )


def _certainty(forecast: CallForecast) -> list[str]:
    """Say how far the token counts can be trusted."""
    told = [
        f"{model}: tokens corrected by {one.answers} kept answers, single prompts off by {one.error:.0%}"
        for model, one in forecast.learnt.items()
        if one.error is not None
    ]
    missing = any(line.model not in forecast.learnt for line in forecast.lines)
    return [*told, *(["tokens estimated from characters; answers' tokens assumed"] if missing else [])]


def duration(seconds: float) -> str:
    """Return seconds in words: 45 s, 12 min, 3.5 h."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
