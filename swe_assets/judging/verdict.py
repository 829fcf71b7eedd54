"""The first pass: one payload in, one verdict or one error record out."""

from collections.abc import Mapping
from typing import Annotated, Any
from unicodedata import category

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from swe_assets.llm.outcomes import CallError, StopCallsError
from swe_assets.llm.plain_text import visible
from swe_assets.llm.prices import PriceList, cost_usd, spec_of
from swe_assets.llm.protocol import ChatModel, ChatReply, ChatRequest
from swe_assets.llm.typed_reply import integral, validated

MAX_REASONING = 50_000

Confidence = Annotated[int, Field(strict=True, ge=1, le=5), BeforeValidator(integral)]


def _says_something(text: str) -> str:
    """Return a text with something to see in it; blanks and invisible characters say nothing."""
    if not any(category(character)[0] not in "CZ" for character in text):
        raise ValueError("nothing that can be seen in it")
    return text


Reasoning = Annotated[
    str,
    StringConstraints(strict=True, pattern=r"\S", max_length=MAX_REASONING),
    AfterValidator(_says_something),
]


class Verdict(BaseModel):
    """A judge's answer, strictly typed (1 is not true, "3" is not 3, 4.0 is 4); extra keys are not kept."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    resolve_issue: Annotated[bool, Field(strict=True)]
    score_confianca: Confidence
    raciocinio_analitico: Reasoning


def judge(payload: Mapping[str, str], model: ChatModel, prices: PriceList | None = None) -> dict[str, Any]:
    """Return {instance_id, evaluation} or {instance_id, error} for one payload.

    ``evaluation`` holds resolve_issue, score_confianca, raciocinio_analitico and ``judge``: model,
    served_model, rehearsal, attempts, finish_reason, tokens_in, tokens_out, notes; nothing in it hangs on
    the day. Beside it stand ``cached``, whether the answer was kept already and cost nothing, and
    ``cost_usd`` by ``prices`` (the present ones unless given; None where price or usage is not known).
    ``error`` is ``"outcome: reason"`` with an outcome of swe_assets.llm.outcomes; a failed call never becomes
    a verdict.

    Raises StopCallsError where no further call can succeed, and ConfigurationError where none could be made.
    """
    instance_id = payload["instance_id"]
    try:
        reply = model.complete(verdict_request(payload))
        verdict, notes = validated(reply, Verdict)
    except StopCallsError:
        raise
    except CallError as failure:
        return {"instance_id": instance_id, "error": str(failure)}
    evaluation = _evaluation(verdict, reply, model, notes)
    told = {"cached": reply.stored, "cost_usd": cost_usd(spec_of(model), reply, prices)}
    return {"instance_id": instance_id, "evaluation": evaluation, **told}


def verdict_request(payload: Mapping[str, str], *, sample: int = 1) -> ChatRequest:
    """Return the request of the first pass for one payload; ``sample`` 2 asks for a second answer to it."""
    return ChatRequest(
        system=payload["system_prompt"],
        user=payload["user_prompt"],
        schema=Verdict,
        purpose="judge",
        sample=sample,
    )


def _evaluation(
    verdict: Verdict, reply: ChatReply, model: ChatModel, notes: tuple[str, ...]
) -> dict[str, Any]:
    """Return the verdict's fields, and beside them who gave it and how."""
    return {
        "resolve_issue": verdict.resolve_issue,
        "score_confianca": verdict.score_confianca,
        "raciocinio_analitico": visible(verdict.raciocinio_analitico),
        "judge": {
            "model": reply.model,
            "served_model": reply.served_model,
            "rehearsal": model.rehearsal,
            "attempts": reply.attempts,
            "finish_reason": reply.finish_reason,
            "tokens_in": reply.tokens_in,
            "tokens_out": reply.tokens_out,
            "notes": list(notes),
        },
    }
