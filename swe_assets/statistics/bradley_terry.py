"""Bradley and Terry's strengths of competitors from games between pairs, with ties."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from swe_assets.errors import InputError
from swe_assets.statistics.connectedness import Unranked, unranked
from swe_assets.statistics.undefined import Undefined, Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

Ties = Literal["half", "davidson"]
Game = tuple[str, str, float]
_STEPS = 100


@dataclass(frozen=True)
class BradleyTerry:
    """Log strengths (mean zero) with their standard errors, and the log of Davidson's tie parameter."""

    strengths: Mapping[str, float]
    se: Mapping[str, float]
    log_tie: Value
    loglik: float
    games: float
    prior: float
    defined: ClassVar[bool] = True

    def elo(self, *, centre: float = 1500.0) -> dict[str, float]:
        """Return strengths on the Elo scale: centre + 400 / ln(10) times the log strength.

        100 points more are 64 wins of 100; A. E. Elo (1978), The Rating of Chessplayers.
        """
        return {name: centre + 400 / math.log(10) * each for name, each in self.strengths.items()}

    def chance(self, a: str, b: str) -> float:
        """Return the chance that a wins against b, ties aside."""
        return 1 / (1 + math.exp(self.strengths[b] - self.strengths[a]))


@dataclass(frozen=True)
class Table:
    """Names in order of first appearance; wins of the row against the column, and ties (symmetric)."""

    names: tuple[str, ...]
    won: "Array"
    tied: "Array"


def bradley_terry(
    wins: Iterable[Game], ties: Iterable[Game] = (), *, tie_model: Ties = "half", prior: float = 0.0
) -> BradleyTerry | Unranked | Undefined:
    """Return log strengths from games: (winner, loser, how often), and ties (a, b, how often).

    Formula: P(a beats b) = 1 / (1 + exp(s_b - s_a)), s by maximum likelihood with mean zero; a tie is half
    a win of each ("half"), or has its own chance: P(a), P(tie), P(b) in proportion e^a : v e^((a + b)/2) :
    e^b ("davidson"). ``prior`` adds so many wins each way to every pair that met (1/2 takes most of the
    small-sample bias). Standard errors from the inverse information, under mean zero.
    Reading: a difference of 1 is odds of 2.7 to 1; only differences mean anything.
    Undefined: fewer than 2 competitors; games that do not connect them all (``disconnected``), or where
    some never lost outside their group (``one-sided``; a prior makes that finite). Both are ``Unranked``,
    with their components.
    Raises InputError for a competitor against itself, a negative or infinite count, and a negative prior.
    Reference: R. A. Bradley, M. E. Terry (1952), doi:10.1093/biomet/39.3-4.324; R. R. Davidson (1970),
    doi:10.1080/01621459.1970.10481082; D. R. Hunter (2004), doi:10.1214/aos/1079120141.

    >>> found = bradley_terry([("a", "b", 3), ("b", "a", 1)])
    >>> round(found.strengths["a"], 6), round(found.elo()["a"], 3)  # ln(3) / 2
    (0.549306, 1595.424)
    >>> bradley_terry([("a", "b", 1), ("b", "a", 1), ("c", "d", 1), ("d", "c", 1)]).components
    (('a', 'b'), ('c', 'd'))
    """
    table = table_of(wins, ties)
    if tie_model not in ("half", "davidson") or not 0 <= prior < math.inf:
        raise InputError(
            f"tie_model {tie_model!r}, prior {prior!r}: give half or davidson, and a number from 0"
        )
    if len(table.names) < 2:
        return Undefined(f"{len(table.names)} competitor(s), at least 2 are needed")
    met = (table.won + table.won.T + table.tied) > 0
    won = table.won + prior * met
    if why := unranked(table.names, won + table.tied):
        return why
    if tie_model == "half" or not table.tied.any():
        return _fit(table, won + table.tied / 2, None, prior)
    return _fit(table, won, table.tied, prior)


def table_of(wins: Iterable[Game], ties: Iterable[Game]) -> Table:
    """Return games as tables; raises InputError as ``bradley_terry`` does."""
    import numpy as np

    games = [(a, b, count, tie) for tie, group in enumerate((wins, ties)) for a, b, count in group]
    for a, b, count, _ in games:
        if a == b or not 0 <= count < math.inf:
            raise InputError(f"game {a!r} against {b!r}, {count!r} times: give two names and a count from 0")
    names = tuple(dict.fromkeys(name for a, b, _, _ in games for name in (a, b)))
    place = {name: at for at, name in enumerate(names)}
    won, tied = np.zeros((len(names), len(names))), np.zeros((len(names), len(names)))
    for a, b, count, tie in games:
        (tied if tie else won)[place[a], place[b]] += count
    return Table(names, won, tied + tied.T)


def _fit(table: Table, won: "Array", tied: "Array | None", prior: float) -> BradleyTerry | Undefined:
    """Return the maximum, by Newton's method with step halving; the likelihood is concave."""
    import numpy as np

    m = len(table.names)
    at = np.zeros(m + (tied is not None))
    value, score, curvature = _state(at, won, tied)
    for _ in range(_STEPS):
        step = np.linalg.solve(curvature, score)
        if float(score @ step) < 1e-20 * max(1.0, float(won.sum())):
            break
        while _state(at + step, won, tied)[0] < value and np.abs(step).max() > 1e-13:
            step /= 2
        at = at + step
        value, score, curvature = _state(at, won, tied)
    else:
        return Undefined(f"no convergence within {_STEPS} iterations")
    covariance = np.linalg.inv(curvature)[:m, :m] - 1.0 / m  # the pin's own share of the variance
    se = np.sqrt(np.diag(covariance))
    log_tie: Value = Undefined("ties are half wins, or there are none") if tied is None else float(at[m])
    strengths = at[:m] - at[:m].mean()
    games = float(table.won.sum() + table.tied.sum() / 2)
    pairs = [dict(zip(table.names, map(float, each), strict=True)) for each in (strengths, se)]
    return BradleyTerry(pairs[0], pairs[1], log_tie, value, games, prior)


def _state(at: "Array", won: "Array", tied: "Array | None") -> "tuple[float, Array, Array]":
    """Return log-likelihood, score and information; the mean is pinned by adding 1/m to the information."""
    import numpy as np

    m = len(won)
    gap = at[:m, None] - at[None, :m]
    ties = np.zeros_like(won) if tied is None else tied
    weight = np.zeros_like(gap) if tied is None else np.exp(at[m] - np.logaddexp(gap / 2, -gap / 2))
    wins = np.exp(-np.logaddexp(0, -gap)) / (1 + weight)  # chance of the row's win
    tie = weight / (1 + weight)
    played = won + won.T + ties
    share = wins + tie / 2
    score = (won + ties / 2 - played * share).sum(axis=1)
    spread = played * (wins + tie / 4 - share**2)
    information = np.diag(spread.sum(axis=1)) - spread + 1.0 / m
    value = float((won * np.log(wins)).sum())
    if tied is None:
        return value, score, information
    value += float((ties * np.log(tie)).sum()) / 2
    across = (played * (tie / 2 - share * tie)).sum(axis=1)
    whole = np.zeros((m + 1, m + 1))
    whole[:m, :m] = information
    whole[:m, m] = whole[m, :m] = across
    whole[m, m] = float((played * tie * (1 - tie)).sum()) / 2
    return value, np.append(score, float((ties - played * tie).sum()) / 2), whole
