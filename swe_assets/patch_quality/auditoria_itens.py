"""What an auditor reads and scores: the scales, the instances, and what the judges said of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from swe_assets.judging.audit_form import AuditForm, DrawnItem, Scale, item_mark
from swe_assets.judging.audit_page import JudgedValue, JudgeWords, PageItem, PageText, spelled
from swe_assets.judging.jury_extraction import FELL_BACK
from swe_assets.judging.payload import ISSUE_LIMIT, PATCH_LIMIT
from swe_assets.judging.quotes import Quotable, check_quotes, quotations
from swe_assets.llm.fencing import bounded
from swe_assets.llm.rehearsal import MARK
from swe_assets.patch_quality.account import study_stages
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.matriz_consolidada import judge_label
from swe_assets.storage.records import OK
from swe_assets.storage.stage import Stage, plan_chain

JURY = "júri"
LAST = "metricas_estruturais_extraidas"
UPSTREAM = ("patches", "evaluation_payload", "evaluation_results", LAST, "resultados_testes")
ORIGINS = {"stated": "afirmado no parecer", "fallback": "valor de reserva: o parecer nada diz"}

FORM = AuditForm(
    (
        Scale(
            "resolve_issue",
            yes_no=True,
            question="Aplicada, a alteração resolve o que a issue descreve?",
            labels=("não", "sim"),
        ),
        Scale(
            "score_confianca",
            1,
            5,
            question="Quanta certeza você tem desse veredito?",
            labels=("quase nenhuma", "pouca", "moderada", "muita", "plena"),
        ),
        Scale(
            "M_profundidade",
            1,
            3,
            question="Até onde vai a correção, segundo o parecer? (reserva: 2)",
            labels=(
                "só o sintoma é tratado, ou a causa-raiz não é corrigida",
                "o caso específico funciona, sem evidência de tratamento da causa-raiz",
                "evidência explícita de que a causa-raiz é tratada",
            ),
            of_reasoning=True,
        ),
        Scale(
            "M_integridade",
            1,
            3,
            question="O que acontece ao resto do sistema, segundo o parecer? (reserva: 3)",
            labels=(
                "regressão, ou quebra de contrato, invariante ou arquitetura",
                "degradação estrutural sem quebra: redundância, lógica desnecessária",
                "sem efeitos colaterais negativos, ou o parecer nada diz sobre eles",
            ),
            of_reasoning=True,
        ),
        Scale(
            "M_defesa",
            1,
            3,
            question="Quantos casos ficam cobertos, segundo o parecer? (reserva: 2)",
            labels=(
                "solução declarada incompleta ou incapaz em cenários relevantes",
                "o caso da issue é tratado, sem indicação de cobertura além dele",
                "casos críticos implícitos tratados, ou robustez adicional",
            ),
            of_reasoning=True,
        ),
    )
)
Scored = Callable[[Mapping[str, Any], Mapping[str, Any]], dict[str, float]]
"""From a verdict and its extraction to scores by scale."""

VERDICT = tuple(scale.name for scale in FORM.scales if not scale.of_reasoning)
METRICS = tuple(scale.name for scale in FORM.scales if scale.of_reasoning)
SCALES = {scale.name: scale for scale in FORM.scales}


@dataclass(frozen=True)
class AuditedInstance:
    """One instance with everything that was read and said of it: payloads of its records, and its pass@1."""

    instance_id: str
    issue: str
    patch: str
    verdict: Mapping[str, Any]
    extraction: Mapping[str, Any]
    passed: int

    @property
    def drawn(self) -> DrawnItem:
        """The id, and a mark of issue and patch."""
        return DrawnItem(self.instance_id, item_mark((self.instance_id, self.issue, self.patch)))

    @property
    def stratum(self) -> str:
        """The verdict and the tests' outcome in words."""
        said = "resolved" if self.verdict["evaluation"]["resolve_issue"] else "not resolved"
        return f"{said}, {'tests pass' if self.passed else 'tests fail'}"

    def scores(self) -> dict[str, dict[str, float]]:
        """Return every rater's scores by scale: a jury's joint ones first, then each judge's."""
        return self._rated(_scores)

    def stated(self) -> dict[str, dict[str, float]]:
        """Return the same without the M_* that no reasoning states: a fallback agrees with nobody."""
        return self._rated(_stated)

    def _rated(self, of: Scored) -> dict[str, dict[str, float]]:
        metrics = {one["judge_id"]: one for one in self.extraction["jury"]}
        found = {JURY: of(self.verdict["evaluation"], self.extraction)}
        own = {
            one["judge_id"]: of(one, metrics[one["judge_id"]])
            for one in self.verdict["jury"]
            if one["judge_id"] in metrics
        }
        return own if len(own) == 1 else found | own


def audited_ids(bench: PatchBench) -> list[str]:
    """Return the instances with a current verdict and extraction, in the pinned order."""
    plans = plan_chain(_above(study_stages(bench), LAST), bench, bench.instances)
    current = plans[LAST].current
    return [i for i in bench.instances if i in current and current[i].status == OK]


def audited_instance(bench: PatchBench, instance_id: str) -> AuditedInstance:
    """Return one judged instance, both texts as its judge saw them; RecordError where a record is gone."""
    records = {name: bench.store.need(name, instance_id).payload for name in UPSTREAM}
    patch = records["patches"]["model_patch"]
    return AuditedInstance(
        instance_id,
        shown_text(bench.dataset[instance_id].problem_statement or "", ISSUE_LIMIT),
        shown_text("" if patch is None or patch.isspace() else patch, PATCH_LIMIT),
        records["evaluation_results"],
        records[LAST],
        records["resultados_testes"]["pass@1"],
    )


def shown_text(text: str, limit: int) -> str:
    """Return a text as it is shown: bounded like the judge's, the cut stated, the invisible spelled out."""
    found = bounded(text, limit)
    if not found.tail:
        return spelled(found.head)
    gap = f"⟨o meio do texto foi omitido: {found.shown} de {found.total} caracteres mostrados⟩"
    return spelled(f"{found.head}\n{gap}\n{found.tail}")


def page_item(instance: AuditedInstance) -> PageItem:
    """Return an instance as the page shows it."""
    texts = {"issue": Quotable(instance.issue), "patch": Quotable(instance.patch, diff=True)}
    where = sorted({str(one["where"]) for one in instance.verdict.get("injection", [])})
    warning = f"Possível instrução ao juiz dentro do texto ({', '.join(where)}): leia-a como dado."
    return PageItem(
        instance.drawn,
        (PageText("issue", "Issue", instance.issue), PageText("patch", "Patch", instance.patch, "diff")),
        tuple(_judge_words(instance, one, texts) for one in _speaker_first(instance.verdict)),
        (warning,) if where else (),
        _facts(instance),
    )


def _judge_words(
    instance: AuditedInstance, verdict: Mapping[str, Any], texts: Mapping[str, Quotable]
) -> JudgeWords:
    """Return one judge's reasoning, its quotations looked up, and its values with their words looked up."""
    reasoning = verdict["raciocinio_analitico"]
    own = next(one for one in instance.extraction["jury"] if one["judge_id"] == verdict["judge_id"])
    metrics, reasoned = own["record"]["LLM_Judge_Metrics"], {"parecer": Quotable(reasoning)}
    values = [JudgedValue(name, SCALES[name].write(float(verdict[name]))) for name in VERDICT]
    for name in METRICS:
        stated = own["origins"][name] == "stated"
        words = metrics[f"just_{name.removeprefix('M_')}"]
        found = check_quotes([words.removeprefix(MARK)], reasoned)[0] if stated else None
        values.append(JudgedValue(name, str(metrics[name]), ORIGINS[own["origins"][name]], words, found))
    label = judge_label(verdict["judge"])
    known = len(instance.verdict["jury"]) == 1 or label.startswith(verdict["judge_id"])
    name = label if known else f"{verdict['judge_id']} ({label})"
    return JudgeWords(name, reasoning, check_quotes(quotations(reasoning), texts), tuple(values))


def _facts(instance: AuditedInstance) -> tuple[tuple[str, str], ...]:
    """Return what else is known of an instance: the tests' outcome, a jury's joint scores and flags."""
    tests = ("pass@1", "1: os testes passam" if instance.passed else "0: os testes não passam")
    if len(instance.verdict["jury"]) == 1:
        return (tests,)
    joint = instance.scores()[JURY].items()
    flags = ", ".join(instance.verdict.get("flags", []))
    said = ((f"{JURY}: {name}", SCALES[name].write(value)) for name, value in joint)
    return (tests, *said, *((("flags", flags),) if flags else ()))


def _speaker_first(verdict: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the judges' verdicts, first the one whose reasoning stands for the jury."""
    reasoning = verdict["evaluation"]["raciocinio_analitico"]
    return sorted(verdict["jury"], key=lambda one: one["raciocinio_analitico"] != reasoning)


def _scores(verdict: Mapping[str, Any], extraction: Mapping[str, Any]) -> dict[str, float]:
    """Return the scores of one verdict with its extraction."""
    metrics = extraction["record"]["LLM_Judge_Metrics"]
    return {n: float(verdict[n]) for n in VERDICT} | {n: float(metrics[n]) for n in METRICS}


def _stated(verdict: Mapping[str, Any], extraction: Mapping[str, Any]) -> dict[str, float]:
    """Return the scores of one verdict and those of its extraction that the reasoning states."""
    silent = [name for name, origin in extraction["origins"].items() if origin == FELL_BACK]
    return {n: value for n, value in _scores(verdict, extraction).items() if n not in silent}


def _above(stages: list[Stage[PatchBench]], name: str) -> list[Stage[PatchBench]]:
    """Return a stage and all above it, in order of flow."""
    wanted = {name}
    for stage in reversed(stages):
        wanted |= set(stage.upstream) if stage.name in wanted else set()
    return [stage for stage in stages if stage.name in wanted]
