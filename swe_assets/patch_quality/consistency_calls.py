"""The calls of consistencia_juiz: a seeded sample of judged instances, each asked again by every judge."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Any

from swe_assets.judging.audit_sample import hash_order
from swe_assets.judging.jury_agreement import SEED
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.jury_calls import each_judge

if TYPE_CHECKING:
    from swe_assets.judging.jury_consistency import Answer
    from swe_assets.llm.protocol import ChatModel, ChatRequest

Requests = Mapping[str, "Mapping[str, ChatRequest]"]
"""By instance the requests of each variant."""


def sampled(bench: PatchBench, judged: list[str]) -> list[str]:
    """Return the judged instances that are asked about again, in the order of a draw by a fixed seed.

    A larger sample holds the smaller one, and another judged instance changes it by one place at most.
    """
    return hash_order(judged, SEED)[: bench.study.consistency.sample]


def variant_requests(bench: PatchBench, instance_ids: list[str]) -> Requests:
    """Return what each judge is asked about each instance: the study's own question first.

    Raises ConfigurationError where the study's prompts cannot be put in another form.
    """
    from swe_assets.judging.wording import PayloadInputs, variants

    asked = bench.study.consistency
    found = {}
    for instance_id in instance_ids:
        statement = bench.dataset[instance_id].problem_statement or ""
        inputs = PayloadInputs(instance_id, statement, bench.predictions[instance_id])
        forms = variants(inputs, bench.prompts, n=max(1, asked.n), order=asked.order, wording=asked.wording)
        found[instance_id] = forms
    return found


def asked_again(bench: PatchBench, requests: Requests) -> "dict[str, list[Answer]]":
    """Return every judge's answers, in the order of the requests, all judges asked at once.

    What was answered before comes from the call store. A call that failed is an answer with an error, and so
    is each that was not made because none could succeed. An interruption ends the calls at once.
    """
    from swe_assets.judging.jury_consistency import answers_of
    from swe_assets.llm.called_model import call_threads
    from swe_assets.storage.crew import Crew

    models = bench.models

    def of_judge(judge_id: str) -> "dict[str, list[Answer]]":
        def one(instance_id: str, _stop: threading.Event) -> "Iterator[tuple[str, list[Answer]]]":
            results = [result_of(models[judge_id], v, r) for v, r in requests[instance_id].items()]
            yield instance_id, answers_of(instance_id, results)

        count = min(len(requests), call_threads(models[judge_id]))
        with closing(Crew(one, requests, count, bench.stop_calls).results()) as results:
            return dict(results)

    came = each_judge(models, of_judge, bench.stop_calls)
    return {judge: [answer for i in requests for answer in came[judge][i]] for judge in models}


def result_of(model: "ChatModel", variant: str, request: "ChatRequest") -> dict[str, Any]:
    """Return one answer, or its error; raise only where the run was interrupted."""
    from swe_assets.judging.wording import variant_results
    from swe_assets.llm.outcomes import CallsCancelledError, StopCallsError

    try:
        return variant_results({variant: request}, model)[0]
    except CallsCancelledError:
        raise
    except StopCallsError as stop:
        return {"variant": variant, "error": str(stop)}
