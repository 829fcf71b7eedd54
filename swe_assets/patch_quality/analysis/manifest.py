"""The manifest: what a report was made from and by what, so that it can be made again."""

import platform
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from importlib.metadata import version
from typing import Any

from swe_assets import __version__
from swe_assets.patch_quality.analysis.evidence import Evidence
from swe_assets.patch_quality.analysis.finding import marked_measures
from swe_assets.patch_quality.analysis.instance_table import VALUES
from swe_assets.reporting.tables import Words

LIBRARIES = ("numpy", "scipy", "statsmodels", "pandas", "matplotlib", "jinja2")
SAID = ("resolve_issue", "score_confianca", "jury")
"""What else on the page is a judge's."""
FITTED = ("model: total", "model: base", "model: delta")
"""The names of models whose predictors are a judge's ratings."""


def manifest_of(
    evidence: Evidence,
    inputs: Mapping[str, str],
    absent: Mapping[str, Words],
    made_with: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Return inputs by sha256, versions, settings and seed, labels, provenance, and why a table is absent.

    It holds no date and no path: the same inputs give the same manifest.
    """
    labels = evidence.matrix.labels
    judges = sorted({judgement.judge for judgement in evidence.judgements})
    return {
        "inputs": dict(inputs),
        "versions": dict(made_with) if made_with else versions(),
        "settings": asdict(evidence.settings),
        "n": evidence.matrix.n,
        "labels": {
            "rehearsal": labels.rehearsal,
            "small_model": labels.small_model,
            "stand_in": labels.stand_in,
            "marks": sorted(evidence.marks),
        },
        "judges": judges,
        "provenance": dict(evidence.provenance),
        "marked": marked(evidence.marks_of("judge", "violations"), judges),
        "absent": {name: dict(why) for name, why in absent.items()},
        "verify": "swe-assets verify FOLDER",
    }


def marked(marks: Iterable[str], judges: Iterable[str]) -> dict[str, list[str]]:
    """Return which measures, verdicts, judges and models bear which marks."""
    said = marked_measures(marks, ("judge",)).get("judge", [])
    spoken = dict.fromkeys((*SAID, *FITTED, *judges), said) if said else {}
    return {**marked_measures(marks, VALUES), **spoken}


def versions() -> dict[str, str]:
    """Return the versions of this project, Python and the libraries that the numbers come from."""
    libraries = {name: version(name) for name in LIBRARIES}
    own = {"swe_assets": __version__, "python": platform.python_version(), "zlib": zlib.ZLIB_RUNTIME_VERSION}
    return {**own, **libraries}
