"""Run the sample study through the command line, and say where its results lie."""

import subprocess
import sys
from pathlib import Path

from swe_assets.cli.sample import study_add
from swe_assets.home import studies_dir
from swe_assets.patch_quality.sample import build

STUDY = "sample"
SHOWN = {
    "tables": (
        "matriz_consolidada.csv",
        "matriz_correlação_spearman.csv",
        "matriz_p_values_spearman.csv",
        "logit.csv",
    ),
    "figure": ("heatmap.png",),
    "report": ("report.html", "logit_summary.txt"),
}


def main() -> int:
    """Run the command line in a process of its own, as a person would; return its exit code."""
    if not (studies_dir() / STUDY / "study.toml").is_file():
        added = swe_assets(*study_add(build(studies_dir() / ".sample-input")), stdout=sys.stderr.fileno())
        if added:
            return added
    code = swe_assets("run", STUDY)
    show(studies_dir() / STUDY / "results")
    return code


def swe_assets(*arguments: str, stdout: int | None = None) -> int:
    """Run the command line in a process of its own, as a person would, and return its exit code."""
    asked = [sys.executable, "-m", "swe_assets", *arguments]
    return subprocess.run(asked, stdout=stdout, check=False).returncode


def show(results: Path) -> None:
    """Print where the tables, the figure and the report lie, and how to look at the records."""
    for kind, names in SHOWN.items():
        for name in names:
            path = results / name
            print(f"{kind:<7}  {path if path.is_file() else f'not made: {path}'}")
    print("next     make ui, then http://localhost:3000; or: .venv/bin/python -m swe_assets status sample")


if __name__ == "__main__":
    sys.exit(main())
