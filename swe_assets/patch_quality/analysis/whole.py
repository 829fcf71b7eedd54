"""The whole analysis of a consolidated matrix in one call."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from swe_assets.patch_quality.analysis import files
from swe_assets.patch_quality.analysis.correlation import Correlation, Pair, correlation_report
from swe_assets.patch_quality.analysis.fitted_outcome import OutcomeModel
from swe_assets.patch_quality.analysis.matrix import Matrix, matrix_of
from swe_assets.patch_quality.analysis.outcome_model import fit_record, logit_report
from swe_assets.patch_quality.analysis.report import write_report
from swe_assets.statistics.undefined import Undefined

if TYPE_CHECKING:
    import pandas as pd

NAMES = (
    files.RHO,
    files.P_VALUES,
    files.NORMALITY,
    files.HEATMAP,
    files.LOGIT,
    files.SUMMARY,
    files.FIT,
    files.REPORT,
)


@dataclass(frozen=True)
class Analysis:
    """Both results of an analysis and the files that hold them."""

    correlation: Correlation
    model: OutcomeModel
    files: tuple[Path, ...]

    def record(self) -> dict[str, Any]:
        """Return files and headline numbers as JSON values."""
        correlation = self.correlation
        return {
            "files": [str(path) for path in self.files],
            "n": correlation.n,
            "resolved": correlation.resolved,
            "labels": correlation.labels.texts(),
            "strongest": [pair_record(pair) for pair in correlation.strongest],
            "with_pass@1": [pair_record(pair) for pair in correlation.with_outcome],
            "undefined": correlation.undefined,
            "logit": fit_record(self.model),
        }


def pair_record(pair: Pair) -> dict[str, Any]:
    """Return a pair of metrics as JSON values; p is null where it is undefined."""
    return {"a": pair.a, "b": pair.b, "rho": pair.rho, "p": None if isinstance(pair.p, Undefined) else pair.p}


def analyse_matrix(
    frame: "pd.DataFrame | Matrix",
    out: Path,
    *,
    stand_in: str | None = None,
    rehearsal: bool = False,
    title: str = "patch_quality",
    account: Mapping[str, Any] | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> Analysis:
    """Write correlation report, logit report and page into a folder, each file whole or not at all.

    ``stand_in`` names what measured violations and sqale_index in SonarQube's place, ``rehearsal`` says
    that the judge only rehearsed; both add to what the matrix's columns judge, analyser and rehearsal
    say. ``account`` and ``metadata`` are shown on the page (see ``write_report``). Same input, same
    bytes.
    Raises MatrixError for an unusable matrix, StoreError where the folder cannot be written.
    """
    matrix = matrix_of(frame)
    correlation = correlation_report(matrix, out, stand_in=stand_in, rehearsal=rehearsal, title=title)
    model = logit_report(matrix, out, stand_in=stand_in, rehearsal=rehearsal, title=title)
    write_report(out, correlation, model, title=title, account=account, metadata=metadata)
    return Analysis(correlation, model, tuple(out / name for name in NAMES))
