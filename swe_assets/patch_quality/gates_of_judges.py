"""The quality gates of what judges say: schema, a jury's arithmetic, and what a person is to look at."""

from collections.abc import Mapping
from typing import Any

from swe_assets.judging.coherence import m_coerencia
from swe_assets.judging.jury import joint_evaluation
from swe_assets.judging.jury_extraction import joint_extraction
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.check_verdict import CheckVerdict
from swe_assets.patch_quality.gates import usable
from swe_assets.patch_quality.jury_settings import of_one_house, shared_houses
from swe_assets.storage.records import OK, Record

JUST_WORDS = 15


def judge_schema(bench: PatchBench) -> CheckVerdict:
    """Each verdict has a boolean, a whole score from 1 to 5 and a reasoning; a jury's follows from them."""
    records = list(usable(bench, "evaluation_results"))
    wrong = {r.instance_id: fault for r in records if (fault := _payload_fault(r.payload))}
    return CheckVerdict(len(records), "verdicts follow the judge's schema", wrong)


def _payload_fault(payload: Mapping[str, Any]) -> str:
    jury = payload["jury"]
    alone = len(jury) == 1
    for one in jury:
        fault = _verdict_fault(one, whole=True)
        if fault:
            return fault if alone else f"{one['judge_id']}: {fault}"
    fault = _verdict_fault(payload["evaluation"], whole=alone)
    if fault or payload["evaluation"] == joint_evaluation(jury):
        return fault
    return "the evaluation is not what its judges' verdicts give"


def _verdict_fault(verdict: Mapping[str, Any], *, whole: bool) -> str:
    score = verdict.get("score_confianca")
    if not isinstance(verdict.get("resolve_issue"), bool):
        return f"resolve_issue {verdict.get('resolve_issue')!r} is not a boolean"
    number = isinstance(score, int if whole else float) and not isinstance(score, bool)
    if not number or not 1 <= score <= 5:  # type: ignore[operator]  # a number by now
        return f"score_confianca {score!r} is not a {'whole number' if whole else 'mean'} from 1 to 5"
    reasoning = verdict.get("raciocinio_analitico")
    return "" if isinstance(reasoning, str) and reasoning.strip() else "raciocinio_analitico is empty"


def resolved_though_not_applied(bench: PatchBench) -> CheckVerdict:
    """The judge calls no patch resolved that does not apply, is empty or changes nothing that is measured."""
    wrong: dict[str, str] = {}
    looked_at = 0
    for record in usable(bench, "evaluation_results"):
        rebuilt = bench.store.header("arquivos_reconstruidos", record.instance_id)
        looked_at += 1
        if rebuilt is not None and rebuilt.status != OK and record.payload["evaluation"]["resolve_issue"]:
            wrong[record.instance_id] = f"judged resolved, but {rebuilt.reason}"
    return CheckVerdict(looked_at, "no verdict of resolved on a patch that was not measured", wrong)


def no_injection_suspected(bench: PatchBench) -> CheckVerdict:
    """No issue or patch seems to speak to its judge; a flag is for a person and changes no verdict."""
    records = list(usable(bench, "evaluation_results"))
    found = {record.instance_id: record.payload["injection"] for record in records}
    wrong = {i: "; ".join(map(_suspicion, those[:3])) for i, those in found.items() if those}
    return CheckVerdict(len(records), "no text seems to speak to its judge", wrong)


def _suspicion(one: Mapping[str, Any]) -> str:
    return f"{one['where']} line {one['line']}, {one['pattern']}: {one['excerpt']!r}"


def jury_of_several_services(bench: PatchBench) -> CheckVerdict:
    """The judges of a jury are of different services, so that they do not err alike."""
    shared = shared_houses(bench.planned_models)
    wrong = {f"({house})": of_one_house(house, names) for house, names in shared.items()}
    return CheckVerdict(len(bench.planned_models), "the judges of a jury are of different services", wrong)


def extraction_schema(bench: PatchBench) -> CheckVerdict:
    """Each extraction has M_* from 1 to 3, short justifications, and M_coerencia as its formula gives it."""
    records = list(usable(bench, "metricas_estruturais_extraidas"))
    wrong = {r.instance_id: fault for r in records if (fault := _extractions_fault(r))}
    return CheckVerdict(len(records), "extractions follow their schema", wrong)


def _extractions_fault(record: Record) -> str:
    payload = record.payload
    for one in payload["jury"]:
        fault = _extraction_fault(one["record"])
        if fault:
            return fault if len(payload["jury"]) == 1 else f"{one['judge_id']}: {fault}"
    fault = _extraction_fault(payload["record"])
    if fault:
        return fault
    meta = payload["record"]["Metadata_Metrics"]
    verdict = {name: meta[f"{name}_original"] for name in ("resolve_issue", "score_confianca")}
    joint = joint_extraction(record.instance_id, verdict, payload["jury"])
    return "" if joint["record"] == payload["record"] else "the record is not what its judges' give"


def _extraction_fault(record: Mapping[str, Any]) -> str:
    metrics, meta = record["LLM_Judge_Metrics"], record["Metadata_Metrics"]
    for name, value in metrics.items():
        if name.startswith("M_") and (isinstance(value, bool) or value not in (1, 2, 3)):
            return f"{name} is {value!r}"
        if name.startswith("just_") and len(str(value).split()) > JUST_WORDS:
            return f"{name} has more than {JUST_WORDS} words"
    expected = m_coerencia(meta["resolve_issue_original"], meta["score_confianca_original"])
    return "" if meta["M_coerencia"] == expected else f"M_coerencia {meta['M_coerencia']!r}, not {expected}"
