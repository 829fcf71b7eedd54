"""Named streams of random numbers: numpy's own, one a name, whatever stands beside."""

import hashlib

import numpy as np
import pytest

from swe_assets.errors import InputError
from swe_assets.statistics.streams import stream_seed


def test_stream_is_numpys_child() -> None:
    """A stream is the child of numpy's seed sequence under the words of the name's sha256."""
    key = np.frombuffer(hashlib.sha256(b"spearman").digest(), dtype=">u4").tolist()
    child = np.random.SeedSequence(7, spawn_key=key).generate_state(4)
    assert stream_seed(7, "spearman") == int.from_bytes(child.astype("<u4").tobytes(), "little")


def test_streams_differ_by_name_and_by_seed() -> None:
    """A hundred names under ten seeds are a thousand streams, the first draws of which are uncorrelated."""
    seeds = {stream_seed(seed, f"table {at}") for seed in range(10) for at in range(100)}
    assert len(seeds) == 1000
    one, other = (np.random.default_rng(stream_seed(0, name)).normal(size=10_000) for name in ("a", "b"))
    assert abs(np.corrcoef(one, other)[0, 1]) < 0.05


def test_a_seed_below_zero_is_refused() -> None:
    """A negative seed is an error that names it."""
    with pytest.raises(InputError, match="seed -1"):
        stream_seed(-1, "a")
