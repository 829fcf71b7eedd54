"""A study's two steps with an analyser: projects are handed over, later their measures are read.

An analyser that measures in this process does nothing at the first step. One with a server scans at the
first and asks for numbers at the second; in between lies a receipt, which is all that is stored.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol, runtime_checkable

from swe_assets.analysers.protocol import Analyser, FileMeasures, Number, SourceFile
from swe_assets.errors import SweAssetsError

BASE = "base"
PATCHED = "patched"
SIDES = (BASE, PATCHED)

Receipt = Mapping[str, Any]
"""What an analyser says of one side that it got, as JSON-ready values; empty where it says nothing."""


@dataclass(frozen=True)
class Project:
    """One side of one instance: the files to measure, and those that only stand beside them.

    `context` holds the chain of `__init__.py` above the measured files as the tree of that side has it: it
    decides what a package is and is not measured. Paths are relative to the repository's root.
    """

    instance_id: str
    side: str
    files: tuple[SourceFile, ...]
    context: tuple[SourceFile, ...] = ()

    @cached_property
    def digest(self) -> str:
        """Return the SHA-256 of all paths and contents, whatever instance they belong to."""
        found = hashlib.sha256()
        for kind, files in (("measured", self.files), ("context", self.context)):
            for file in sorted(files, key=lambda file: file.path):
                content = hashlib.sha256(file.content).hexdigest()
                found.update(f"{kind}\0{content}\0{file.path}\0".encode("utf-8", "surrogatepass"))
        return found.hexdigest()

    @property
    def size(self) -> int:
        """Return how many bytes are measured."""
        return sum(len(file.content) for file in self.files)


@dataclass(frozen=True)
class Offer:
    """One instance that is to be handed over; `load` reads its projects, base and patched, when asked."""

    instance_id: str
    load: Callable[[], tuple[Project, ...]] = field(repr=False)


@dataclass(frozen=True)
class HandedOver:
    """What became of one offer: receipts by side, or the error that concerns this instance alone."""

    instance_id: str
    receipts: Mapping[str, Receipt] = field(default_factory=dict)
    error: SweAssetsError | None = None


@dataclass(frozen=True)
class Claim:
    """One instance whose measures are wanted: its paths by side, its receipts, and how to read its files."""

    instance_id: str
    paths: Mapping[str, Sequence[str]]
    receipts: Mapping[str, Receipt]
    load: Callable[[], tuple[Project, ...]] = field(repr=False)


@dataclass(frozen=True)
class SideMeasures:
    """The measures of one side: a FileMeasures each file, and what the analyser says of the side as a whole.

    `own` has the analyser's own numbers for the whole side, empty where it gives none; `additive` names the
    keys whose sum over the files is the side's number.
    """

    files: tuple[FileMeasures, ...]
    own: Mapping[str, Number] = field(default_factory=dict)
    additive: tuple[str, ...] = ()


@dataclass(frozen=True)
class ReadBack:
    """The measures of one instance by side, or the error that concerns this instance alone."""

    instance_id: str
    sides: Mapping[str, SideMeasures] = field(default_factory=dict)
    error: SweAssetsError | None = None


@runtime_checkable
class ProjectAnalyser(Analyser, Protocol):
    """An analyser that takes whole projects and gives their measures later.

    Both steps answer once for each instance, in any order. They raise AnalyserUnavailableError where going
    on is useless for all instances, and StoreError where the disk cannot be written.
    """

    needs_context: bool
    notice: str
    """What a reader of a plan must know, as that the server could not be asked; empty where nothing."""

    def hand_over(self, offers: Iterable[Offer]) -> Iterator[HandedOver]:
        """Take each instance's projects and yield a receipt for each side."""
        ...

    def read(self, claims: Sequence[Claim]) -> Iterator[ReadBack]:
        """Yield the measures of each instance whose receipts are given."""
        ...
