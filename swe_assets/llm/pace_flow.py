"""One limit per minute as a virtual schedule: when the next amount conforms, and what was taken."""

BURST_S = 1.0
"""The burst is what the full rate gives in so many seconds, at least 1."""


class Flow:
    """A token bucket as GCRA keeps it: the moment at which all that was taken is worked off.

    ``full``: the limit per minute. Amounts and moments (seconds) are the caller's; ``share`` is the part of
    the full rate that is allowed at present. Not safe among threads by itself.
    """

    def __init__(self, full: float) -> None:
        if not full > 0:
            raise ValueError(f"a limit of {full!r} per minute lets nothing through: give more than 0")
        self._free_at = float("-inf")
        self.set_full(full)

    def set_full(self, full: float) -> None:
        """Take another limit per minute, and the burst that goes with it."""
        self.full = full
        self.burst = max(1.0, full / 60 * BURST_S)

    def earliest(self, amount: float, share: float) -> float:
        """Return the moment from which an amount conforms; one above the burst waits until all is free."""
        return self._free_at - max(0.0, self.burst - amount) * self._seconds(share)

    def take(self, at: float, amount: float, share: float) -> None:
        """Count an amount that is sent at a moment."""
        self._free_at = max(at, self._free_at) + amount * self._seconds(share)

    def correct(self, amount: float, share: float) -> None:
        """Count an amount more or, where negative, less than was taken."""
        self._free_at += amount * self._seconds(share)

    def rescale(self, now: float, before: float, share: float) -> None:
        """Work off from now on at another share what is still owed."""
        owed = max(0.0, self._free_at - now) / self._seconds(before)
        self._free_at = now + owed * self._seconds(share)

    def _seconds(self, share: float) -> float:
        """Return the seconds that one unit takes."""
        return 60 / (self.full * share)
