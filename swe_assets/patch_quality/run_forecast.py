"""What a run's model calls will take: the real prompts of the instances that would be judged, looked up."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from swe_assets.errors import SweAssetsError
from swe_assets.home import home
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.consistency_calls import sampled, variant_requests
from swe_assets.patch_quality.run_plan import UNRECORDED
from swe_assets.storage.records import EXCLUDED

if TYPE_CHECKING:
    from swe_assets.llm.forecast import CallForecast, PlannedCall
    from swe_assets.llm.protocol import Answers, ChatModel, ChatReply, ChatRequest

JUDGING, EXTRACTING, PAYLOAD = "evaluation_results", "metricas_estruturais_extraidas", "evaluation_payload"
REPEATING = "consistencia_juiz"
ASSUMED_REASONING = "O patch corrige a causa-raiz do problema relatado e preserva os contratos. " * 20
"""A reasoning of 1,500 characters, for the second pass over a verdict that is not there yet."""

Plan = Sequence[tuple[str, Mapping[str, Sequence[str]]]]


def call_forecast(bench: PatchBench, plan: Plan) -> "CallForecast":
    """Return what the model calls of a plan (see run_plan.forecast) will take; nothing is called.

    An instance that an earlier stage may still exclude counts as judged, so that the forecast is not too low.
    """
    from swe_assets.llm.call_store import open_call_store
    from swe_assets.llm.forecast import forecast_calls
    from swe_assets.llm.prices import PriceList

    answers = open_call_store(home())
    return forecast_calls(planned_calls(bench, plan, answers), answers, PriceList())


def planned_calls(bench: PatchBench, plan: Plan, answers: "Answers") -> "Iterator[PlannedCall]":
    """Yield the calls of a plan, one instance's prompts at a time; calls of a rehearsal are left out."""
    models = {name: model for name, model in bench.planned_models.items() if not model.rehearsal}
    if not models:
        return
    made = {name: {i for i, why in reasons.items() if list(why) != [UNRECORDED]} for name, reasons in plan}
    anew = made.get(JUDGING, set())
    for instance_id in bench.instances:
        if instance_id in anew or instance_id in made.get(EXTRACTING, ()):
            judged = None if instance_id in anew else _verdicts(bench, instance_id)
            payload = _payload(bench, instance_id, made.get(PAYLOAD, set()))
            if payload is None:
                continue
            for name, model in models.items():
                request = _verdict_request(payload)
                if instance_id in anew:
                    yield _planned(JUDGING, model, request)
                if instance_id in made.get(EXTRACTING, ()):
                    reasoning = (judged or {}).get(name) or _kept_reasoning(model, request, answers)
                    yield _extraction(bench, model, reasoning)
    if made.get(REPEATING):
        yield from _asked_again(bench, models)


def _asked_again(bench: PatchBench, models: "Mapping[str, ChatModel]") -> "Iterator[PlannedCall]":
    """Yield the calls of consistencia_juiz but those for verdicts; every instance counts as judged."""
    from swe_assets.judging.wording import BASE

    if not bench.study.consistency.asked:
        return
    known = [i for i in bench.instances if (bench.dataset[i].problem_statement or "").strip()]
    for forms in variant_requests(bench, sampled(bench, known)).values():
        for name, request in forms.items():
            yield from (_planned(REPEATING, model, request) for model in models.values() if name != BASE)


def _planned(stage: str, model: "ChatModel", request: "ChatRequest") -> "PlannedCall":
    """Return a call to a model, with the keys of its answer where the model has keys."""
    from swe_assets.llm.called_model import CalledModel
    from swe_assets.llm.forecast import PlannedCall
    from swe_assets.llm.prices import spec_of
    from swe_assets.llm.specs import ModelSpec

    spec = spec_of(model) or ModelSpec(model.name, "registered", model.name)
    keys = [key for key, _ in model.places(request)] if isinstance(model, CalledModel) else []
    return PlannedCall(stage, spec, request, *keys)


def _extraction(bench: PatchBench, model: "ChatModel", reasoning: str | None) -> "PlannedCall":
    """Return the second pass over a reasoning, or over an assumed one, whose answer nobody can have."""
    from dataclasses import replace

    from swe_assets.judging.extraction import extraction_request

    planned = _planned(EXTRACTING, model, extraction_request(reasoning or ASSUMED_REASONING, bench.prompts))
    return planned if reasoning else replace(planned, key=None)


def _verdict_request(payload: Mapping[str, str]) -> "ChatRequest":
    from swe_assets.judging.verdict import verdict_request

    return verdict_request(payload)


def _verdicts(bench: PatchBench, instance_id: str) -> dict[str, str]:
    """Return each judge's reasoning of a verdict that is stored and stays."""
    record = bench.store.read(JUDGING, instance_id)
    jury: list[dict[str, Any]] = record.payload.get("jury", []) if record is not None else []
    return {one["judge_id"]: one["raciocinio_analitico"] for one in jury}


def _payload(bench: PatchBench, instance_id: str, made: set[str]) -> Mapping[str, str] | None:
    """Return an instance's prompts: those stored, else built as the stage would; None if excluded."""
    from swe_assets.judging.payload import build_payload

    record = None if instance_id in made else bench.store.read(PAYLOAD, instance_id)
    if record is not None:
        return None if record.status == EXCLUDED else record.payload
    statement = bench.dataset[instance_id].problem_statement
    if not statement or not statement.strip():
        return None
    return build_payload(instance_id, statement, bench.predictions[instance_id], bench.prompts)


def _kept_reasoning(model: "ChatModel", request: "ChatRequest", answers: "Answers") -> str | None:
    """Return the reasoning of an answer that is kept already, None where there is none or it is not valid."""
    key = _planned(JUDGING, model, request).key
    kept = answers.find(key) if key is not None else None
    return None if kept is None else _reasoning(kept)


def _reasoning(kept: "ChatReply") -> str | None:
    from swe_assets.judging.verdict import Verdict
    from swe_assets.llm.plain_text import visible
    from swe_assets.llm.typed_reply import validated

    try:
        return visible(validated(kept, Verdict)[0].raciocinio_analitico)
    except SweAssetsError:
        return None
