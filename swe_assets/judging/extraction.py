"""The second pass: three ordinal metrics from the first pass's reasoning alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, model_validator

from swe_assets.errors import JudgeError
from swe_assets.judging.coherence import m_coerencia
from swe_assets.judging.prompts import Prompts, filled
from swe_assets.llm.fencing import bounded, fence_code, fenced
from swe_assets.llm.plain_text import visible
from swe_assets.llm.prices import PriceList, cost_usd, spec_of
from swe_assets.llm.protocol import ChatModel, ChatRequest
from swe_assets.llm.typed_reply import integral, validated

FALLBACK = {"M_profundidade": 2, "M_integridade": 3, "M_defesa": 2}
"""The value of each metric where the reasoning is silent about it."""

MAX_WORDS = 15
REASONING_LIMIT = 50_000

Origin = Literal["stated", "fallback"]
Ordinal = Annotated[int, Field(strict=True, ge=1, le=3), BeforeValidator(integral)]
Words = Annotated[str, StringConstraints(strict=True, max_length=5_000)]
Source = Literal["texto", "fallback"]


class Metrics(BaseModel):
    """The second pass's answer; a value that claims to be the fallback is it, a stated one has its words."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    M_profundidade: Ordinal
    M_integridade: Ordinal
    M_defesa: Ordinal
    just_profundidade: Words
    just_integridade: Words
    just_defesa: Words
    origem_profundidade: Source
    origem_integridade: Source
    origem_defesa: Source

    @model_validator(mode="after")
    def _origins_hold(self) -> "Metrics":
        """Refuse a fallback of another value, and a stated value without words."""
        for metric, fallback in FALLBACK.items():
            value, words, source = (getattr(self, name) for name in _fields(metric))
            if source == "fallback" and value != fallback:
                raise ValueError(f"{metric} is {value} as a fallback, which is {fallback}")
            if source == "texto" and not words.strip():
                raise ValueError(f"{metric} is stated without words")
        return self


@dataclass(frozen=True)
class Extraction:
    """One instance's metrics: the study's record, where each value came from, and notes.

    ``record``: {instance_id, LLM_Judge_Metrics, Metadata_Metrics}. ``origins``: metric to "stated" or
    "fallback". ``notes``: what was repaired or cut. ``judge``: model, served_model, rehearsal, attempts,
    tokens_in, tokens_out of the call. ``cached``: whether the answer was kept already. ``cost_usd``: what the
    answer costs, None where price or usage is not known.
    """

    record: dict[str, Any]
    origins: dict[str, Origin]
    notes: tuple[str, ...]
    judge: dict[str, Any]
    cached: bool = False
    cost_usd: float | None = None


def extract(
    result: Mapping[str, Any], model: ChatModel, prompts: Prompts, prices: PriceList | None = None
) -> Extraction:
    """Return the three metrics that a result's raciocinio_analitico states, and M_coerencia beside them.

    The model sees raciocinio_analitico and nothing else of the result. ``prices``: the present ones unless
    given.

    Raises JudgeError for a result that holds an error, CallError where the call gave no valid answer (never
    the fallback values), StopCallsError where no further call can succeed.
    """
    instance_id, evaluation = result["instance_id"], result.get("evaluation")
    if not isinstance(evaluation, Mapping):
        raise JudgeError(f"instance {instance_id!r} has no verdict to extract from: {result.get('error')!r}")
    reply = model.complete(extraction_request(evaluation["raciocinio_analitico"], prompts))
    metrics, notes = validated(reply, Metrics)
    values, cut = _record_values(metrics)
    record = {
        "instance_id": instance_id,
        "LLM_Judge_Metrics": values,
        "Metadata_Metrics": {
            "M_coerencia": m_coerencia(evaluation["resolve_issue"], evaluation["score_confianca"]),
            "resolve_issue_original": evaluation["resolve_issue"],
            "score_confianca_original": evaluation["score_confianca"],
        },
    }
    told = {
        "model": reply.model,
        "served_model": reply.served_model,
        "rehearsal": model.rehearsal,
        "attempts": reply.attempts,
        "tokens_in": reply.tokens_in,
        "tokens_out": reply.tokens_out,
    }
    cost = cost_usd(spec_of(model), reply, prices)
    return Extraction(record, _origins(metrics), (*notes, *cut), told, reply.stored, cost)


def extraction_request(reasoning: str, prompts: Prompts) -> ChatRequest:
    """Return the request of the second pass for one reasoning, fenced and bounded."""
    text = bounded(reasoning, REASONING_LIMIT)
    code = fence_code(text.head, text.tail)
    values = {"codigo": code, "raciocinio": fenced("RACIOCINIO", text, code)}
    return ChatRequest(
        system=prompts.extraction_system,
        user=filled(prompts.extraction_user, values),
        schema=Metrics,
        purpose="extraction",
    )


def _fields(metric: str) -> tuple[str, str, str]:
    """Return the names of a metric's value, words and source."""
    name = metric.removeprefix("M_")
    return metric, f"just_{name}", f"origem_{name}"


def _origins(metrics: Metrics) -> dict[str, Origin]:
    """Return for each metric whether it was stated."""
    sources = {metric: getattr(metrics, _fields(metric)[2]) for metric in FALLBACK}
    return {metric: "stated" if source == "texto" else "fallback" for metric, source in sources.items()}


def _record_values(metrics: Metrics) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return M_* and then just_* in the record's order, and a note for each just_* that was cut."""
    values: dict[str, Any] = {metric: getattr(metrics, metric) for metric in FALLBACK}
    notes = []
    for name in (_fields(metric)[1] for metric in FALLBACK):
        words = visible(getattr(metrics, name)).split()
        values[name] = " ".join(words[:MAX_WORDS])
        if len(words) > MAX_WORDS:
            notes.append(f"{name} cut from {len(words)} to {MAX_WORDS} words")
    return values, tuple(notes)
