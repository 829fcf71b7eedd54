"""Bradley-Terry strengths with intervals and ranks, drawing the items that were judged."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from swe_assets.errors import InputError
from swe_assets.statistics.bootstrap import UNDEFINED_DRAWS, Bootstrap, interval_of
from swe_assets.statistics.bradley_terry import BradleyTerry, bradley_terry
from swe_assets.statistics.connectedness import Unranked, all_connected
from swe_assets.statistics.estimate import Estimate
from swe_assets.statistics.rank_intervals import RankInterval, ranks_of
from swe_assets.statistics.resampling import resamples
from swe_assets.statistics.undefined import Undefined

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

Battle = tuple[str, str, Literal["a", "b", "tie"], Hashable]
"""Competitor a, competitor b, which of them won, and the unit (item) that was judged."""

_CELLS = 1_000_000
_STEPS = 60


@dataclass(frozen=True)
class Ratings:
    """The fit of all games, and for each competitor the interval of its log strength and of its rank."""

    fit: BradleyTerry
    intervals: Mapping[str, Estimate | Undefined]
    ranks: Mapping[str, RankInterval] | Undefined
    units: int
    defined: ClassVar[bool] = True


def bradley_terry_interval(
    battles: Iterable[Battle], *, prior: float = 0.0, how: Bootstrap | None = None
) -> Ratings | Unranked | Undefined:
    """Return log strengths (mean zero) with bootstrap intervals and rank intervals, drawing whole units.

    Formula: ``bradley_terry`` of each draw of units, all games of a unit together, ties as half wins; the
    percentile interval of each log strength, and ranks as in ``rank_intervals``.
    Reading: games about the same item are not independent; drawing items says so. On the Elo scale
    multiply by 400 / ln(10).
    Undefined: as ``bradley_terry``; an interval, and all ranks, where more than 5 % of the draws do not
    connect all competitors (a prior prevents that).
    Raises InputError as ``bradley_terry`` does, and for a winner other than a, b and tie.
    Reference: B. Efron (1979), doi:10.1214/aos/1176344552; D. R. Hunter (2004),
    doi:10.1214/aos/1079120141.

    >>> battles = [("x", "y", "a" if i % 4 else "b", i) for i in range(60)]
    >>> found = bradley_terry_interval(battles)
    >>> round(found.intervals["x"].value, 6), round(found.intervals["x"].low, 2), found.ranks["y"].rank
    (0.549306, 0.27, 2)
    """
    import numpy as np

    how = how or Bootstrap(method="percentile")
    games = list(battles)
    for a, b, winner, _ in games:
        if winner not in ("a", "b", "tie"):
            raise InputError(f"game {a!r} against {b!r}: winner {winner!r} is none of 'a', 'b', 'tie'")
    wins = [(a, b, 1.0) if winner == "a" else (b, a, 1.0) for a, b, winner, _ in games if winner != "tie"]
    fit = bradley_terry(wins, [(a, b, 1.0) for a, b, winner, _ in games if winner == "tie"], prior=prior)
    if not isinstance(fit, BradleyTerry):
        return fit
    names = tuple(fit.strengths)
    per_unit, units = _per_unit(games, names)
    if units < 2:
        return Undefined(f"{units} unit(s) to draw from, at least 2 are needed")
    met = (per_unit.sum(axis=0).reshape(len(names), -1) > 0).astype(np.float64)
    pairs = prior * ((met + met.T) > 0)
    start = np.array(list(fit.strengths.values()))
    drawn = np.concatenate(
        [_strengths(block @ per_unit, pairs, start) for block in resamples(units, how.draws, how.seed)]
    )
    return _ratings(fit, drawn, units, how)


def _ratings(fit: BradleyTerry, drawn: "Array", units: int, how: Bootstrap) -> Ratings:
    """Return the intervals and ranks that drawn strengths give."""
    import numpy as np

    values = np.array(list(fit.strengths.values()))
    how = Bootstrap(method="percentile", draws=how.draws, seed=how.seed, confidence=how.confidence)
    intervals = {
        name: interval_of(float(values[j]), drawn[:, j], units, how, lambda: values)
        for j, name in enumerate(fit.strengths)
    }
    kept = drawn[np.isfinite(drawn).all(axis=1)]
    lost = len(drawn) - len(kept)
    ranks: Mapping[str, RankInterval] | Undefined
    if lost > UNDEFINED_DRAWS * len(drawn):
        ranks = Undefined(f"{lost} of {len(drawn)} draws do not connect all competitors; a prior would")
    else:
        ranks = ranks_of(tuple(fit.strengths), values, kept, how.confidence)
    return Ratings(fit, intervals, ranks, units)


def _per_unit(games: list[Battle], names: tuple[str, ...]) -> "tuple[Array, int]":
    """Return each unit's wins as a flat table (units, m * m), a tie as half a win of both."""
    import numpy as np

    place = {name: at for at, name in enumerate(names)}
    number: dict[Hashable, int] = {}
    for *_, unit in games:
        number.setdefault(unit, len(number))
    won = np.zeros((len(number), len(names), len(names)))
    for a, b, winner, unit in games:
        i, j, at = place[a], place[b], number[unit]
        won[at, i, j] += {"a": 1.0, "b": 0.0, "tie": 0.5}[winner]
        won[at, j, i] += {"a": 0.0, "b": 1.0, "tie": 0.5}[winner]
    return won.reshape(len(number), -1), len(number)


def _strengths(flat: "Array", prior: "Array", start: "Array") -> "Array":
    """Return the log strengths of each table of wins (draws, m * m), NaN where it does not connect all."""
    import numpy as np

    m = len(start)
    at_once = max(1, _CELLS // (m * m))
    found = np.full((len(flat), m), np.nan)
    for first in range(0, len(flat), at_once):
        won = flat[first : first + at_once].reshape(-1, m, m) + prior
        here = np.flatnonzero(all_connected(won))
        if len(here):
            found[first + here] = _newton(won[here], start)
    return found


def _newton(won: "Array", start: "Array") -> "Array":
    """Return the maxima of several connected tables at once; NaN where one does not converge."""
    import numpy as np
    from scipy.special import expit

    at = np.tile(start, (len(won), 1))
    played, total = won + won.transpose(0, 2, 1), won.sum(axis=2)
    going = np.arange(len(won))
    for _ in range(_STEPS):
        share = expit(at[going, :, None] - at[going, None, :])
        spread = played[going] * share * (1 - share)
        score = total[going] - (played[going] * share).sum(axis=2)
        information = 1.0 / len(start) - spread
        rows = np.arange(len(start))
        information[:, rows, rows] += spread.sum(axis=2)
        step = np.linalg.solve(information, score[:, :, None])[:, :, 0]
        step *= np.minimum(1.0, 1.0 / np.maximum(np.abs(step).max(axis=1, keepdims=True), 1e-300))
        at[going] += step
        going = going[np.abs(step).max(axis=1) > 1e-9]
        if not len(going):
            break
    at[going] = np.nan
    return np.asarray(at - at.mean(axis=1, keepdims=True), dtype=np.float64)
