"""Power: textbook values, simulation, and samples that show nothing."""

import numpy as np
import pytest

from swe_assets.errors import InputError
from swe_assets.statistics import (
    Undefined,
    detectable_odds_ratio,
    detectable_paired_difference,
    detectable_rate_difference,
    detectable_rho,
    logit,
    mcnemar_exact,
)
from swe_assets.statistics.logistic import Logit
from swe_assets_tests.statistics.numbers_found import answer, number


def test_textbook_sample_size() -> None:
    """Fleiss: 0.25 against 0.40 at power 0.8 takes 152 of each; so 152 of each detect a rise of 0.15."""
    assert detectable_rate_difference(152, 152, 0.25) == pytest.approx(0.15, abs=5e-4)


def test_odds_ratio_is_found_so_often() -> None:
    """Of 150 samples with the detectable odds ratio about 80 % have p below 0.05."""
    random, found = np.random.default_rng(2), 0
    slope = np.log(number(detectable_odds_ratio(400, 0.5)))
    for _ in range(150):
        x = random.normal(size=400)
        fit = logit((random.random(400) < 1 / (1 + np.exp(-slope * x))).astype(int), {"x": x})
        assert isinstance(fit, Logit)
        found += fit.terms[1].p < 0.05
    assert 0.70 <= found / 150 <= 0.90


def test_paired_difference_is_found_so_often() -> None:
    """Of 400 samples with the detectable difference most are significant by the exact test."""
    gap = number(detectable_paired_difference(300, 0.2))
    cells = np.random.default_rng(3).multinomial(300, (0.5, 0.1 + gap / 2, 0.1 - gap / 2, 0.3), size=400)
    found = sum(answer(mcnemar_exact(*row)).p < 0.05 for row in cells.tolist())
    assert 0.70 <= found / 400 <= 0.86


def test_undefined() -> None:
    """Samples too small or rates without room say so."""
    assert isinstance(detectable_rate_difference(5, 5, 0.9), Undefined)
    assert isinstance(detectable_rate_difference(1, 50, 0.5), Undefined)
    assert isinstance(detectable_rate_difference(50, 50, 1), Undefined)
    assert isinstance(detectable_paired_difference(10, 0.1), Undefined)
    assert detectable_rho(3) == Undefined("3 rows, at least 4 are needed")
    assert detectable_odds_ratio(50, 0) == Undefined("50 rows at a rate of 0")


def test_refused() -> None:
    """Shares outside 0 to 1, a power below one half and a vif below 1 are errors."""
    with pytest.raises(InputError, match="rate 50"):
        detectable_rate_difference(50, 50, 50)
    with pytest.raises(InputError, match="power 80"):
        detectable_rho(50, power=80)
    with pytest.raises(InputError, match=r"vif 0\.5"):
        detectable_odds_ratio(50, 0.5, vif=0.5)
