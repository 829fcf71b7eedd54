"""What a quality gate says: passed or not, in one sentence that names the instances."""

from collections.abc import Mapping
from dataclasses import dataclass, field

NAMED = 20


@dataclass(frozen=True)
class CheckVerdict:
    """The verdict of one gate over all current instances; wrong maps instance ids to what is wrong."""

    looked_at: int
    rule: str
    wrong: Mapping[str, str] = field(default_factory=dict)

    @property
    def passed(self) -> bool:
        """Return whether nothing was wrong."""
        return not self.wrong

    @property
    def description(self) -> str:
        """Return the sentence the UI shows."""
        if self.passed:
            return f"{self.rule}: holds for all {self.looked_at} looked at"
        whole = [what for key, what in self.wrong.items() if key.startswith("(")]
        if whole and len(whole) == len(self.wrong):
            return f"{self.rule}: it does not hold. {'; '.join(whole)}"
        named = "; ".join(f"{i}: {what}" for i, what in list(self.wrong.items())[:NAMED])
        more = len(self.wrong) - NAMED
        tail = f"; and {more} more" if more > 0 else ""
        return f"{self.rule}: {len(self.wrong)} of {self.looked_at} break it. {named}{tail}"
