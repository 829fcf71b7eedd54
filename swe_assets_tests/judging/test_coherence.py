"""M_coerencia is 0 for a resolved verdict of low confidence and 1 otherwise."""

import pytest

from swe_assets.judging.coherence import m_coerencia


@pytest.mark.parametrize("score", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("resolves", [True, False])
def test_the_whole_table(resolves: bool, score: int) -> None:
    """Of the ten possible verdicts exactly the two that resolve with 1 or 2 are incoherent."""
    incoherent = [(True, 1), (True, 2)]
    assert m_coerencia(resolves, score) == (0 if (resolves, score) in incoherent else 1)
