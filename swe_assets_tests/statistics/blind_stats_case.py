"""How one line of the blind benchmark's statistics cases is checked, by what it asks for."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from swe_assets.statistics import (
    Undefined,
    benjamini_hochberg,
    bradley_terry,
    clopper_pearson_interval,
    clustered_mean,
    fleiss_kappa,
    krippendorff_alpha,
    mcnemar_exact,
    mean_interval,
    needs_adjudication,
    paired_difference,
    prediction_powered_mean,
    swapped_verdict,
    technical_tie,
    wilson_interval,
)
from swe_assets.statistics.agreement import LEVELS
from swe_assets.statistics.bradley_terry import BradleyTerry
from swe_assets.statistics.connectedness import Unranked
from swe_assets.statistics.estimate import Estimate
from swe_assets_tests.statistics.numbers_found import answer, numbers_of

Case = Mapping[str, Any]


def check_blind_stats_case(case: Case, others: Mapping[str, Case]) -> None:
    """Check one case of kind stats; ``others`` are the cases by id, for an input that names another."""
    given = dict(case["input"])
    for key, value in given.items():
        if isinstance(value, str) and value.startswith("as "):
            given[key] = others[value.removeprefix("as ")]["input"][key]
    CHECKS[given["what"]](given, case["expected"])


def near(found: object, wanted: object, expected: Case) -> None:
    """Check numbers against the wanted ones within the case's own tolerance."""
    assert found == pytest.approx(wanted, abs=expected.get("atol", 1e-9))


def _strengths(given: Case, expected: Case) -> None:
    names = {name for game in given["wins"] for name in game[:2]}
    found = answer(bradley_terry(given["wins"]))
    near(found.strengths, {name: expected[name] for name in names}, expected)


def _elo(given: Case, expected: Case) -> None:
    found = answer(bradley_terry(given["wins"])).elo()
    near(found, {name: expected[name] for name in found}, expected)


def _elo_gap(given: Case, expected: Case) -> None:
    rows = given["pairs_win_loss_tie"]
    wins = [game for a, b, won, lost, _ in rows for game in ((a, b, won), (b, a, lost))]
    found = answer(bradley_terry(wins, [(a, b, tied) for a, b, _, _, tied in rows])).elo()
    near(found[rows[0][0]] - found[rows[0][1]], expected["gap"], expected)


def _disconnected(given: Case, expected: Case) -> None:
    found = bradley_terry(given["wins"])
    assert isinstance(found, Unranked)
    assert found.flag == expected["flag"]
    assert [list(group) for group in found.components] == expected["components"]


def _rename(given: Case, expected: Case) -> None:
    assert expected["same_ratings_after_renaming"]
    new = {
        game[at]: other[at]
        for game, other in zip(given["wins"], given["renamed"], strict=True)
        for at in (0, 1)
    }
    for prior in (0.0, 0.5):
        found, other = (bradley_terry(given[key], prior=prior) for key in ("wins", "renamed"))
        if isinstance(found, Unranked):
            assert isinstance(other, Unranked)
            assert tuple(tuple(new[name] for name in group) for group in found.components) == other.components
        else:
            assert isinstance(found, BradleyTerry) and isinstance(other, BradleyTerry)
            assert {new[name]: value for name, value in found.strengths.items()} == other.strengths


def _alpha(given: Case, expected: Case) -> None:
    for level in LEVELS:
        found = krippendorff_alpha(given["raters_by_units"], level)
        if expected.get("flag") == "no_variance":
            assert isinstance(found, Undefined) and found.reason.startswith("no variance")
        elif level in expected:
            near(answer(found).value, expected[level], expected)


def _fleiss(given: Case, expected: Case) -> None:
    near(fleiss_kappa(given["raters_by_units"]), expected["kappa"], expected)


def _clustered(given: Case, expected: Case) -> None:
    names = ["mean", "naive_se", "cr0", "cr1"]
    found = answer(clustered_mean(given["scores"], given["cluster"]), *names)
    near(found, [expected[name] for name in names], expected)


def _paired(given: Case, expected: Case) -> None:
    found = answer(paired_difference(given["a"], given["b"]), "mean", "se", "p", "low", "high", "unpaired_se")
    wanted = [expected["mean"], expected["se"], expected["p_t"], *expected["ci95"], expected["unpaired_se"]]
    near(found, wanted, expected)


def _mcnemar(given: Case, expected: Case) -> None:
    counts = (given[key] for key in ("both_right", "only_a", "only_b", "both_wrong"))
    near(answer(mcnemar_exact(*counts)).p, expected["p"], expected)


def _benjamini_hochberg(given: Case, expected: Case) -> None:
    found = benjamini_hochberg(given["p"], alpha=0.05)
    near(list(found.adjusted), expected["adjusted"], expected)
    assert list(found.rejected) == expected["reject_005"]


def _proportion(given: Case, expected: Case) -> None:
    right, n = given["right"], given["n"]
    ways = {"wilson": wilson_interval, "clopper_pearson": clopper_pearson_interval}
    for name in set(ways) & set(expected):
        near(list(numbers_of(ways[name](right, n)))[1:], expected[name], expected)
    if "bootstrap_would_say" in expected:
        assert isinstance(mean_interval([1] * right + [0] * (n - right)), Undefined)


def _prediction_powered(given: Case, expected: Case) -> None:
    scores = (given[key] for key in ("human", "judge_on_same", "judge_on_rest"))
    found = prediction_powered_mean(*scores, weight=given["lambda"])
    near(list(numbers_of(found)), [expected["ppi"], *expected["ci95"]], expected)
    assert answer(found).note.endswith(f"{expected['judge_only']:.6g}")


def _swap(given: Case, expected: Case) -> None:
    shown = {"A": "first", "first shown": "first", "B": "second", "second shown": "second"}
    one, other = (shown.get(given[key].removesuffix(" better"), "tie") for key in ("order_AB", "order_BA"))
    verdict, consistent = swapped_verdict(one, other)  # type: ignore[arg-type] # the words of the table
    assert verdict == expected["verdict"]
    assert consistent == (expected.get("flag") != "position_inconsistent")


def _adjudication(given: Case, expected: Case) -> None:
    assert needs_adjudication(given["scores"], given["threshold"]) is expected["adjudicate"]


def _tie(given: Case, expected: Case) -> None:
    a, b = (
        Estimate(value=side["mean"], low=side["ci"][0], high=side["ci"][1], n=1, method="given")
        for side in (given["a"], given["b"])
    )
    assert technical_tie(a, b) is technical_tie(b, a) is expected["tie"]


CHECKS: Mapping[str, Callable[[Case, Case], None]] = {
    "bradley_terry_logstrength": _strengths,
    "elo_from_bt": _elo,
    "elo_gap": _elo_gap,
    "bradley_terry_disconnected": _disconnected,
    "bradley_terry_rename": _rename,
    "krippendorff_alpha": _alpha,
    "fleiss_kappa": _fleiss,
    "clustered_se": _clustered,
    "paired_difference": _paired,
    "mcnemar_exact": _mcnemar,
    "benjamini_hochberg": _benjamini_hochberg,
    "proportion_ci": _proportion,
    "prediction_powered_mean": _prediction_powered,
    "position_swap": _swap,
    "adjudication_threshold": _adjudication,
    "technical_tie_seed_rule": _tie,
}
