"""The judge asked again, the other way round and in other words: what its verdict should not depend on."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from swe_assets.errors import ConfigurationError
from swe_assets.judging.payload import build_payload
from swe_assets.judging.prompts import REWORDED, Prompts
from swe_assets.judging.verdict import Verdict, verdict_request
from swe_assets.llm.outcomes import CallError, StopCallsError
from swe_assets.llm.protocol import ChatModel, ChatRequest
from swe_assets.llm.typed_reply import validated

BASE, ORDER, WORDING = "base", "order", "wording"


@dataclass(frozen=True)
class PayloadInputs:
    """What a payload is built from: the instance, its issue and the patch (None or blank: empty)."""

    instance_id: str
    problem_statement: str
    patch: str | None


def variants(
    inputs: PayloadInputs, prompts: Prompts, *, n: int = 1, order: bool = False, wording: bool = False
) -> Mapping[str, ChatRequest]:
    """Return the requests about one patch by variant, all of one rubric.

    ``base`` is the request of the first pass itself, so that its kept answer is used; ``repeat-2`` to
    ``repeat-n`` are the same question again; ``order`` shows the patch before the issue; ``wording`` asks
    with the prompts' rewording.

    Raises InputError where there is no issue to judge by, and ConfigurationError for n below 1, a prompt
    whose order cannot be changed and prompts without a rewording.
    """
    if n < 1:
        raise ConfigurationError(f"a judge can be asked 1, 2, … times, not n = {n!r}")
    asked = {BASE: _request(inputs, prompts)}
    asked |= {f"repeat-{sample}": _request(inputs, prompts, sample) for sample in range(2, n + 1)}
    if order:
        asked[ORDER] = _request(inputs, patch_first(prompts))
    if wording:
        asked[WORDING] = _request(inputs, reworded(prompts))
    return asked


def variant_results(requests: Mapping[str, ChatRequest], model: ChatModel) -> list[dict[str, Any]]:
    """Return what the model answered to each variant, in their order, as it was answered.

    Each is {variant, resolve_issue, score_confianca, raciocinio_analitico, served_model, cached} or
    {variant, error}; nothing is averaged or left out. Raises StopCallsError where no further call can
    succeed.
    """
    return [_result(name, request, model) for name, request in requests.items()]


def patch_first(prompts: Prompts) -> Prompts:
    """Return the prompts with the paragraphs of issue and patch in each other's place."""
    paragraphs = prompts.judge_user.split("\n\n")
    places = [[i for i, text in enumerate(paragraphs) if mark in text] for mark in ("{{issue}}", "{{patch}}")]
    if not (len(places[0]) == len(places[1]) == 1 and places[0] != places[1]):
        raise ConfigurationError(
            "the order of juiz_usuario.txt cannot be changed: put {{issue}} and {{patch}} once each, in two "
            "paragraphs with a blank line between them"
        )
    (issue,), (patch,) = places
    paragraphs[issue], paragraphs[patch] = paragraphs[patch], paragraphs[issue]
    return replace(prompts, judge_user="\n\n".join(paragraphs))


def reworded(prompts: Prompts) -> Prompts:
    """Return the prompts with the first pass in other words."""
    if prompts.reworded is None:
        raise ConfigurationError(
            f"these prompts have no rewording: put {' and '.join(REWORDED)} beside them, or do not ask for it"
        )
    system, user = prompts.reworded
    return replace(prompts, judge_system=system, judge_user=user)


def _request(inputs: PayloadInputs, prompts: Prompts, sample: int = 1) -> ChatRequest:
    """Return the request of the first pass by these prompts."""
    payload = build_payload(inputs.instance_id, inputs.problem_statement, inputs.patch, prompts)
    return verdict_request(payload, sample=sample)


def _result(name: str, request: ChatRequest, model: ChatModel) -> dict[str, Any]:
    """Return one variant's answer or its error."""
    try:
        reply = model.complete(request)
        verdict, _ = validated(reply, Verdict)
    except StopCallsError:
        raise
    except CallError as failure:
        return {"variant": name, "error": str(failure)}
    told = {"served_model": reply.served_model, "cached": reply.stored}
    return {"variant": name, **verdict.model_dump(), **told}
