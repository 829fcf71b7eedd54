"""A pinned study as it is compared with others: its records now, and whether its own report is of them."""

import hashlib
from dataclasses import replace

from swe_assets.patch_quality import acordo_juizes, amostra, consistencia_juiz, qualidade_juiz, relatorio
from swe_assets.patch_quality.analysis.comparison import Submission, submission_of
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.report_evidence import evidence_of
from swe_assets.storage.summary import ALL, Summary, summary_basis

SUMMARIES = (
    amostra.SUMMARY, acordo_juizes.SUMMARY, qualidade_juiz.SUMMARY, consistencia_juiz.SUMMARY,
    relatorio.SUMMARY,
)  # fmt: skip
"""What a study's report is made from, in order, itself the last."""


def submission_of_study(name: str, study: str) -> Submission:
    """Return a pinned study under a name; ``changed`` says why its own report would be made again.

    Raises SettingsError where there is no such study, and as ``evidence_of`` does.
    """
    bench = PatchBench.open(study)
    evidence = evidence_of(bench, about=False)
    changed = tuple(f"{s.name}: {why}" for s in SUMMARIES for why in _differences(s, bench))
    sources = evidence.provenance["sources"].values()
    inputs = {str(one["name"]): str(one["sha256"]) for one in sources if "sha256" in one}
    matrix = bench.results / relatorio.MATRIX
    if matrix.is_file() and not changed:
        inputs[matrix.name] = hashlib.sha256(matrix.read_bytes()).hexdigest()
    return replace(submission_of(name, evidence), inputs=inputs, changed=changed)


def _differences(summary: Summary[PatchBench], bench: PatchBench) -> list[str]:
    """Return what a summary would be made from otherwise now; nothing of one that was never made."""
    header = bench.store.header(summary.name, ALL)
    return [] if header is None else summary_basis(summary, bench).differences(header.basis)
