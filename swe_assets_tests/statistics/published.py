"""Data that others published, typed in as facts, each with its source."""

PERIODS = ("1", "2", "3", "4")
CBPP = {
    1: [(2, 14), (3, 12), (4, 9), (0, 5)],
    2: [(3, 22), (1, 18), (1, 21)],
    3: [(8, 22), (2, 16), (0, 16), (2, 20)],
    4: [(2, 10), (0, 10), (2, 9), (0, 6)],
    5: [(5, 18), (0, 25), (0, 24), (1, 4)],
    6: [(3, 17), (0, 17), (0, 18), (1, 20)],
    7: [(8, 16), (1, 10), (3, 9), (0, 5)],
    8: [(12, 34)],
    9: [(2, 9), (0, 6), (0, 8), (0, 6)],
    10: [(1, 22), (1, 22), (0, 18), (2, 22)],
    11: [(0, 25), (5, 27), (3, 22), (1, 22)],
    12: [(2, 10), (1, 8), (0, 6), (0, 5)],
    13: [(1, 21), (2, 24), (0, 19), (0, 23)],
    14: [(11, 19), (0, 2), (0, 3), (0, 2)],
    15: [(1, 19), (1, 15), (1, 15), (0, 15)],
}
"""Contagious bovine pleuropneumonia: (new cases, animals) by herd and period, from the first period on.

M. Lesnoff et al. (2004), doi:10.1016/j.prevetmed.2004.03.005; distributed with lme4 as cbpp.
"""


def cbpp() -> tuple[list[int], dict[str, list[int]], list[int], list[int]]:
    """Return cases, indicators of the periods 2 to 4, herds and animals, a row a herd and period."""
    rows = [(herd, at, won, of) for herd, each in CBPP.items() for at, (won, of) in enumerate(each)]
    periods = {f"period{at + 1}": [int(period == at) for _, period, _, _ in rows] for at in (1, 2, 3)}
    return [won for *_, won, _ in rows], periods, [herd for herd, *_ in rows], [of for *_, of in rows]
