"""How often, and in which other forms, a sample of the verdicts is asked for again."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from swe_assets.errors import ConfigurationError

MOST_REPEATS = 100


@dataclass(frozen=True)
class Consistency:
    """What the asset consistencia_juiz is to ask for; off unless `n`, `order` or `wording` is set.

    `n`: how often each judge judges an instance by the same prompt, the study's own verdict counted (0: no
    repeats). `sample`: the number of instances, drawn by a fixed seed. `order`: also with issue and patch
    the other way round. `wording`: also in other words.
    """

    n: int = 0
    sample: int = 20
    order: bool = False
    wording: bool = False

    @property
    def asked(self) -> bool:
        """Tell whether anything is to be asked for again."""
        return self.n > 1 or self.order or self.wording

    def record(self) -> dict[str, Any]:
        """Return the settings as they are written to study.toml."""
        return asdict(self)

    @classmethod
    def of(cls, table: Mapping[str, Any]) -> "Consistency":
        """Return the settings of a table of study.toml; TypeError for what is no setting of it."""
        found = cls(**table)
        found.check()
        return found

    def check(self) -> None:
        """Raise ConfigurationError where a setting cannot be used."""
        for name, value, least in (("n", self.n, 0), ("sample", self.sample, 1)):
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise ConfigurationError(f"consistency.{name} is {value!r}: give a whole number from {least}")
        if self.n == 1 or self.n > MOST_REPEATS:
            raise ConfigurationError(
                f"consistency.n is {self.n}: give 2 to {MOST_REPEATS} verdicts a prompt, or 0 for none"
            )
        for name, said in (("order", self.order), ("wording", self.wording)):
            if not isinstance(said, bool):
                raise ConfigurationError(f"consistency.{name} is {said!r}: give true or false")
