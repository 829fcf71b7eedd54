"""What the doctor finds of one thing."""

from dataclasses import asdict, dataclass
from typing import Literal

Part = Literal["installed", "reachable", "configured"]


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at.

    `state` is `ok`; `lack` where something required is not well; `absent` where something optional is not.
    `value` is what was found, never a secret; `mend` says what to do about a lack.
    """

    part: Part
    name: str
    state: Literal["ok", "lack", "absent"]
    value: str
    mend: str = ""

    @property
    def lacks(self) -> bool:
        """Say whether something required is not well."""
        return self.state == "lack"

    def record(self) -> dict[str, str]:
        """Return the finding as JSON knows it."""
        return asdict(self)


def required(part: Part, name: str, *, well: bool, value: str, mend: str) -> Finding:
    """Return the finding on something that the product cannot do without."""
    return Finding(part, name, "ok" if well else "lack", value, "" if well else mend)


def optional(part: Part, name: str, *, there: bool, value: str, mend: str) -> Finding:
    """Return the finding on something that only some studies need."""
    return Finding(part, name, "ok" if there else "absent", value, "" if there else mend)
