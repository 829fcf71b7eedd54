"""Mixed-effects logit beside lme4's published results, brute force, and data with nothing to tell."""

import csv
import json
import math
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import quad
from scipy.optimize import minimize
from scipy.special import expit

from swe_assets.errors import InputError
from swe_assets.statistics import Undefined, logit, mixed_logit
from swe_assets.statistics.logistic import Logit
from swe_assets.statistics.mixed_logit import MixedLogit
from swe_assets.statistics.mixed_maximum import _Laplace
from swe_assets.statistics.random_intercepts import Grouped, meetings
from swe_assets_tests.statistics.numbers_found import answer
from swe_assets_tests.statistics.published import cbpp

Array = NDArray[np.float64]


def fitted(points: int = 1) -> MixedLogit:
    """Return the fit of the cattle data."""
    cases, periods, herds, animals = cbpp()
    found = mixed_logit(cases, periods, {"herd": herds}, trials=animals, points=points)
    assert isinstance(found, MixedLogit), found
    return found


def crossed(n: int = 300, seed: int = 4) -> tuple[list[int], Array, dict[str, list[int]]]:
    """Return made-up outcomes of 25 tasks in 5 seeds, tried by 4 models, and a slope of 0.8."""
    random = np.random.default_rng(seed)
    task, model, x = random.integers(0, 25, n), random.integers(0, 4, n), random.normal(size=n)
    effects = (
        random.normal(0, 1, 25)[task] + random.normal(0, 0.8, 4)[model] + random.normal(0, 0.6, 5)[task // 5]
    )
    outcome = (random.random(n) < expit(0.3 + 0.8 * x + effects)).astype(int)
    factors = {"task": task, "seed": task // 5, "model": model}
    return outcome.tolist(), x, {name: code.tolist() for name, code in factors.items()}


def test_published_laplace() -> None:
    """D. Bates' published fit of cbpp by Laplace: coefficients, sd of herds, log-likelihood."""
    found = fitted()
    assert [term.coef for term in found.terms] == pytest.approx(
        [-1.3985, -0.9923, -1.1287, -1.5803], abs=6e-5
    )
    assert found.intercepts["herd"].sd == pytest.approx(0.6423, abs=6e-5)
    assert found.loglik == pytest.approx(-92.0263, abs=1e-3)


def test_lme4_quadrature() -> None:
    """With nine points lme4 1.1-31 (nAGQ = 9) has the same coefficients, errors and sd to six digits."""
    found = fitted(points=9)
    coef = [-1.3992301892, -0.9914038883, -1.1278197374, -1.5794710145]
    se = [0.2335113584, 0.3067678988, 0.3267682607, 0.4275943249]
    assert [term.coef for term in found.terms] == pytest.approx(coef, abs=1e-6)
    assert [term.se for term in found.terms] == pytest.approx(se, abs=2e-6)
    assert found.intercepts["herd"].sd == pytest.approx(0.6475177036, abs=1e-6)


def test_quadrature_is_the_integral() -> None:
    """With 25 points the log-likelihood is that of adaptive integration, herd by herd."""
    found, (cases, periods, herds, animals) = fitted(points=25), cbpp()
    matrix = np.column_stack([np.ones(len(cases)), *periods.values()])
    linear, sd = matrix @ [term.coef for term in found.terms], found.intercepts["herd"].sd
    total = 0.0
    for herd in set(herds):
        rows = [at for at, each in enumerate(herds) if each == herd]

        def chance(u: float, rows: list[int] = rows) -> float:
            each = [
                math.comb(animals[i], cases[i])
                * expit(linear[i] + sd * u) ** cases[i]
                * expit(-linear[i] - sd * u) ** (animals[i] - cases[i])
                for i in rows
            ]
            return float(math.prod(each) * math.exp(-u * u / 2) / math.sqrt(2 * math.pi))

        total += math.log(quad(chance, -8, 8, epsabs=0, epsrel=1e-10, limit=200)[0])
    assert found.loglik == pytest.approx(total, abs=1e-6)


def dense_laplace(at: Array, outcome: Array, x: Array, factors: dict[str, list[int]]) -> float:
    """Return minus Laplace's log-likelihood with dense matrices, from its definition."""
    z = [np.eye(max(code) + 1)[code] * s for code, s in zip(factors.values(), at[2:], strict=True)]
    whole, fixed = np.column_stack(z), at[0] + at[1] * x
    u = np.zeros(whole.shape[1])
    for _ in range(60):
        chance = expit(fixed + whole @ u)
        hessian = np.eye(len(u)) + (whole.T * (chance * (1 - chance))) @ whole
        u = u + np.linalg.solve(hessian, whole.T @ (outcome - chance) - u)
    linear = fixed + whole @ u
    value = outcome @ linear - np.logaddexp(0, linear).sum() - u @ u / 2
    return float(np.linalg.slogdet(hessian)[1] / 2 - value)


def test_crossed_and_nested_by_brute_force() -> None:
    """Tasks in seeds, crossed with models: a general optimiser on dense matrices ends in the same place."""
    outcome, x, factors = crossed()
    found = answer(mixed_logit(outcome, {"x": x}, factors))
    start = np.array([0.3, 0.8, 1.0, 0.6, 0.8])
    reference = minimize(dense_laplace, start, args=(np.array(outcome), x, factors), options={"gtol": 1e-6})
    ours = [*(t.coef for t in found.terms), *(found.intercepts[name].sd for name in factors)]
    assert ours == pytest.approx([*reference.x[:2], *np.abs(reference.x[2:])], abs=2e-3)
    assert found.loglik == pytest.approx(-reference.fun, abs=1e-6)


def test_gradient_by_differences() -> None:
    """Laplace's gradient, through the moving modes, is that of differences."""
    outcome, x, factors = crossed()
    levels, sizes = tuple(np.array(code) for code in factors.values()), (25, 5, 4)
    data = Grouped(
        np.column_stack([np.ones(len(x)), x]), np.array(outcome, dtype=float), np.ones(len(x)), levels, sizes,
        meetings(levels, sizes),
    )  # fmt: skip
    objective, at = _Laplace(data), np.array([0.1, 0.5, 0.7, 0.4, 0.9])
    steps = 1e-5 * np.eye(5)
    differences = [(objective(at + step)[0] - objective(at - step)[0]) / 2e-5 for step in steps]
    assert objective(at)[1] == pytest.approx(differences, abs=1e-5)


LME4 = """
suppressMessages(library(lme4)); d <- read.csv(commandArgs(TRUE)[1])
m <- glmer(y ~ x + (1|task) + (1|seed) + (1|model), data = d, family = binomial,
           control = glmerControl(optimizer = "bobyqa"))
cat(sprintf("[%s]", paste(format(c(fixef(m), sqrt(diag(as.matrix(vcov(m)))), getME(m, "theta"),
    logLik(m)), digits = 12), collapse = ",")))
"""


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="Rscript is not here")
def test_lme4_crossed_and_nested(tmp_path: Path) -> None:
    """R's lme4 agrees within its own tolerance, and has no higher likelihood."""
    outcome, x, factors = crossed(1500)
    with (tmp_path / "rows.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["y", "x", *factors])
        writer.writerows(zip(outcome, x, *factors.values(), strict=True))
    (tmp_path / "fit.R").write_text(LME4)
    ran = subprocess.run(
        ["Rscript", "fit.R", "rows.csv"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    if "there is no package" in ran.stderr:
        pytest.skip("lme4 is not here")
    theirs = json.loads(ran.stdout)
    found = answer(mixed_logit(outcome, {"x": x}, factors))
    assert [term.coef for term in found.terms] == pytest.approx(theirs[:2], abs=2e-3)
    assert [term.se for term in found.terms] == pytest.approx(theirs[2:4], rel=0.02)
    by_size = sorted(found.intercepts.values(), key=lambda factor: -factor.levels)
    assert [factor.sd for factor in by_size] == pytest.approx(theirs[4:7], abs=2e-3)
    assert theirs[7] - 1e-3 < found.loglik < theirs[7] + 0.05


def test_singular_is_said_and_is_a_logit() -> None:
    """Where levels differ less than chance would make them the sd is 0, said, and the rest is a logit's."""
    x = [0, 1, 2, 3] * 10
    y = [int(at % 7 in (1, 3, 5) or at % 4 == 3) for at in range(40)]
    groups = [sum(y[: at + 1]) % 2 for at in range(40)]
    found = answer(mixed_logit(y, {"x": x}, {"half": [0] * 20 + [1] * 20, "parity": groups}))
    plain = logit(y, {"x": x})
    assert isinstance(plain, Logit)
    assert found.singular == ("half" in found.note or "parity" in found.note)
    assert found.singular and found.note.startswith("singular: the standard deviation of")
    if all(factor.singular for factor in found.intercepts.values()):
        assert [t.coef for t in found.terms] == pytest.approx([t.coef for t in plain.terms], abs=1e-6)
        assert [t.se for t in found.terms] == pytest.approx([t.se for t in plain.terms], rel=1e-4)


def test_modes_and_shares() -> None:
    """Herds above the average have positive modes, shrunk; the share follows from the sd."""
    herd = fitted().intercepts["herd"]
    assert herd.share == pytest.approx(herd.sd**2 / (herd.sd**2 + math.pi**2 / 3))
    assert herd.levels == len(herd.modes) == 15
    assert max(herd.modes, key=lambda name: herd.modes[name]) == 14  # 11 cases among 26 animals


def test_slopes_are_covered() -> None:
    """Of 60 made-up samples at least 54 intervals hold the true slope, and errors are of its spread."""
    held, errors, slopes = 0, [], []
    for seed in range(60):
        outcome, x, factors = crossed(400, seed)
        found = mixed_logit(outcome, {"x": x}, factors)
        slope = answer(found).terms[1]
        held += slope.coef_low <= 0.8 <= slope.coef_high
        errors.append(slope.se)
        slopes.append(slope.coef)
    assert held >= 54
    assert 0.7 < np.mean(errors) / np.std(slopes) < 1.4


@pytest.mark.parametrize(
    ("outcome", "factors", "why"),
    [
        ([0, 1, 0, 1], {"g": "aaaa"}, "factor 'g' has one level only"),
        ([0, 1, 0, 1], {"g": "abcd"}, "a level for each 0 or 1"),
        ([0, 1, 0, 1], {"g": "aabb", "h": "ccdd"}, "factors 'g' and 'h' group the rows alike"),
        ([0, 0, 1, 1], {"g": "abab"}, "complete separation"),
        ([1, 1, 1, 1], {"g": "abab"}, "all outcomes are 1"),
    ],
)
def test_undefined(outcome: list[int], factors: dict[str, str], why: str) -> None:
    """What cannot be told is said before any fit."""
    found = mixed_logit(outcome, {"x": [1, 2, 3, 4]}, factors)
    assert isinstance(found, Undefined)
    assert why in found.reason


def test_quadrature_takes_one_factor() -> None:
    """Several points over two factors are undefined, not silently Laplace."""
    found = mixed_logit([0, 1, 0, 1], {"x": [1, 2, 4, 3]}, {"g": "aabb", "h": "abab"}, points=7)
    assert found == Undefined("quadrature with 7 points takes one factor, not 2")


def test_refused() -> None:
    """Successes beyond trials, no factor, no points, labels for other rows, and a predictor named const."""
    with pytest.raises(InputError, match=r"row 1: 3\.0 successes of 2\.0 trials"):
        mixed_logit([3, 1], {"x": [1, 2]}, {"g": "ab"}, trials=[2, 2])
    with pytest.raises(InputError, match="give 1 point or more, and a factor"):
        mixed_logit([0, 1], {"x": [1, 2]}, {})
    with pytest.raises(InputError, match="give 1 point or more, and a factor"):
        mixed_logit([0, 1], {"x": [1, 2]}, {"g": "ab"}, points=0)
    with pytest.raises(InputError, match="3 cluster labels for 2 rows"):
        mixed_logit([0, 1], {"x": [1, 2]}, {"g": "abc"})
    with pytest.raises(InputError, match="is the intercept's name"):
        mixed_logit([0, 1], {"const": [1, 2]}, {"g": "ab"})
