"""The whole analysis of a study or of a lone matrix in one call: every file that a report is."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from swe_assets.patch_quality.analysis import files
from swe_assets.patch_quality.analysis.correlation import Correlation, Pair, correlation_report
from swe_assets.patch_quality.analysis.evidence import Evidence, Settings
from swe_assets.patch_quality.analysis.evidence_files import MATRIX, file_sha256s, write_evidence
from swe_assets.patch_quality.analysis.evidence_tables import matrix_csv
from swe_assets.patch_quality.analysis.fitted_outcome import OutcomeModel
from swe_assets.patch_quality.analysis.labels import Labels
from swe_assets.patch_quality.analysis.matrix import Matrix, matrix_of
from swe_assets.patch_quality.analysis.outcome_model import fit_record, logit_report
from swe_assets.patch_quality.analysis.own_files import remove_stale, written_before
from swe_assets.patch_quality.analysis.study_tables import study_analysis
from swe_assets.reporting.folder import write_analysis
from swe_assets.reporting.page_files import write_page
from swe_assets.reporting.tables import Analysis
from swe_assets.statistics.undefined import Undefined

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Written:
    """The results of an analysis and the files that hold them."""

    correlation: Correlation
    model: OutcomeModel
    analysis: Analysis
    files: tuple[Path, ...]

    def record(self) -> dict[str, Any]:
        """Return files, headline numbers and findings as JSON values."""
        correlation = self.correlation
        return {
            "files": [str(path) for path in self.files],
            "n": correlation.n,
            "resolved": correlation.resolved,
            "labels": correlation.labels.texts(),
            "findings": [row["en"] for row in self.analysis.tables["findings"].records()],
            "strongest": [pair_record(pair) for pair in correlation.strongest],
            "with_pass@1": [pair_record(pair) for pair in correlation.with_outcome],
            "undefined": correlation.undefined,
            "logit": fit_record(self.model),
        }


def pair_record(pair: Pair) -> dict[str, Any]:
    """Return a pair of metrics as JSON values; p is null where it is undefined."""
    return {"a": pair.a, "b": pair.b, "rho": pair.rho, "p": None if isinstance(pair.p, Undefined) else pair.p}


def write_study(
    out: Path,
    evidence: Evidence,
    matrix: bytes,
    *,
    matrix_name: str = MATRIX,
    made_with: Mapping[str, str] | None = None,
) -> Written:
    """Write a study's inputs, tables, figure and page into a folder, each file whole or not at all.

    ``matrix`` are the bytes of the matrix' CSV, kept under ``matrix_name``, so that all of it can be made
    again from the folder alone; ``made_with`` are the versions to name in place of those that run. Same
    input, same bytes. What an earlier report left in the folder and this one does not write is removed.
    Raises StoreError where the folder cannot be written.
    """
    before = written_before(out)
    kept = write_evidence(out, evidence, matrix, matrix_name=matrix_name)
    correlation = correlation_report(evidence.matrix, out, title=evidence.title)
    model = logit_report(evidence.matrix, out, title=evidence.title)
    analysis = study_analysis(evidence, file_sha256s(out), made_with)
    shown = write_page(out, analysis, evidence.settings.lang)
    tables = write_analysis(out, analysis)
    published = [out / name for name in files.PUBLISHED]
    written = (*published, *(path for path in shown if path not in published), *tables, *kept)
    remove_stale(out, before, written)
    return Written(correlation, model, analysis, written)


def analyse_matrix(
    frame: "pd.DataFrame | Matrix",
    out: Path,
    *,
    stand_in: str | None = None,
    rehearsal: bool = False,
    title: str = "patch_quality",
    settings: Settings | None = None,
    provenance: Mapping[str, Any] | None = None,
) -> Written:
    """Write the analysis of a lone matrix into a folder, each file whole or not at all.

    ``stand_in`` names what measured violations and sqale_index in SonarQube's place, ``rehearsal`` says
    that the judge only rehearsed; both add to what the matrix's columns judge, analyser and rehearsal
    say. Same input, same bytes.
    Raises MatrixError for an unusable matrix, StoreError where the folder cannot be written.
    """
    matrix = matrix_of(frame).labelled(Labels(rehearsal, stand_in))
    evidence = Evidence(title, matrix, settings=settings or Settings(), provenance=provenance or {})
    return write_study(out, evidence, matrix_csv(matrix))
