"""Any analyser that measures files in this process, as one that takes projects: nothing is handed over."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import cast

from swe_assets.analysers.projects import (
    Claim,
    HandedOver,
    Offer,
    Project,
    ProjectAnalyser,
    ReadBack,
    SideMeasures,
)
from swe_assets.analysers.protocol import Analyser, FileMeasures, SourceFile
from swe_assets.errors import AnalyserError, SweAssetsError


def in_two_steps(analyser: Analyser) -> ProjectAnalyser:
    """Return an analyser as one that takes projects: itself, or with an empty first step.

    The type is looked at, because isinstance() reads every property, and a server would be asked for one.
    """
    if all(callable(getattr(type(analyser), step, None)) for step in ("hand_over", "read")):
        return cast("ProjectAnalyser", analyser)
    return MeasuredHere(analyser)


class MeasuredHere:
    """Hands nothing over, and measures each different content once when the measures are read."""

    needs_context = False
    notice = ""

    def __init__(self, analyser: Analyser) -> None:
        self.analyser = analyser

    @property
    def name(self) -> str:
        """Return the analyser's own name."""
        return self.analyser.name

    @property
    def violations_source(self) -> str:
        """Return whose rules the analyser says its violations come from."""
        return self.analyser.violations_source

    def provenance(self) -> dict[str, str]:
        """Return what the analyser says its numbers depend on."""
        return self.analyser.provenance()

    def measure(self, files: Sequence[SourceFile]) -> list[FileMeasures]:
        """Measure files as the analyser does."""
        return self.analyser.measure(files)

    def hand_over(self, offers: Iterable[Offer]) -> Iterator[HandedOver]:
        """Take every offer without looking at it."""
        return (HandedOver(offer.instance_id) for offer in offers)

    def read(self, claims: Sequence[Claim]) -> Iterator[ReadBack]:
        """Measure all claims in one call; where that fails, each alone, so that one fails by itself."""
        try:
            loaded = {claim.instance_id: claim.load() for claim in claims}
            measured = self._measured([project for projects in loaded.values() for project in projects])
        except SweAssetsError:
            yield from map(self._alone, claims)
            return
        for claim in claims:
            yield _read_back(claim, loaded[claim.instance_id], measured)

    def _alone(self, claim: Claim) -> ReadBack:
        try:
            projects = claim.load()
            return _read_back(claim, projects, self._measured(projects))
        except SweAssetsError as wrong:
            return ReadBack(claim.instance_id, error=wrong)

    def _measured(self, projects: Sequence[Project]) -> dict[bytes, FileMeasures]:
        """Return the measures of each different content, named by the last path it goes by."""
        files = {file.content: file for project in projects for file in project.files}
        found = self.analyser.measure(list(files.values()))
        if len(found) != len(files):
            raise AnalyserError(f"{self.name} was given {len(files)} files and answered for {len(found)}")
        return dict(zip(files, found, strict=True))


def _read_back(claim: Claim, projects: Sequence[Project], measured: dict[bytes, FileMeasures]) -> ReadBack:
    sides = {
        project.side: SideMeasures(
            tuple(replace(measured[file.content], path=file.path) for file in project.files)
        )
        for project in projects
    }
    return ReadBack(claim.instance_id, sides)
