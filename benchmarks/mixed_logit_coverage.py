"""How often the mixed logit's 95 % intervals hold the truth, and how long 10,000 rows take.

    python -m benchmarks.mixed_logit_coverage [--samples 200] [--rows 600] [--large 10000]

Samples are made up: 30 tasks nested in 6 seeds, crossed with 8 models; a slope within tasks, a
three-level treatment, a slope between tasks (a predictor that is one value for each task), and an intercept.
Beside it a logit that ignores tasks, seeds and models.
"""

import argparse
import time

import numpy as np
from numpy.typing import NDArray

from benchmarks.table import Cell, at_least, print_machine, print_table
from swe_assets.statistics import logit, mixed_logit
from swe_assets.statistics.logistic import Logit
from swe_assets.statistics.mixed_logit import MixedLogit

TRUTH = {"const": -0.4, "x": 0.7, "level1": 0.5, "level2": -0.5, "of_task": 0.6}
SDS = {"task": 1.0, "seed": 0.5, "model": 0.7}
Sample = tuple[list[int], dict[str, NDArray[np.float64]], dict[str, list[int]]]


def sample(rows: int, tasks: int, random: np.random.Generator) -> Sample:
    """Return made-up outcomes, predictors and factors."""
    task, model, level = (random.integers(0, size, rows) for size in (tasks, 8, 3))
    predictors = {
        "x": random.normal(size=rows),
        "level1": (level == 1).astype(float),
        "level2": (level == 2).astype(float),
        "of_task": random.normal(size=tasks)[task],
    }
    codes = {"task": task, "seed": task // 5, "model": model}
    linear = TRUTH["const"] + sum(TRUTH[name] * column for name, column in predictors.items())
    for name, code in codes.items():
        linear = linear + random.normal(0, SDS[name], int(code.max()) + 1)[code]
    outcome = (random.random(rows) < 1 / (1 + np.exp(-linear))).astype(int)
    return outcome.tolist(), predictors, {name: code.tolist() for name, code in codes.items()}


def coverage(samples: int, rows: int) -> None:
    """Print how often each interval holds the truth, and the mean error against the estimates' spread."""
    fits: dict[str, list[MixedLogit | Logit]] = {"mixed": [], "plain": []}
    singular = undefined = 0
    for seed in range(samples):
        outcome, predictors, factors = sample(rows, 30, np.random.default_rng(seed))
        mixed, plain = mixed_logit(outcome, predictors, factors), logit(outcome, predictors)
        if not isinstance(mixed, MixedLogit) or not isinstance(plain, Logit):
            undefined += 1
            continue
        singular += mixed.singular
        fits["mixed"].append(mixed)
        fits["plain"].append(plain)
    table: list[list[Cell]] = []
    for at, (name, truth) in enumerate(TRUTH.items()):
        for kind, found in fits.items():
            terms = [fit.terms[at] for fit in found]
            held = sum(term.coef_low <= truth <= term.coef_high for term in terms) / len(terms)
            error = float(np.mean([term.se for term in terms]) / np.std([term.coef for term in terms]))
            bias = float(np.mean([term.coef for term in terms]) - truth)
            table.append([f"{name}, {kind}", held, bias, error])
    columns = ["coefficient", "held by the interval", "mean less truth", "mean error / spread"]
    print_table(f"Coverage over {samples} samples of {rows} rows ({singular} singular)", columns, table)
    print(f"\nwithout an answer: {undefined}")
    lowest = min(float(row[1]) for row in table if str(row[0]).endswith("mixed"))
    print_table("Target", ["what", "found", "target", ""], [at_least("lowest coverage", lowest, 0.9, "")])


def large(rows: int) -> None:
    """Print how long a large sample takes, and how near the truth it comes."""
    outcome, predictors, factors = sample(rows, rows // 25, np.random.default_rng(1))
    wall, cpu = time.perf_counter(), time.process_time()
    found = mixed_logit(outcome, predictors, factors)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    assert isinstance(found, MixedLogit), found
    table: list[list[Cell]] = [[term.name, TRUTH[term.name], term.coef, term.se] for term in found.terms]
    table += [[f"sd of {name}", SDS[name], factor.sd, ""] for name, factor in found.intercepts.items()]
    print_table(f"{rows} rows: {wall:.1f} s wall, {cpu:.1f} s CPU", ["what", "true", "found", "error"], table)


def main() -> None:
    """Run both parts."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--samples", type=int, default=200)
    parser.add_argument("--rows", type=int, default=600)
    parser.add_argument("--large", type=int, default=10_000)
    given = parser.parse_args()
    print_machine()
    coverage(given.samples, given.rows)
    large(given.large)


if __name__ == "__main__":
    main()
