"""Drawn samples for the laws that every statistic keeps."""

from dataclasses import dataclass, replace

from hypothesis import strategies as st


@dataclass(frozen=True)
class Sample:
    """A binary outcome with both classes, two varying integer predictors, and an order to shuffle by."""

    outcome: tuple[int, ...]
    x: tuple[int, ...]
    z: tuple[int, ...]
    order: tuple[int, ...]

    @property
    def predictors(self) -> dict[str, tuple[int, ...]]:
        """Return the predictors by name."""
        return {"x": self.x, "z": self.z}

    def shuffled(self) -> "Sample":
        """Return the same rows in another order."""
        columns = {name: tuple(getattr(self, name)[i] for i in self.order) for name in ("outcome", "x", "z")}
        return replace(self, **columns)

    def flipped(self) -> "Sample":
        """Return the sample with the outcome's classes exchanged."""
        return replace(self, outcome=tuple(1 - y for y in self.outcome))


@st.composite
def samples(draw: st.DrawFn) -> Sample:
    """Return samples of 5 to 25 rows; few distinct values, so that ties and separation are frequent."""
    n = draw(st.integers(5, 25))
    numbers = st.lists(st.integers(-4, 4), min_size=n, max_size=n).filter(lambda values: len(set(values)) > 1)
    classes = st.lists(st.integers(0, 1), min_size=n, max_size=n).filter(lambda values: len(set(values)) > 1)
    order = draw(st.permutations(range(n)))
    return Sample(tuple(draw(classes)), tuple(draw(numbers)), tuple(draw(numbers)), tuple(order))


Ratings = tuple[tuple[int | None, ...], ...]


@st.composite
def rating_tables(draw: st.DrawFn, *, missing: bool = True) -> Ratings:
    """Return ratings from 0 to 4, one row a rater (2 to 4) and one column a unit (2 to 8)."""
    units = draw(st.integers(2, 8))
    rating = st.none() | st.integers(0, 4) if missing else st.integers(0, 4)
    rows = st.lists(rating, min_size=units, max_size=units).map(tuple)
    return tuple(draw(st.lists(rows, min_size=2, max_size=4)))


@st.composite
def stated_chances(draw: st.DrawFn) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Return 1 to 30 outcomes with stated chances in hundredths."""
    n = draw(st.integers(1, 30))
    outcome = draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    hundredths = draw(st.lists(st.integers(0, 100), min_size=n, max_size=n))
    return tuple(outcome), tuple(each / 100 for each in hundredths)


@st.composite
def games(draw: st.DrawFn) -> tuple[tuple[str, str, int], ...]:
    """Return 3 to 12 results (winner, loser, how often) among up to five competitors."""
    pair = st.permutations("abcde").map(lambda names: (names[0], names[1]))
    rows = draw(st.lists(st.tuples(pair, st.integers(1, 5)), min_size=3, max_size=12))
    return tuple((winner, loser, count) for (winner, loser), count in rows)


p_values = st.lists(st.integers(0, 1000).map(lambda thousandths: thousandths / 1000), max_size=12).map(tuple)
