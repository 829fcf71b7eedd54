"""The drawn share: seeded, exact, and hardly moved by an item that comes or goes."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swe_assets.errors import InputError
from swe_assets.judging.audit_sample import draw_sample, hash_order

IDS = [f"repo__name-{number}" for number in range(500)]
few_ids = st.lists(st.text("abc-", min_size=1, max_size=6), min_size=1, max_size=40, unique=True)
shares = st.sampled_from(["0.01", "0.1", "1/3", "0.5", "1"])


@pytest.mark.parametrize(
    ("count", "share", "drawn"), [(500, "0.1", 50), (30, "0.1", 3), (31, "0.1", 4), (1, "0.01", 1)]
)
def test_share_is_exact_and_rounded_up(count: int, share: str, drawn: int) -> None:
    """A tenth of 30 is 3 and of 31 is 4, and one item at least is drawn."""
    sample = draw_sample(IDS[:count], share=share)
    assert (len(sample.ids), sample.population) == (drawn, count)
    assert sample.drawn_share == drawn / count


def test_order_is_that_of_the_hash() -> None:
    """The first id drawn is the one with the least sha256 of seed, NUL and id."""
    least = min(IDS, key=lambda i: hashlib.sha256(b"7\0" + i.encode()).digest())
    assert draw_sample(IDS, seed=7).ids[0] == least


def test_seeds_differ() -> None:
    """Another seed draws other items; the order of the ids given does not matter."""
    first = draw_sample(IDS, seed=1).ids
    assert first == draw_sample(reversed(IDS), seed=1).ids
    assert len(set(first) & set(draw_sample(IDS, seed=2).ids)) < 25


@given(ids=few_ids, share=shares, seed=st.integers(0, 9))
def test_one_more_item_moves_one_at_most(ids: list[str], share: str, seed: int) -> None:
    """With one more item at most one leaves the sample, and none enters but it and the next in line."""
    before = set(draw_sample(ids, share=share, seed=seed).ids)
    after = set(draw_sample([*ids, "new"], share=share, seed=seed).ids)
    assert len(before - after) <= 1
    assert len(after - before) <= 1 + (len(after) > len(before))
    assert not before - after or after - before == {"new"}


@given(ids=few_ids, seed=st.integers(0, 9))
def test_larger_share_holds_the_smaller(ids: list[str], seed: int) -> None:
    """A larger share begins with the sample of a smaller one."""
    small, large = (draw_sample(ids, share=share, seed=seed).ids for share in ("0.2", "0.7"))
    assert large[: len(small)] == small


def test_every_stratum_is_there() -> None:
    """Each stratum gives its own share, one at least, and an item more moves its stratum alone."""
    strata = {i: "rare" if n < 3 else "common" for n, i in enumerate(IDS)}
    sample = draw_sample(IDS, strata=strata)
    assert [(s.name, s.population, s.drawn) for s in sample.strata] == [("common", 497, 50), ("rare", 3, 1)]
    more = draw_sample([*IDS, "x"], strata={**strata, "x": "rare"})
    assert {i for i in sample.ids if strata[i] == "common"} <= set(more.ids)
    assert sample.ids == tuple(hash_order(sample.ids, 0))


@pytest.mark.parametrize("share", ["0", "-0.1", "1.1", "nan", "a tenth", "1/0", ""])
def test_unusable_shares(share: str) -> None:
    """A share that is no number above 0 and up to 1 is refused by its text."""
    with pytest.raises(InputError, match="share"):
        draw_sample(IDS, share=share)


def test_unusable_ids() -> None:
    """No ids, an id twice and an id without a stratum are refused."""
    for ids, strata, words in ([], None, "nothing"), (["a", "a"], None, "twice"), (["a"], {}, "'a' is in no"):
        with pytest.raises(InputError, match=words):
            draw_sample(ids, strata=strata)
