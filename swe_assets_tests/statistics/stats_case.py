"""How one line of the statistics cases is checked: numbers where they are due, a typed refusal elsewhere."""

import math
import re
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from swe_assets.errors import InputError, MatrixError
from swe_assets.patch_quality.analysis.joining import Joined, inner_join
from swe_assets.patch_quality.analysis.matrix import METRICS, Matrix, matrix_of
from swe_assets.patch_quality.analysis.table import read_table
from swe_assets.statistics import (
    Undefined,
    detect_separation,
    epv,
    firth_logit,
    log1p,
    logit,
    shapiro_wilk,
    spearman,
    vif,
)
from swe_assets.statistics.firth import Firth
from swe_assets.statistics.logistic import Logit, NoLogit
from swe_assets.statistics.normality import Normality
from swe_assets.statistics.sample_size import EventsPerVariable
from swe_assets.statistics.separation import Separation

RELATIVE, INTERVALS, NEAR_ZERO = 1e-6, 1e-4, 1e-7
OBSTACLES = {
    "constant predictor": ("constant pred", "constant col"),
    "constant outcome": ("one class", "constant outcome", "single class"),
    "complete separation": ("complete", "perfect", "separat"),
    "quasi-complete separation": ("quasi", "separat"),
    "collinear predictors": ("collinear", "singular", "rank"),
    "too few rows": ("few", "rows", "collinear", "rank"),
    "not converged": ("converge",),
}


def check_stats_case(case: Mapping[str, Any]) -> None:
    """Check one case of kind stats; raises AssertionError where it does not hold."""
    given, expected = case["input"], case["expected"]
    if "op" not in given:
        pytest.skip("a case of the blind benchmark")
    CHECKS[given["op"]](given, expected)


def agree(found: object, wanted: object, where: str, relative: float = RELATIVE) -> None:
    """Check a number against the wanted one: NaN wants our typed undefined, infinity one that says so."""
    number = float(wanted)  # type: ignore[arg-type] # text such as NaN and Infinity casts as well
    if math.isnan(number):
        assert isinstance(found, Undefined), f"{where}: {found!r} is not undefined"
    elif math.isinf(number):
        assert found == number or (isinstance(found, Undefined) and found.infinite), f"{where}: {found!r}"
    else:
        assert not isinstance(found, Undefined), f"{where}: {found!r}, wanted {number!r}"
        assert found == pytest.approx(
            number, rel=relative, abs=NEAR_ZERO if abs(number) < NEAR_ZERO else 0
        ), where


def refuses(call: Callable[[], object], *names: str) -> str:
    """Check that a call has no numbers to give, and that it names what the case names; return its reason."""
    try:
        answer = call()
    except InputError as wrong:
        reason = str(wrong)
    else:
        assert isinstance(answer, Undefined), f"{answer!r} is neither undefined nor an error"
        reason = answer.reason
    for name in names:
        assert name in reason, f"{name!r} is not named in {reason!r}"
    return reason


def _spearman(given: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    if "outcome" in expected and "rho" not in expected:
        refuses(lambda: spearman(given["columns"]))
        return
    found = spearman(given["columns"])
    wanted = expected.get("int64", expected)  # integers are ranked as integers
    for statistic in ("rho", "p"):
        for pair, value in wanted.get(statistic, {}).items():
            a, b = pair.split("~")
            agree(getattr(found, statistic)[a, b], value, f"{statistic} {pair}")
            agree(getattr(found, statistic)[b, a], value, f"{statistic} {b}~{a}")


def _sample(given: Mapping[str, Any]) -> Any:
    """Return the case's own values, or those that its generator draws."""
    if "generator" not in given:
        return given["x"]
    parts = re.fullmatch(r"numpy\.random\.RandomState\((\d+)\)\.([a-z_]+)\(size=(\d+)\)", given["generator"])
    assert parts is not None, given["generator"]
    draw = getattr(np.random.RandomState(int(parts[1])), parts[2])
    return draw(size=int(parts[3]))


def _shapiro(given: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    values = _sample(given)
    if "W" not in expected:
        refuses(lambda: shapiro_wilk(values))
        return
    found = shapiro_wilk(values)
    if not isinstance(found, Normality):
        agree(found, expected["W"], "W")
        return
    agree(found.w, expected["W"], "W")
    agree(found.p, expected["p"], "p")
    assert found.n == len(values)
    assert ("not accurate" in found.note) == (found.n > 5000)


def _vif(given: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    found = vif(given["columns"])
    wanted = expected.get("vif") or {name: expected[name] for name in given["columns"] if name in expected}
    if not wanted:
        assert any(isinstance(value, Undefined) for value in found.values()), found
        return
    for name, value in wanted.items():
        if name in found:
            agree(found[name], value, f"vif {name}")


def _logit(given: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    def fit() -> Logit | NoLogit:
        return logit(given["y"], given["columns"])

    if "coef" not in expected:
        try:
            answer = fit()
        except InputError as wrong:
            assert "row" in str(wrong) or "constant" in str(wrong)
            return
        assert isinstance(answer, NoLogit), answer
        _same_obstacle(answer, str(expected.get("outcome", "")))
        return
    found = fit()
    assert isinstance(found, Logit), found
    _same_terms(found, expected)
    for name, value in (("llf", found.llf), ("llnull", found.llnull), ("prsquared", found.mcfadden)):
        if name in expected:
            agree(value, expected[name], name)
    if "epv" in expected:
        ratio = epv(given["y"], len(given["columns"]))
        assert isinstance(ratio, EventsPerVariable)
        agree(ratio.value, expected["epv"], "epv")


def _same_obstacle(answer: NoLogit, outcome: str) -> None:
    words = OBSTACLES[answer.obstacle]
    known = any(word in outcome.lower() for group in OBSTACLES.values() for word in group)
    assert not known or any(word in outcome.lower() for word in words), f"{answer!r}, wanted {outcome!r}"


def _same_terms(found: Logit, expected: Mapping[str, Any]) -> None:
    assert expected.get("converged", True)
    assert {term.name for term in found.terms} == set(expected["coef"])
    for term in found.terms:
        for name in ("coef", "se", "p", "odds_ratio"):
            if name in expected:
                agree(getattr(term, name), expected[name][term.name], f"{name} {term.name}")
        if "ci" in expected:
            low, high = expected["ci"][term.name]
            agree(term.coef_low, low, f"ci {term.name}")
            agree(term.coef_high, high, f"ci {term.name}")


def _epv(given: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    found = epv(given["y"], given["predictors"])
    if not isinstance(found, EventsPerVariable):
        assert math.isnan(float(expected.get("epv", "nan")))
        return
    assert found.events == expected["events"]
    agree(found.value, expected["epv"], "epv")
    if "level" in expected:
        assert (expected["level"] == "too few") != (found.level == "enough")


def _firth(given: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    if "coef" not in expected:
        refuses(lambda: firth_logit(given["y"], given["columns"]))
        return
    found = firth_logit(given["y"], given["columns"])
    assert isinstance(found, Firth), found
    agree(found.penalised_loglik, expected["penalised_loglik"], "penalised_loglik")
    assert bool(found.note) == (len(set(given["y"])) == 1)
    for term in found.terms:
        for name in ("coef", "se", "lr_p"):
            agree(getattr(term, name), expected[name][term.name], f"{name} {term.name}")
        low, high = expected["profile_ci"][term.name]
        agree(term.ci_low, low, f"low {term.name}", INTERVALS)
        agree(term.ci_high, high, f"high {term.name}", INTERVALS)


def _separation(given: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    found = detect_separation(given["y"], given["columns"])
    assert isinstance(found, Separation), found
    assert found.kind == expected["kind"]


def _join(given: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    def joined() -> Joined:
        return inner_join({side: [(row[0], row[1:]) for row in given[side]] for side in ("left", "right")})

    if expected.get("outcome") == "error":
        with pytest.raises(MatrixError) as wrong:
            joined()
        assert all(name in str(wrong.value) for name in expected.get("names", []))
        return
    rows = [[key, *(x for part in parts for x in part)] for key, parts in joined().rows.items()]
    assert expected.get("rows", rows) in (len(rows), rows)
    assert expected.get("ids", [row[0] for row in rows]) == [row[0] for row in rows]


def _load(given: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "matrix.csv"
        path.write_bytes(given["csv"].encode())
        if expected.get("outcome") == "error":
            with pytest.raises(MatrixError):
                _loaded(path)
            return
        matrix = _loaded(path)
    assert list(matrix.ids) == expected.get("ids", list(matrix.ids))
    for name in set(expected) & set(METRICS):
        assert list(matrix.columns[name]) == pytest.approx(expected[name])


def _loaded(path: Path) -> Matrix:
    """Return a file as a matrix; metrics that a short case leaves out are 1."""
    frame = read_table(path)
    return matrix_of(frame.assign(**{name: 1 for name in METRICS if name not in frame.columns}))


def _transform(given: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    for row, (found, wanted) in enumerate(zip(log1p(given["x"]), expected["log1p"], strict=True)):
        agree(found, wanted, f"row {row}")


CHECKS: Mapping[str, Callable[[Mapping[str, Any], Mapping[str, Any]], None]] = {
    "spearman": _spearman,
    "shapiro": _shapiro,
    "vif": _vif,
    "logit": _logit,
    "epv": _epv,
    "firth": _firth,
    "separation": _separation,
    "join": _join,
    "load": _load,
    "transform": _transform,
}
