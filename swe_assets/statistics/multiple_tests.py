"""Many tests at once: p values adjusted by Holm and by Benjamini and Hochberg."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from swe_assets.errors import InputError
from swe_assets.statistics.undefined import Undefined, Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Adjusted:
    """Adjusted p values in the order given, whether each is rejected at alpha, and the family's size.

    A p value that was undefined stays so, is not rejected and does not count in the family.
    """

    adjusted: tuple[Value, ...]
    rejected: tuple[bool, ...]
    alpha: float
    tests: int
    defined: ClassVar[bool] = True


def holm(p: Sequence[Value], *, alpha: float = 0.05) -> Adjusted:
    """Return p values adjusted by Holm's step-down method, which bounds the chance of any false rejection.

    Formula: sorted p_(1) <= ... <= p_(m): adjusted p_(i) = max over j <= i of min(1, (m - j + 1) p_(j)).
    Reading: reject where the adjusted p is at most alpha; the chance of one false rejection or more among
    all m is then at most alpha, however the tests hang together.
    Undefined: an undefined p stays so and is not counted in m.
    Raises InputError for a p outside 0 to 1.
    Reference: S. Holm (1979), A simple sequentially rejective multiple test procedure,
    https://www.jstor.org/stable/4615733; J. P. Shaffer (1995), doi:10.1146/annurev.ps.46.020195.003021.

    >>> holm([0.01, 0.04, 0.03]).adjusted
    (0.03, 0.06, 0.06)
    """
    import numpy as np

    def step_down(ordered: "NDArray[np.float64]") -> "NDArray[np.float64]":
        steps = np.arange(len(ordered), 0, -1)
        return np.asarray(np.maximum.accumulate(ordered * steps), dtype=np.float64)

    return _adjusted(p, alpha, step_down)


def benjamini_hochberg(p: Sequence[Value], *, alpha: float = 0.05) -> Adjusted:
    """Return p values adjusted by Benjamini and Hochberg's step-up method (the false discovery rate).

    Formula: sorted p_(1) <= ... <= p_(m): adjusted p_(i) = min over j >= i of min(1, m p_(j) / j).
    Reading: among the rejected (adjusted p at most alpha) a share of at most alpha is expected to be
    false, for independent or positively dependent tests. Rejects more than ``holm``.
    Undefined: an undefined p stays so and is not counted in m.
    Raises InputError for a p outside 0 to 1.
    Reference: Y. Benjamini, Y. Hochberg (1995), doi:10.1111/j.2517-6161.1995.tb02031.x.

    >>> benjamini_hochberg([0.01, 0.04, 0.03]).adjusted
    (0.03, 0.04, 0.04)
    """
    import numpy as np

    def step_up(ordered: "NDArray[np.float64]") -> "NDArray[np.float64]":
        raised = ordered * len(ordered) / np.arange(1, len(ordered) + 1)
        return np.asarray(np.minimum.accumulate(raised[::-1])[::-1], dtype=np.float64)

    return _adjusted(p, alpha, step_up)


def _adjusted(
    p: Sequence[Value],
    alpha: float,
    adjust: "Callable[[NDArray[np.float64]], NDArray[np.float64]]",
) -> Adjusted:
    """Return the p values adjusted in sorted order, put back in the order given."""
    import numpy as np

    for place, each in enumerate(p, start=1):
        if not isinstance(each, Undefined) and not 0 <= each <= 1:
            raise InputError(f"p value {place}: {each!r} is not within 0 to 1")
    given = np.array([each for each in p if not isinstance(each, Undefined)], dtype=np.float64)
    order = np.argsort(given, kind="stable")
    found = np.empty_like(given)
    found[order] = np.minimum(adjust(given[order]), 1.0)
    rest = iter(found.tolist())
    values = tuple(each if isinstance(each, Undefined) else next(rest) for each in p)
    rejected = tuple(not isinstance(each, Undefined) and each <= alpha for each in values)
    return Adjusted(values, rejected, alpha, len(given))
