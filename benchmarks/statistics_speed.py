"""How long all statistics of a study take: 500 instances with 10,000 bootstrap draws, and 50,000 rows.

    python -m benchmarks.statistics_speed [--rows 500 50000] [--draws 10000 1000]

The columns are made up like a study's: nine of them, counts with heavy tails and ties, three ratings of
four values, a binary outcome, repositories as clusters, a jury of three. Each statistic is called once, as
a report calls it. The rows of the larger sample get fewer draws, as given.
"""

import argparse
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from benchmarks.table import Cell, against, print_machine, print_table
from swe_assets import statistics as st
from swe_assets.statistics.bootstrap import Bootstrap
from swe_assets.statistics.cross_validation import HeldOut

TARGETS = {500: 10.0, 50_000: 60.0}
PREDICTORS = ("M_profundidade", "M_defesa", "ncloc", "violations")
Columns = dict[str, NDArray[np.float64]]


def study(rows: int) -> tuple[Columns, list[int], list[list[float]]]:
    """Return made-up columns, repositories and a jury's scores."""
    random = np.random.default_rng(7)
    size = random.lognormal(5, 1, rows)
    ratings = ("M_profundidade", "M_integridade", "M_defesa")
    columns: Columns = {name: random.integers(1, 5, rows).astype(float) for name in ratings}
    columns["ncloc"] = np.floor(size)
    shares = {"complexity": 0.2, "cognitive_complexity": 0.25, "sqale_index": 0.6, "violations": 0.05}
    for name, share in shares.items():
        columns[name] = np.floor(size * share * random.lognormal(0, 0.5, rows))
    linear = 0.8 + 0.3 * (columns["M_profundidade"] - 2.5) - 0.3 * (np.log(size) - 5)
    columns["pass@1"] = (random.random(rows) < 1 / (1 + np.exp(-linear))).astype(float)
    truth = random.integers(0, 6, rows)
    jury = [np.clip(truth + random.integers(-1, 2, rows), 0, 5).astype(float).tolist() for _ in range(3)]
    return columns, random.integers(0, 12, rows).tolist(), jury


def calls(rows: int, draws: int) -> dict[str, Callable[[], object]]:
    """Return each statistic's call, by name."""
    columns, repositories, jury = study(rows)
    y = columns["pass@1"]
    counts = ("ncloc", "violations")
    x = {name: np.log1p(columns[name]) if name in counts else columns[name] for name in PREDICTORS}
    how, plain = Bootstrap(draws=draws), Bootstrap(method="percentile", draws=draws)
    said = (np.array(jury[0]) >= 3).astype(int)
    chances = np.array(jury[0]) / 5
    tasks = (np.arange(rows) // 10).tolist()
    return {
        "spearman": lambda: st.spearman(columns),
        "spearman_interval": lambda: st.spearman_interval(columns, how=how),
        "spearman_permutation": lambda: st.spearman_permutation(columns, draws=draws),
        "partial_spearman": lambda: st.partial_spearman(columns, ["ncloc"]),
        "shapiro_wilk": lambda: [st.shapiro_wilk(column) for column in columns.values()],
        "vif": lambda: st.vif(x),
        "detect_separation": lambda: st.detect_separation(y, x),
        "separation_cells": lambda: st.separation_cells(y, x),
        "logit": lambda: st.logit(y, x),
        "cluster_logit": lambda: st.cluster_logit(y, x, repositories),
        "firth_logit": lambda: st.firth_logit(y, x),
        "firth_test": lambda: st.firth_test(y, x),
        "leave_one_out, ml": lambda: st.leave_one_out(y, x),
        "leave_one_out, firth": lambda: st.leave_one_out(y, x, method="firth"),
        "mixed_logit": lambda: st.mixed_logit(y, x, {"task": tasks, "repository": repositories}),
        "cross_validated, auc, brier": lambda: held_out(y, x),
        "auc": lambda: st.auc(y, chances),
        "brier": lambda: st.brier(y, chances),
        "reliability_curve": lambda: st.reliability_curve(y, chances),
        "confusion": lambda: st.confusion(y, said).mcc,
        "krippendorff_interval": lambda: st.krippendorff_interval(jury, "ordinal", draws=draws),
        "weighted_kappa": lambda: st.weighted_kappa(jury[0], jury[1], [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]),
        "mean_interval, clusters": lambda: st.mean_interval(y, clusters=repositories, how=how),
        "rank_intervals": lambda: st.rank_intervals(dict(zip("abc", jury, strict=True)), how=plain),
        "paired_difference": lambda: st.paired_difference(jury[0], jury[1]),
        "holm": lambda: st.holm([0.001, 0.02, 0.03, 0.2] * 9),
    }


def held_out(y: NDArray[np.float64], x: Columns) -> object:
    """Return discrimination and calibration of held-out chances."""
    found = st.cross_validated(y, x)
    assert isinstance(found, HeldOut), found
    return st.auc(y, found.chances), st.brier(y, found.chances), st.reliability_curve(y, found.chances)


def measure(rows: int, draws: int) -> list[Cell]:
    """Print each statistic's time, and return the row that holds the sum against the target."""
    table: list[list[Cell]] = []
    for name, call in calls(rows, draws).items():
        wall, cpu = time.perf_counter(), time.process_time()
        call()
        table.append([name, time.perf_counter() - wall, time.process_time() - cpu])
    print_table(f"{rows} rows, {draws} draws", ["statistic", "wall s", "CPU s"], table)
    total = [sum(float(row[at]) for row in table) for at in (1, 2)]
    print(f"\nall: {total[0]:.1f} s wall, {total[1]:.1f} s CPU")
    return against(f"{rows} rows, {draws} draws", total[0], TARGETS.get(rows, 60.0), "s wall")


def main() -> None:
    """Measure each size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[500, 50_000])
    parser.add_argument("--draws", type=int, nargs="+", default=[10_000, 1000])
    given = parser.parse_args()
    print_machine()
    st.logit([0, 1, 0, 1], {"x": [1, 2, 4, 3]})  # what is imported on first use
    rows = [measure(*pair) for pair in zip(given.rows, given.draws, strict=True)]
    print_table("Targets", ["what", "found", "target", ""], rows)


if __name__ == "__main__":
    main()
