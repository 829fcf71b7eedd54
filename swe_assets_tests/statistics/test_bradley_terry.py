"""Bradley-Terry strengths: closed forms, published scores, ties, and games that tell nothing."""

import csv
import math

import numpy as np
import pytest
from scipy.optimize import minimize

from swe_assets.errors import InputError
from swe_assets.statistics import Undefined, bradley_terry, bradley_terry_interval
from swe_assets.statistics.bootstrap import Bootstrap
from swe_assets.statistics.bradley_terry import BradleyTerry
from swe_assets.statistics.connectedness import Unranked, all_connected
from swe_assets.statistics.rating_bootstrap import Battle, Ratings
from swe_assets_tests.shared_data import shared
from swe_assets_tests.statistics.numbers_found import answer, number, numbers_of


def test_two_competitors() -> None:
    """Three wins of four are odds of 3: 400 log10 3 Elo points; the error is that of a log odds, halved."""
    found = bradley_terry([("a", "b", 30), ("b", "a", 10)])
    assert isinstance(found, BradleyTerry)
    assert found.elo()["a"] - found.elo()["b"] == pytest.approx(400 * math.log10(3))
    assert found.se["a"] == pytest.approx(math.sqrt(1 / 30 + 1 / 10) / 2)
    assert found.chance("a", "b") == pytest.approx(0.75)


def test_published_scores_of_8931_votes() -> None:
    """Human votes on 59 models give the scores published with them, ties as half wins."""
    with shared("data", "blind", "llmfao_pairs.csv").open(encoding="utf-8") as lines:
        votes = [(row["left"], row["right"], row["winner"]) for row in csv.DictReader(lines)]
    wins = [(a, b, 1) if won == "left" else (b, a, 1) for a, b, won in votes if won != "tie"]
    found = answer(bradley_terry(wins, [(a, b, 1) for a, b, won in votes if won == "tie"]))
    with shared("data", "blind", "llmfao_golden_scores.csv").open(encoding="utf-8") as lines:
        rows = [row for row in csv.DictReader(lines) if row["algorithm"] == "bradley_terry"]
    published = np.log([float(row["score"]) for row in rows])
    ours = np.array([found.strengths[row["item"]] for row in rows])
    assert ours == pytest.approx(published - published.mean(), abs=1e-8)


def test_davidson_of_two_by_hand() -> None:
    """With 4 wins, 4 ties and 1 loss: strengths ln(4)/2 apart from 0, and v = 4 / sqrt(4 * 1) = 2."""
    found = answer(bradley_terry([("a", "b", 4), ("b", "a", 1)], [("a", "b", 4)], tie_model="davidson"))
    assert found.strengths["a"] == pytest.approx(math.log(4) / 2)
    assert number(found.log_tie) == pytest.approx(math.log(2))
    assert found.loglik == pytest.approx(8 * math.log(4 / 9) + math.log(1 / 9))


def test_davidson_is_the_maximum() -> None:
    """A general optimiser of Davidson's likelihood, written down anew, ends in the same place."""
    wins, ties = [("a", "b", 5), ("b", "c", 4), ("c", "a", 2)], [("a", "b", 3), ("b", "c", 2), ("a", "c", 4)]

    def loss(at: np.ndarray) -> float:
        s, v = dict(zip("abc", (at[0], at[1], -at[0] - at[1]), strict=True)), math.exp(at[2])
        weights = {
            (a, b): (math.exp(s[a]), v * math.exp((s[a] + s[b]) / 2), math.exp(s[b])) for a in s for b in s
        }
        log = {pair: [math.log(w / sum(three)) for w in three] for pair, three in weights.items()}
        return -sum(c * log[a, b][0] for a, b, c in wins) - sum(c * log[a, b][1] for a, b, c in ties)

    reference = minimize(loss, np.zeros(3), tol=1e-12).x
    found = answer(bradley_terry(wins, ties, tie_model="davidson"))
    assert [found.strengths["a"], found.strengths["b"], found.log_tie] == pytest.approx(reference, abs=1e-4)


def test_disconnected_and_one_sided() -> None:
    """Groups that never met, and one that never lost, are named, the strongest first."""
    apart = bradley_terry([("a", "b", 1), ("b", "a", 1), ("c", "d", 1)])
    assert isinstance(apart, Unranked)
    assert (apart.flag, apart.components) == ("disconnected", (("a", "b"), ("c", "d")))
    chain = bradley_terry([("c", "a", 1), ("b", "c", 1)])
    assert isinstance(chain, Unranked)
    assert (chain.flag, chain.components) == ("one-sided", (("b",), ("c",), ("a",)))


def test_tie_connects() -> None:
    """A tie is half a win of both: with it nobody is unbeaten."""
    assert isinstance(bradley_terry([("a", "b", 5)], [("a", "b", 1)]), BradleyTerry)


def test_unusable_games() -> None:
    """A competitor against itself, a negative count and a negative prior are errors; one name is too few."""
    for game in (("a", "a", 1), ("a", "b", -1), ("a", "b", math.inf)):
        with pytest.raises(InputError, match="give two names and a count from 0"):
            bradley_terry([game])
    with pytest.raises(InputError, match="prior -1"):
        bradley_terry([("a", "b", 1)], prior=-1)
    with pytest.raises(InputError, match="winner 'x'"):
        bradley_terry_interval([("a", "b", "x", 1)])  # type: ignore[list-item] # the point
    assert bradley_terry([]) == Undefined("0 competitor(s), at least 2 are needed")


def test_all_connected_beside_scipy() -> None:
    """Tables of a ring, a chain and two pairs: only the ring is strongly connected."""
    ring, chain, pairs = np.roll(np.eye(4), 1, axis=1), np.eye(4, k=1), np.kron(np.eye(2), np.ones((2, 2)))
    assert all_connected(np.array([ring, chain, pairs])).tolist() == [True, False, False]


def test_intervals_narrow_with_items() -> None:
    """Twenty games about one item are one item; 60 items of one game each say far more than 3 of twenty."""
    battles: list[Battle] = [("x", "y", "b" if at % 3 == 0 else "a", at) for at in range(60)]
    few: list[Battle] = [(a, b, won, at % 20 // 5) for at, (a, b, won, _) in enumerate(battles)]
    how = Bootstrap(method="percentile", draws=400)
    wide, narrow = bradley_terry_interval(few, how=how), bradley_terry_interval(battles, how=how)
    assert isinstance(wide, Ratings) and isinstance(narrow, Ratings)
    assert (wide.units, narrow.units) == (4, 60)
    interval = numbers_of(narrow.intervals["x"])
    assert interval.low < math.log(2) / 2 < interval.high
    assert answer(narrow.ranks)["x"].rank == 1


def test_draws_that_do_not_connect() -> None:
    """Where one game alone connects two groups many draws lack it: undefined, and with a prior not."""
    battles: list[Battle] = [("x", "y", "a" if at else "b", at) for at in range(9)]
    how = Bootstrap(method="percentile", draws=300)
    bare, prior = (
        bradley_terry_interval(battles, how=how),
        bradley_terry_interval(battles, prior=0.5, how=how),
    )
    assert isinstance(answer(bare).intervals["x"], Undefined) and isinstance(answer(bare).ranks, Undefined)
    assert numbers_of(answer(prior).intervals["x"]).low > 0
