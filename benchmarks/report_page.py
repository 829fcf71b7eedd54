"""The report page: its size, how soon it can be used, how quickly its table sorts and searches.

``python -m benchmarks.report_page`` prints the figures of 500 and 5,000 made-up instances in a real browser.
"""

import argparse
import random
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.table import Cell, against, print_machine, print_table

if TYPE_CHECKING:
    import pandas as pd

    from swe_assets.reporting.tables import Analysis

SIZES = (500, 5_000)
QUIET = ("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")
PATIENCE_MS = 120_000
REPEATS = 5
_WORDS = (
    "def",
    "return",
    "self",
    "value",
    "None",
    "if",
    "for",
    "raise",
    "queryset",
    "model",
    "field",
    "node",
)
_READY = (
    "() => new Promise((done) => { const look = () => document.documentElement.dataset.ready "
    "? requestAnimationFrame(() => done(performance.now())) : setTimeout(look, 1); look(); })"
)
_TIMED = """async ([selector, text, times]) => {
  const found = [];
  for (let n = 0; n < times; n += 1) {
    const element = document.querySelector(selector);
    const start = performance.now();
    if (text === null) element.click();
    else { element.value = n % 2 ? "" : text; element.dispatchEvent(new Event("input")); }
    document.getElementById("instances").getBoundingClientRect();
    found.push(performance.now() - start);
    await new Promise(requestAnimationFrame);
  }
  return Math.max(...found);
}"""


@dataclass(frozen=True)
class Measured:
    """The page of so many instances: bytes, and milliseconds, each the worst of the repeats."""

    instances: int
    size: int
    make: float
    interactive: float
    sort: float
    search: float


def analysis_of(count: int) -> "Analysis":
    """Return an analysis of made-up instances with every measure, a patch of some kB and a judge's words."""
    from swe_assets.patch_quality.analysis.evidence import Evidence, InstanceLine, Judgement, Settings
    from swe_assets.patch_quality.analysis.matrix import matrix_of
    from swe_assets.patch_quality.analysis.study_tables import study_analysis

    draw = random.Random(1)  # noqa: S311 # made-up data
    frame = _frame(count, draw)
    matrix = matrix_of(frame)
    outcomes = dict(zip(matrix.ids, matrix.columns["pass@1"], strict=True))
    lines = tuple(InstanceLine(key, resolved=bool(value)) for key, value in outcomes.items())
    said = tuple(
        Judgement(key, "judge", draw.random() < 0.3 + 0.5 * float(value), draw.randint(1, 5))
        for key, value in outcomes.items()
    )
    texts = {key: {"patch": _patch(draw), "reasoning (judge)": _prose(draw)} for key in matrix.ids}
    settings = Settings(draws=100, permutations=100, folds=3)
    return study_analysis(Evidence("benchmark", matrix, lines, said, texts=texts, settings=settings), {})


def measure(count: int, folder: Path) -> Measured:
    """Return what the page of so many instances takes, in a browser of its own."""
    import time

    from playwright.sync_api import sync_playwright

    from swe_assets.reporting.page_files import PAGE, write_page

    analysis = analysis_of(count)
    start = time.perf_counter()
    write_page(folder, analysis, "en")
    made = (time.perf_counter() - start) * 1000
    path = folder / PAGE
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=list(QUIET), timeout=PATIENCE_MS
        )
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(path.as_uri(), timeout=PATIENCE_MS)
        ready = float(page.evaluate(_READY))
        sorts = [
            float(page.evaluate(_TIMED, [f"#instances th:nth-child({at}) button", None, REPEATS]))
            for at in (1, 5, 7)
        ]
        search = float(page.evaluate(_TIMED, ["#search", "pkg1 10", REPEATS]))
        browser.close()
    return Measured(count, path.stat().st_size, made, ready, max(sorts), search)


def rows_of(found: Sequence[Measured]) -> list[list[Cell]]:
    """Return the rows that hold each figure against its target."""
    rows: list[list[Cell]] = []
    for one in found:
        named = f"{one.instances} instances"
        if one.instances <= SIZES[0]:
            rows.append(against(f"{named}: page, MB", one.size / 1e6, 5, "MB"))
            rows.append(against(f"{named}: interactive, ms", one.interactive, 1000, "ms"))
        else:
            rows.append([f"{named}: page, MB", one.size / 1e6, "", ""])
            rows.append([f"{named}: interactive, ms", one.interactive, "", ""])
        rows.append(against(f"{named}: sort, ms", one.sort, 300, "ms"))
        rows.append(against(f"{named}: search, ms", one.search, 300, "ms"))
        rows.append([f"{named}: page and SVG written, ms", one.make, "", ""])
    return rows


def _frame(count: int, draw: random.Random) -> "pd.DataFrame":
    import pandas as pd

    from swe_assets.patch_quality.analysis.matrix import MEASURED

    rows = []
    for at in range(count):
        size = int(draw.lognormvariate(5, 1)) + 3
        base = {name: int(size * draw.uniform(0.05, 1)) + 1 for name in MEASURED}
        delta = {name: draw.randint(-3, 9) for name in MEASURED}
        rows.append({
            "instance_id": f"demo__pkg{at % 12}-{10_000 + at}",
            "pass@1": int(draw.random() < 0.6),
            **{name: draw.randint(1, 3) for name in ("M_profundidade", "M_integridade", "M_defesa")},
            **{name: max(base[name] + delta[name], 0) for name in MEASURED},
            **{f"base_{name}": base[name] for name in MEASURED},
            **{f"delta_{name}": delta[name] for name in MEASURED},
        })  # fmt: skip
    return pd.DataFrame(rows)


def _patch(draw: random.Random) -> str:
    lines = [
        f"{draw.choice('+- ')}    {' '.join(draw.choices(_WORDS, k=8))}" for _ in range(draw.randint(40, 90))
    ]
    return "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1,9 +1,9 @@\n" + "\n".join(lines) + "\n"


def _prose(draw: random.Random) -> str:
    return " ".join(draw.choices(_WORDS, k=160)) + "."


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures; exit code 1 where a target is missed, 2 without a browser."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--instances", type=int, nargs="+", default=list(SIZES))
    asked = parser.parse_args(arguments)
    if shutil.which("chromium") is None:
        print("no chromium on PATH: nothing was measured", file=sys.stderr)
        return 2
    print_machine()
    with tempfile.TemporaryDirectory() as scratch:
        found = [measure(count, Path(scratch) / str(count)) for count in asked.instances]
    rows = rows_of(found)
    print_table("Report page in Chromium", ["figure", "measured", "target", "verdict"], rows)
    return int(any(row[3] == "MISSED" for row in rows))


if __name__ == "__main__":
    sys.exit(main())
