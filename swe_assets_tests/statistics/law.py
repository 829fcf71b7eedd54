"""What a law is: a check, the inputs it holds for, and how many of them are drawn."""

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

from hypothesis import strategies as st

from swe_assets_tests.statistics.samples import samples

Law: TypeAlias = Callable[[Any], None]
Laws: TypeAlias = dict[str, list[Law]]
Check = TypeVar("Check", bound=Callable[..., None])

_INPUTS: dict[str, tuple[st.SearchStrategy[Any], int]] = {}


def holds_for(inputs: st.SearchStrategy[Any], *, examples: int = 60) -> Callable[[Check], Check]:
    """Say which inputs a law is checked on; without it, samples of a binary outcome and two predictors."""

    def marked(check: Check) -> Check:
        _INPUTS[check.__qualname__] = inputs, examples
        return check

    return marked


def inputs_of(law: Law) -> tuple[st.SearchStrategy[Any], int]:
    """Return the inputs that a law holds for, and the number to draw."""
    return _INPUTS.get(law.__qualname__, (samples(), 60))
