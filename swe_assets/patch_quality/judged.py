"""What the judges said of each instance, as far as it is current: the rows of the assets about judges."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from swe_assets.judging.jury_agreement import Measure
from swe_assets.judging.jury_extraction import FELL_BACK
from swe_assets.judging.jury_quality import JURY, Said, chance_of, jury_chance
from swe_assets.patch_quality import evaluation_results, metricas_estruturais_extraidas
from swe_assets.patch_quality.account import study_stages
from swe_assets.patch_quality.analysis.labels import labels_of
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.storage.records import OK, Header, Record, digest
from swe_assets.storage.stage import plan_chain

ONLY_TESTS, ONLY_PYTHON_TESTS = "only_tests", "only_tests_in_python"
"""With the second, other files than Python changed beside the tests: such a patch can pass."""

JUDGED = (evaluation_results.STAGE, metricas_estruturais_extraidas.STAGE)


@dataclass(frozen=True)
class Judged:
    """One instance's current verdicts and extractions by judge; ``extractions`` is empty where there is none.

    ``origins``: by judge and M_* whether its value was stated or is the fallback of a silent reasoning.
    ``passed``: the tests' outcome. ``unmeasured``: why its patch was not measured, or an empty text.
    """

    instance_id: str
    verdicts: Mapping[str, Mapping[str, Any]]
    extractions: Mapping[str, Mapping[str, int]]
    evaluation: Mapping[str, Any]
    flags: Sequence[str]
    passed: bool
    unmeasured: str
    origins: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def value(self, judge_id: str, measure: Measure) -> int | None:
        """Return what a judge says of the instance by a measure, None where it says nothing.

        A fallback is nothing said: two silent reasonings do not agree on it.
        """
        if self.origins.get(judge_id, {}).get(measure.name) == FELL_BACK:
            return None
        said = {**self.verdicts[judge_id], **self.extractions.get(judge_id, {})}
        found = said.get(measure.name)
        return None if found is None else int(found)

    def said(self, judge_id: str) -> Said:
        """Return what a judge, or the jury, said of the instance, beside what the tests found."""
        if judge_id == JURY:
            resolved, chance = self.evaluation["resolve_issue"], jury_chance(self.verdicts.values())
        else:
            resolved = self.verdicts[judge_id]["resolve_issue"]
            chance = chance_of(resolved, self.verdicts[judge_id]["score_confianca"])
        return Said(self.instance_id, resolved, chance, self.passed, self.unmeasured)


def judged_instances(bench: PatchBench) -> list[Judged]:
    """Return the instances whose verdict is current, in the pinned order; none that is stale or failed."""
    plans = plan_chain(study_stages(bench), bench, bench.instances)

    def current(asset: str) -> dict[str, Record]:
        records = bench.store.records(asset, [i for i in bench.instances if i in plans[asset].current])
        return {record.instance_id: record for record in records if record.status == OK}

    extracted = current("metricas_estruturais_extraidas")
    tested = current("resultados_testes")
    rebuilt = plans["arquivos_reconstruidos"].current
    found = []
    for instance_id, record in current("evaluation_results").items():
        why = _unmeasured(bench, rebuilt.get(instance_id))
        if instance_id in tested:
            passed = bool(tested[instance_id].payload["pass@1"])
            found.append(_judged(record, extracted.get(instance_id), passed, why))
    return found


def _unmeasured(bench: PatchBench, rebuilt: Header | None) -> str:
    """Return why an instance's patch was not measured, or an empty text."""
    if rebuilt is None or rebuilt.reason != ONLY_TESTS:
        return rebuilt.reason if rebuilt is not None else ""
    return why_unmeasured(rebuilt.reason, bench.store.need(rebuilt.asset, rebuilt.instance_id).payload)


def why_unmeasured(reason: str, reconstruction: Mapping[str, Any]) -> str:
    """Return a reason; ``only_tests`` alone where no other file of any kind changed.

    >>> why_unmeasured("only_tests", {"flags": {"only_tests": False}})
    'only_tests_in_python'
    """
    others = not reconstruction.get("flags", {}).get(ONLY_TESTS, True)
    return ONLY_PYTHON_TESTS if reason == ONLY_TESTS and others else reason


def _judged(record: Record, extracted: Record | None, passed: bool, why: str) -> Judged:
    """Return one instance from its records."""
    jury = record.payload["jury"]
    extractions = extracted.payload["jury"] if extracted is not None else []
    return Judged(
        record.instance_id,
        {one["judge_id"]: one for one in jury},
        {one["judge_id"]: one["record"]["LLM_Judge_Metrics"] for one in extractions},
        record.payload["evaluation"],
        record.payload["flags"],
        passed,
        why,
        {one["judge_id"]: one["origins"] for one in extractions},
    )


def judges_source(bench: PatchBench) -> str:
    """Return what makes a verdict stop being current though no record changes: settings and failures."""
    parts = [stage.settings(bench) for stage in JUDGED]
    failures = [f"{i}!{why}" for stage in JUDGED for i, why in bench.store.failures(stage.name).items()]
    return digest(*parts, *failures)


def judge_marks(rows: Sequence[Judged]) -> frozenset[str]:
    """Return the marks of the verdicts: whether one is a rehearsal's, or the small model's."""
    told = [one["judge"] for row in rows for one in row.verdicts.values()]
    names = {str(one.get(key, "")) for one in told for key in ("model", "served_model")}
    return frozenset(labels_of(names, (), {one["rehearsal"] for one in told}).marks)
