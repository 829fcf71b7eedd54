"""A judge's scores of all items, corrected by a person's scores of some."""

from collections.abc import Iterable

from swe_assets.errors import InputError
from swe_assets.statistics.estimate import Estimate, quantile_of
from swe_assets.statistics.numeric import equal_length, finite_numbers
from swe_assets.statistics.undefined import Undefined


def prediction_powered_mean(
    human: Iterable[object],
    judge_on_same: Iterable[object],
    judge_on_rest: Iterable[object],
    *,
    weight: float | None = None,
    confidence: float = 0.95,
) -> Estimate | Undefined:
    """Return the mean that people would give to all items, from a judge of all and people for some.

    Formula: w mean(judge on rest) + mean(human - w judge on the same); variance w^2 var(judge on rest)/N +
    var(human - w judge)/n (variances over N and n); interval -+ z se. Without a weight w = cov(human,
    judge) / ((1 + n/N) var(judge)), which makes the variance least (the variance over all judged items).
    Reading: unbiased however wrong the judge is, and the more precise than people alone the better the
    judge agrees; weight 0 is people alone. ``note`` gives the weight and the judge's own mean.
    Undefined: fewer than 2 items of either kind; a judge who gives all the same score and no weight.
    Raises InputError for missing values, and where the human scores are not as many as the judge's on the
    same items.
    Reference: A. N. Angelopoulos et al. (2023), doi:10.1126/science.adi6000; PPI++ (2023),
    arXiv:2311.01453.

    >>> found = prediction_powered_mean([4, 3, 5, 2], [4.5, 3.5, 5, 3], [4, 4.5, 3, 5], weight=1)
    >>> found.value, found.note
    (3.625, 'weight 1 for the judge, whose mean on the rest is 4.125')
    """
    import numpy as np

    z = quantile_of(confidence)
    same = {"human": finite_numbers(human, name="human")}
    same["judge_on_same"] = finite_numbers(judge_on_same, name="judge_on_same")
    n, y, f = equal_length(same), *(np.array(column) for column in same.values())
    rest = np.array(finite_numbers(judge_on_rest, name="judge_on_rest"))
    if min(n, len(rest)) < 2:
        return Undefined(f"{n} items with a person's score and {len(rest)} without, at least 2 are needed")
    if weight is not None and not np.isfinite(weight):
        raise InputError(f"weight {weight!r}: give a number, or None for the best")
    spread = float(np.concatenate([f, rest]).var())
    if weight is None:
        if spread == 0:
            return Undefined("the judge gives all items the same score: give a weight")
        weight = float(np.cov(y, f, ddof=0)[0, 1]) / ((1 + n / len(rest)) * spread)
    value = weight * float(rest.mean()) + float((y - weight * f).mean())
    se = float(np.sqrt(weight**2 * rest.var() / len(rest) + (y - weight * f).var() / n))
    said = f"weight {weight:.6g} for the judge, whose mean on the rest is {rest.mean():.6g}"
    return Estimate(
        value=value, low=value - z * se, high=value + z * se, n=n + len(rest), se=se,
        method="prediction-powered", confidence=confidence, note=said,
    )  # fmt: skip
