"""What every analyser is: source files in, SonarQube's metric keys out."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

Number = int | float

STRUCTURE_KEYS = (
    "complexity",
    "cognitive_complexity",
    "ncloc",
    "lines",
    "comment_lines",
    "statements",
    "functions",
    "classes",
)
VIOLATION_KEYS = ("violations", "sqale_index")
METRIC_KEYS = STRUCTURE_KEYS + VIOLATION_KEYS


@dataclass(frozen=True)
class SourceFile:
    """One file to measure: the path it goes by and its bytes as stored."""

    path: str
    content: bytes


@dataclass(frozen=True)
class FileMeasures:
    """What an analyser says of one file.

    `measures` holds numbers by SonarQube's metric key (sqale_index in minutes). A key that could not be
    had is absent, never 0, and `reason` says why. `parsed` is False when the analyser's grammar refuses
    the file; then at most `lines` is there. `not_measured` and `not_applicable` name the keys that the
    analyser knows and this file lacks, where it can tell the two apart.
    """

    path: str
    parsed: bool
    measures: dict[str, Number] = field(default_factory=dict)
    reason: str | None = None
    not_measured: tuple[str, ...] = field(default=(), repr=False)
    not_applicable: tuple[str, ...] = field(default=(), repr=False)


class Analyser(Protocol):
    """A way to measure Python source files."""

    @property
    def name(self) -> str:
        """Return the name a study's pin and the registry know it by."""
        ...

    @property
    def violations_source(self) -> str:
        """Say whose rules `violations` and `sqale_index` come from, in words for tables and figures."""
        ...

    def measure(self, files: Sequence[SourceFile]) -> list[FileMeasures]:
        """Measure the files and answer in their order; the same path may occur more than once.

        Raises AnalyserError when the work as a whole could not be done; a file that does not parse is an
        answer, not an error.
        """
        ...

    def provenance(self) -> dict[str, str]:
        """Name what the numbers depend on, so that a change of it makes records stale."""
        ...
