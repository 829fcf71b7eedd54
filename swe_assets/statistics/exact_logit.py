"""Exact conditional logistic regression, for tables too small for any approximation."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from operator import add
from typing import TYPE_CHECKING, ClassVar

from swe_assets.statistics.design import Design, design
from swe_assets.statistics.estimate import quantile_of
from swe_assets.statistics.undefined import Undefined, Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

LARGEST = 200_000  # distinct values of the sufficient statistics


@dataclass(frozen=True)
class ExactTerm:
    """One coefficient given the others' sufficient statistics: estimate, exact interval and p.

    ``estimate`` is the conditional maximum; where that is infinite, ``median_unbiased`` still is finite.
    """

    name: str
    estimate: Value
    median_unbiased: Value
    low: Value
    high: Value
    p: Value


@dataclass(frozen=True)
class ExactLogit:
    """The exact conditional results of every predictor; the intercept is conditioned on."""

    n: int
    terms: tuple[ExactTerm, ...]
    confidence: float
    defined: ClassVar[bool] = True


def exact_logit(
    outcome: Iterable[object],
    predictors: Mapping[str, Iterable[object]],
    *,
    confidence: float = 0.95,
) -> ExactLogit | Undefined:
    """Return exact conditional inference for each coefficient of a small logit.

    Formula: given the sums of y and of y x_k for the other predictors k, t = sum y x_j has P(t) in
    proportion to c(t) exp(b t), c(t) the number of outcomes with those sums. Estimate: E(t) = t observed;
    interval: b with P(T >= t) or P(T <= t) = (1 - c)/2; p: the chance, at b = 0, of all t no likelier than
    the observed. For a 2 x 2 table that is Fisher's exact test.
    Reading: valid for any sample size, at the price of wide intervals; a b in log odds.
    Undefined: more than 200,000 values of the sums (the sample is not tiny: take ``firth_logit``); a term
    whose sum can take one value only; an estimate or bound that is infinite (``infinite``).
    Raises InputError as ``design`` does.
    Reference: D. R. Cox, E. J. Snell (1989), Analysis of binary data; C. R. Mehta, N. R. Patel (1995),
    doi:10.1002/sim.4780141908.

    >>> found = exact_logit([1, 1, 1, 0, 0, 0, 0, 1], {"g": [1, 1, 1, 1, 0, 0, 0, 0]}).terms[0]
    >>> round(found.p, 6), round(math.exp(found.estimate), 4)  # Fisher's exact test of 3/4 against 1/4
    (0.485714, 6.4083)
    """
    quantile_of(confidence)
    data = design(outcome, predictors)
    rows, scales = _rows(data)
    counts = _counts(rows, data.events)
    if counts is None:
        return Undefined(f"more than {LARGEST} values of the sufficient statistics: not a tiny table")
    ones = [row for row, y in zip(rows, data.outcome.tolist(), strict=True) if y == 1]
    seen = tuple(map(sum, zip(*ones, strict=True))) if ones else (0,) * len(data.terms)
    tail = (1 - confidence) / 2
    terms = [_term(data.terms[j], counts, seen, j, tail, scales[j]) for j in range(1, len(data.terms))]
    return ExactLogit(data.n, tuple(terms), confidence)


Sums = tuple[int, ...]


def _rows(data: Design) -> tuple[list[Sums], list[int]]:
    """Return the rows of the design as whole numbers, and what each column was multiplied by for that."""
    columns, scales = [], []
    for column in data.matrix.T.tolist():
        exact = [Fraction(repr(value)) for value in column]
        scale = math.lcm(*(value.denominator for value in exact))
        columns.append([int(value * scale) for value in exact])
        scales.append(scale)
    return list(zip(*columns, strict=True)), scales


def _counts(rows: list[Sums], events: int) -> dict[Sums, int] | None:
    """Return how many outcomes of at most so many events have each sums; None where there are too many.

    Equal rows are taken together: so many ways to choose how many of them are 1.
    """
    from collections import Counter

    counts: dict[Sums, int] = {(0,) * len(rows[0]): 1}
    for row, times in Counter(rows).items():
        grown: dict[Sums, int] = {}
        for chosen in range(times + 1):
            ways, moved = math.comb(times, chosen), tuple(chosen * each for each in row)
            for sums, count in counts.items():
                if sums[0] + chosen > events:
                    continue
                key = tuple(map(add, sums, moved))
                grown[key] = grown.get(key, 0) + count * ways
            if len(grown) > LARGEST:
                return None
        counts = grown
    return counts


def _term(name: str, counts: dict[Sums, int], seen: Sums, j: int, tail: float, scale: float) -> ExactTerm:
    """Return one predictor's exact results; its sums are ``scale`` times the predictor's own."""
    import numpy as np

    others = [k for k in range(len(seen)) if k != j]
    line = sorted((sums[j], c) for sums, c in counts.items() if all(sums[k] == seen[k] for k in others))
    if len(line) == 1:
        why = Undefined(f"given the others, the sum of {name!r} can only be what it is")
        return ExactTerm(name, why, why, why, why, why)
    whole = sum(count for _, count in line)
    at = next(place for place, (value, _) in enumerate(line) if value == seen[j])
    values = np.array([(value - line[at][0]) / scale for value, _ in line])
    logs = np.array([math.log(count) for _, count in line])
    p = float(Fraction(sum(count for _, count in line if count <= line[at][1]), whole))
    first, last = at == 0, at == len(line) - 1
    estimate = _infinite(first=first, last=last) or _root(lambda b: _mean(values, logs, b), values)
    low = _infinite(first=first) or _root(lambda b: _tail(values >= 0, values, logs, b) - tail, values)
    high = _infinite(last=last) or _root(lambda b: tail - _tail(values <= 0, values, logs, b), values)
    return ExactTerm(name, estimate, _median(values, logs, first=first, last=last), low, high, p)


def _median(values: "Array", logs: "Array", *, first: bool, last: bool) -> Value:
    """Return the b at which the observed sum is the median; at an end, where its own chance is 1/2."""
    if last:
        return _root(lambda b: _tail(values >= 0, values, logs, b) - 0.5, values)
    if first:
        return _root(lambda b: 0.5 - _tail(values <= 0, values, logs, b), values)
    above = _root(lambda b: _tail(values >= 0, values, logs, b) - 0.5, values)
    below = _root(lambda b: 0.5 - _tail(values <= 0, values, logs, b), values)
    return (above + below) / 2


def _infinite(*, first: bool = False, last: bool = False) -> Undefined | None:
    """Return that a bound is infinite where the observed sum is the least or the most possible."""
    if first or last:
        return Undefined(f"infinite: the sum is the {'most' if last else 'least'} possible", infinite=True)
    return None


def _chances(values: "Array", logs: "Array", b: float) -> "Array":
    """Return the chance of each sum at b."""
    from scipy.special import softmax

    return softmax(logs + b * values)


def _mean(values: "Array", logs: "Array", b: float) -> float:
    """Return the expected sum less the observed one at b."""
    return float(_chances(values, logs, b) @ values)


def _tail(part: "NDArray[np.bool_]", values: "Array", logs: "Array", b: float) -> float:
    """Return the chance of a part of the sums at b."""
    return float(_chances(values, logs, b)[part].sum())


def _root(rising: "Callable[[float], float]", values: "Array") -> float:
    """Return where a rising function of b is 0."""
    import numpy as np
    from scipy.optimize import brentq

    reach = 1.0 / float(np.abs(values[values != 0]).min())
    low, high = -reach, reach
    while rising(low) > 0:
        low *= 2
    while rising(high) < 0:
        high *= 2
    return float(brentq(rising, low, high, xtol=1e-12, rtol=1e-13))
