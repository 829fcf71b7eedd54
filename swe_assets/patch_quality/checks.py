"""Asset checks: each gate of gates.py and gates_of_judges.py beside the asset it guards."""

from collections.abc import Callable
from dataclasses import dataclass

import dagster as dg

from swe_assets.patch_quality import gates, gates_of_judges
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.check_verdict import CheckVerdict
from swe_assets.patch_quality.matrix_frame import BLOCKING
from swe_assets.patch_quality.stage_asset import asset_key


@dataclass(frozen=True)
class Gate:
    """One gate: the asset it guards, its rule, and what follows when it does not hold."""

    asset: str
    rule: Callable[[PatchBench], CheckVerdict]
    blocking: bool = False
    severity: dg.AssetCheckSeverity = dg.AssetCheckSeverity.ERROR


WARN = dg.AssetCheckSeverity.WARN

GATES = (
    Gate("patches", gates.ids_unique_and_known),
    Gate("arquivos_reconstruidos", gates.every_patch_has_an_outcome),
    Gate("arquivos_reconstruidos", gates.measured_file_differs_from_base),
    Gate("metricas_completas", gates.measures_complete_and_in_range),
    Gate("metricas_completas", gates.sums_equal_the_servers_own),
    Gate("evaluation_results", gates_of_judges.judge_schema),
    Gate("evaluation_results", gates_of_judges.resolved_though_not_applied, severity=WARN),
    Gate("evaluation_results", gates_of_judges.no_injection_suspected, severity=WARN),
    Gate("evaluation_results", gates_of_judges.jury_of_several_services, severity=WARN),
    Gate("metricas_estruturais_extraidas", gates_of_judges.extraction_schema),
    *(Gate("amostra", rule, blocking=True) for rule in BLOCKING),
    Gate("amostra", gates.large_enough_for_the_logit, severity=WARN),
)


def gate_check(study: str, gate: Gate) -> dg.AssetChecksDefinition:
    """Return the asset check of a gate; it aggregates over all current instances of the study."""

    @dg.asset_check(
        asset=asset_key(study, gate.asset),
        name=gate.rule.__name__,
        description=(gate.rule.__doc__ or "").strip(),
        blocking=gate.blocking,
    )
    def check() -> dg.AssetCheckResult:
        verdict = gate.rule(PatchBench.open(study))
        return dg.AssetCheckResult(
            passed=verdict.passed,
            severity=gate.severity,
            description=verdict.description,
            metadata={
                "looked_at": verdict.looked_at,
                "wrong": len(verdict.wrong),
                "instances": list(verdict.wrong),
            },
        )

    return check


def study_checks(study: str) -> list[dg.AssetChecksDefinition]:
    """Return all checks of one study."""
    return [gate_check(study, gate) for gate in GATES]
