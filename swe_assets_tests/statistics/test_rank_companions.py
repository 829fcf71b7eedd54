"""Rho's intervals, permutation p and partial correlation: clusters, ties, size, and what is undefined."""

import numpy as np
import pytest

from swe_assets.errors import InputError
from swe_assets.statistics import (
    Undefined,
    partial_spearman,
    spearman,
    spearman_interval,
    spearman_permutation,
)
from swe_assets.statistics.bootstrap import Bootstrap
from swe_assets_tests.statistics.numbers_found import answer, number, numbers_of

QUICK = Bootstrap(draws=400)


def test_interval_covers() -> None:
    """Of 150 samples with rho 0.483 (normal, r = 0.5) about 95 % of the BCa intervals hold it."""
    random, held = np.random.default_rng(4), 0
    for _ in range(150):
        x = random.normal(size=50)
        y = 0.5 * x + np.sqrt(0.75) * random.normal(size=50)
        found = numbers_of(spearman_interval({"x": x, "y": y}, how=QUICK)["x", "y"])
        held += found.low <= 6 / np.pi * np.arcsin(0.25) <= found.high
    assert 0.90 <= held / 150 <= 0.99


def test_copies_in_clusters_do_not_narrow() -> None:
    """Four copies of each row, drawn by cluster, have the interval of the rows; drawn singly half of it."""
    random = np.random.default_rng(2)
    x, y = random.normal(size=40), random.normal(size=40)
    rows = spearman_interval({"x": x, "y": y}, how=QUICK)["x", "y"]
    copies = {"x": np.repeat(x, 4), "y": np.repeat(y, 4)}
    clusters = spearman_interval(copies, clusters=np.repeat(np.arange(40), 4).tolist(), how=QUICK)["x", "y"]
    single = spearman_interval(copies, how=QUICK)["x", "y"]
    assert list(numbers_of(clusters)) == pytest.approx(list(numbers_of(rows)), abs=1e-9)
    assert number(answer(single).width) < 0.65 * number(answer(rows).width)


def test_perfect_relation_has_no_interval() -> None:
    """Where every draw's rho is 1 the interval would be a point, and is refused."""
    found = spearman_interval({"x": [1, 2, 3, 4], "y": [1, 2, 3, 4]}, how=QUICK)["x", "y"]
    assert isinstance(found, Undefined)


def test_constant_and_missing_columns() -> None:
    """Pairs of a constant column, or one with a missing value, say why; others keep theirs."""
    columns: dict[str, list[int | None]] = {
        "a": [1, 2, 3, 4, 5],
        "b": [2, 1, 4, 3, 5],
        "k": [0] * 5,
        "m": [1, None, 2, 3, 4],
    }
    found, tested = spearman_interval(columns, how=QUICK), spearman_permutation(columns, draws=50)
    assert found["a", "k"] == tested["a", "k"] == Undefined("column 'k' is constant")
    assert found["m", "a"] == tested["m", "a"] == Undefined("column 'm' has no value in row 2")
    assert numbers_of(found["a", "b"]).value == pytest.approx(0.8)


def test_permutation_near_t_and_beyond_it() -> None:
    """With many rows p is that of t; a relation that no draw reaches has the smallest p, not 0."""
    random = np.random.default_rng(1)
    x = random.normal(size=120)
    columns = {"x": x, "weak": 0.15 * x + random.normal(size=120), "same": x}
    found = spearman_permutation(columns, draws=4000)
    assert answer(found["x", "weak"]).p == pytest.approx(number(spearman(columns).p["x", "weak"]), abs=0.02)
    assert answer(found["x", "same"]).p == 1 / 4001


def test_permutation_of_heavy_ties_by_hand() -> None:
    """One event of five against increasing x: of five places the last and the first are as extreme."""
    found = answer(spearman_permutation({"y": [0, 0, 0, 0, 1], "x": [1, 2, 3, 4, 5]})["y", "x"])
    assert (found.p, found.exact) == (pytest.approx(0.4), True)


def test_size_explains_a_relation() -> None:
    """Two measures that both follow size correlate strongly, and hardly given size."""
    random = np.random.default_rng(3)
    size = random.lognormal(5, 1, 400)
    columns = {name: size * random.lognormal(0, 0.4, 400) for name in ("complexity", "violations")}
    plain, held = spearman(columns), partial_spearman({**columns, "ncloc": size}, ["ncloc"])
    pair = ("complexity", "violations")
    assert number(plain.rho[pair]) > 0.7
    assert abs(number(held.rho[pair])) < 0.15
    assert held.names == pair


def test_partial_undefined() -> None:
    """A column that the given one determines has nothing left, and a constant given one holds nothing."""
    columns = {"a": [1, 2, 3, 4, 5], "b": [1, 3, 2, 5, 4], "twice": [2, 4, 6, 8, 10], "k": [1] * 5}
    found = partial_spearman(columns, ["twice"])
    assert found.rho["a", "b"] == Undefined("column 'a' is determined by the given ones")
    assert partial_spearman(columns, ["k"]).rho["a", "b"] == Undefined("column 'k' is constant")


def test_refused() -> None:
    """A given name that is no column, and no draws, are errors."""
    with pytest.raises(InputError, match=r"given \['size'\]"):
        partial_spearman({"a": [1, 2], "b": [2, 1]}, ["size"])
    with pytest.raises(InputError, match="draws 0"):
        spearman_permutation({"a": [1, 2], "b": [2, 1]}, draws=0)
