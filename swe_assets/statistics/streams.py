"""Independent streams of random numbers, each named, from one seed."""

import hashlib

from swe_assets.errors import InputError


def stream_seed(seed: int, name: str) -> int:
    """Return the seed of the stream of a name: 128 bits that hang on the seed and the name alone.

    Formula: numpy's ``SeedSequence(seed, spawn_key=k)``, k the eight 32-bit words (big end first) of the
    name's sha256.
    Reading: what is drawn under one name moves nothing that is drawn under another, whatever is added or
    left out between them.
    Undefined: never.
    Raises InputError for a seed below 0.
    Reference: J. K. Salmon et al. (2011), doi:10.1145/2063384.2063405; numpy's SeedSequence,
    https://numpy.org/doc/stable/reference/random/parallel.html.

    >>> stream_seed(0, "spearman") == stream_seed(0, "spearman"), stream_seed(0, "a") == stream_seed(0, "b")
    (True, False)
    """
    import numpy as np

    if seed < 0:
        raise InputError(f"seed {seed!r}: give a whole number from 0")
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()
    key = tuple(int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4))
    state = np.random.SeedSequence(seed, spawn_key=key).generate_state(4)
    return sum(int(word) << (32 * place) for place, word in enumerate(state))
