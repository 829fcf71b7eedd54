"""Which items a person audits: a seeded share whose make-up hardly moves when items come or go."""

import hashlib
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from swe_assets.errors import InputError

DEFAULT_SHARE = "0.1"
"""The share that is audited where nothing else is said, as a decimal so that a tenth is a tenth."""


@dataclass(frozen=True)
class Stratum:
    """One group of the population: how many items it has and how many of them were drawn."""

    name: str
    population: int
    drawn: int


@dataclass(frozen=True)
class AuditSample:
    """The drawn ids in the order of the draw, and what they were drawn from.

    A person who stops half-way has audited a sample just as random, since the order is that of the draw.
    """

    ids: tuple[str, ...]
    population: int
    share: str
    seed: int
    strata: tuple[Stratum, ...] = ()

    @property
    def drawn_share(self) -> float:
        """The share that was drawn in fact: rounding up makes it at least the one asked for."""
        return len(self.ids) / self.population


def draw_sample(
    ids: Iterable[str], *, share: str = DEFAULT_SHARE, seed: int = 0, strata: Mapping[str, str] | None = None
) -> AuditSample:
    """Return the first ``ceil(share * n)`` ids by the sha256 of seed and id, in each stratum where asked.

    So the same seed and ids give the same sample, a larger share holds the smaller one's sample, and one
    more id enters the sample at most by itself, in the place of one other or of none. ``share``: a decimal
    above 0 and up to 1, as text. ``strata``: each id's group; every group gives at least one.

    Raises InputError for no ids, an id that is there twice, an id without a stratum, or an unusable share.
    """
    everything = list(ids)
    wanted = parsed_share(share)
    if not everything:
        raise InputError("there is nothing to draw an audit sample from: no item has been judged yet")
    if len(set(everything)) != len(everything):
        raise InputError("an audit sample cannot be drawn: an id is there twice")
    if strata is None:
        chosen = hash_order(everything, seed)[: math.ceil(wanted * len(everything))]
        return AuditSample(tuple(chosen), len(everything), share, seed)
    groups = _groups(everything, strata)
    drawn = {
        name: hash_order(group, seed)[: math.ceil(wanted * len(group))] for name, group in groups.items()
    }
    counts = tuple(Stratum(name, len(group), len(drawn[name])) for name, group in groups.items())
    picked = hash_order((i for group in drawn.values() for i in group), seed)
    return AuditSample(tuple(picked), len(everything), share, seed, counts)


def hash_order(ids: Iterable[str], seed: int) -> list[str]:
    """Return ids sorted by the sha256 of seed and id: a shuffle in which no id's place hangs on another."""
    return sorted(ids, key=lambda i: hashlib.sha256(f"{seed}\0{i}".encode("utf-8", "surrogatepass")).digest())


def parsed_share(share: str) -> Fraction:
    """Return a share exactly; InputError unless it is a number above 0 and up to 1."""
    try:
        found = Fraction(share)
    except (ValueError, ZeroDivisionError):
        found = Fraction(0)
    if not 0 < found <= 1:
        raise InputError(f"the audited share is {share!r}: give a number above 0 and up to 1, such as 0.1")
    return found


def _groups(ids: Iterable[str], strata: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the ids by stratum, strata sorted by name."""
    found: dict[str, list[str]] = {}
    for item_id in ids:
        if item_id not in strata:
            raise InputError(f"an audit sample cannot be drawn: {item_id!r} is in no stratum")
        found.setdefault(strata[item_id], []).append(item_id)
    return dict(sorted(found.items()))
