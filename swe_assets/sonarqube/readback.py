"""Reading back: the measures of what was uploaded, where the server still holds just that analysis."""

from collections import OrderedDict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from swe_assets.analysers.projects import Claim, ReadBack, Receipt, SideMeasures
from swe_assets.analysers.protocol import METRIC_KEYS, FileMeasures
from swe_assets.errors import (
    AnalyserError,
    AnalyserUnavailableError,
    ComponentMissingError,
    StaleAnalysisError,
)
from swe_assets.sonarqube.kept import KeptMeasures
from swe_assets.sonarqube.measures import Measures, NotMeasured

if TYPE_CHECKING:
    from swe_assets.sonarqube.client import SonarClient
    from swe_assets.sonarqube.metrics import Metric
    from swe_assets.sonarqube.tree import Tree

TREES_HELD = 4
AGAIN = "run again: the instance is scanned anew"
LEFT_OUT = "a server leaves out files above 20 MB, and what its settings exclude (Analysis Scope)"
SWITCHED_OFF = "duplications are not looked for in batch mode; choose the mode per-instance"
_NOT_SUMS = ("effort_to_reach_", "new_")


def additive_keys(metrics: Sequence["Metric"]) -> tuple[str, ...]:
    """Return the metrics whose value for a whole is the sum over its files: counts and minutes of work."""
    return tuple(m.key for m in metrics if m.type in ("INT", "WORK_DUR") and not m.key.startswith(_NOT_SUMS))


class Reader:
    """Reads measures from one server; a project's tree is asked for once and held for a while."""

    def __init__(
        self,
        client: "SonarClient",
        kept: KeptMeasures,
        *,
        duplications: bool,
        keeps: Collection[str],
        metrics: Sequence["Metric"],
    ) -> None:
        self._client = client
        self._kept = kept
        self._keeps = keeps
        self._metrics = metrics
        self._additive = additive_keys(metrics)
        self._off = () if duplications else tuple(m.key for m in metrics if m.key.startswith("duplicated_"))
        self._trees: OrderedDict[tuple[str, str], Tree | AnalyserError] = OrderedDict()

    def read(self, claims: Sequence[Claim]) -> Iterator[ReadBack]:
        """Yield each claim's measures, or its error; those of the sides to keep serve other studies.

        Raises AnalyserUnavailableError where the server cannot be asked, and StoreError.
        """
        for claim in claims:
            try:
                sides = {side: self._side(claim, side, paths) for side, paths in claim.paths.items()}
            except AnalyserUnavailableError:
                raise
            except AnalyserError as wrong:
                yield ReadBack(claim.instance_id, error=wrong)
            else:
                yield ReadBack(claim.instance_id, sides)

    def _side(self, claim: Claim, side: str, paths: Sequence[str]) -> SideMeasures:
        if not paths:
            return SideMeasures((), additive=self._additive)
        receipt = claim.receipts.get(side)
        if not receipt or set(receipt["components"]) != set(paths):
            raise StaleAnalysisError(
                f"the receipt of the {side} side is not for the files {sorted(paths)}; {AGAIN}"
            )
        if receipt.get("kept"):
            return self._from_kept(receipt)
        found = self._from_server(receipt, paths)
        if side in self._keeps:
            self._kept.put(receipt["uploaded"], receipt, measures_record(found))
        return found

    def _from_kept(self, receipt: Receipt) -> SideMeasures:
        kept = self._kept.get(receipt["uploaded"])
        if kept is None:
            raise StaleAnalysisError(
                f"the kept measures {receipt['uploaded'][:12]} are gone or damaged; {AGAIN}"
            )
        return measures_from(kept.measures)

    def _from_server(self, receipt: Receipt, paths: Sequence[str]) -> SideMeasures:
        tree = self._tree(receipt["project"], receipt["analysis"])
        module, components = receipt["module"], receipt["components"]
        there = {path for path in tree.files if not module or path.split("/", 1)[0] == module}
        uploaded = set(components.values())
        if there != uploaded:
            raise StaleAnalysisError(
                f"the analysis {receipt['analysis']!r} of {receipt['project']!r} lacks the files "
                f"{sorted(uploaded - there)[:5]} and has {sorted(there - uploaded)[:5]} besides "
                f"({LEFT_OUT}); {AGAIN}"
            )
        own = tree.own if not module else tree.children[module]
        lines = receipt["stopped_at_line"]
        files = (self._file(path, tree.files[components[path]], lines.get(path)) for path in paths)
        return SideMeasures(tuple(files), self._numbers(own), self._additive)

    def _file(self, path: str, found: Measures, line: int | None) -> FileMeasures:
        """Return a file's measures; the server alone says whether it parsed, the scanner's log just where."""
        states = found.switched_off(self._off, SWITCHED_OFF)
        numbers = states.numbers()
        unmeasured = tuple(key for key in states.reasons() if isinstance(states[key], NotMeasured))
        parsed = found.parsed is not False
        reason = None
        if not parsed:
            reason = "no longer parses: SonarQube could not parse it" + (f", line {line}" if line else "")
        elif lacking := [key for key in METRIC_KEYS if key not in numbers]:
            reason = f"this server has no measure of {', '.join(lacking)}"
        return FileMeasures(
            path,
            parsed=parsed,
            measures=numbers,
            reason=reason,
            not_measured=unmeasured,
            not_applicable=tuple(key for key in states.reasons() if key not in unmeasured),
        )

    def _numbers(self, own: Measures) -> dict[str, int | float]:
        return own.switched_off(self._off, SWITCHED_OFF).numbers()

    def _tree(self, project: str, analysis: str) -> "Tree":
        """Return a project's tree, which stands for the analysis both before and after it was read."""
        key = (project, analysis)
        if key not in self._trees:
            self._trees[key] = self._read_tree(project, analysis)
            while len(self._trees) > TREES_HELD:
                self._trees.popitem(last=False)
        found = self._trees[key]
        if isinstance(found, AnalyserError):
            raise found
        return found

    def _read_tree(self, project: str, analysis: str) -> "Tree | AnalyserError":
        try:
            self._require(project, analysis)
            tree = self._client.component_tree(project, self._metrics)
            self._require(project, analysis)
        except AnalyserUnavailableError:
            raise
        except ComponentMissingError as wrong:
            return StaleAnalysisError(f"the project {project!r} is not on the server ({wrong}); {AGAIN}")
        except AnalyserError as wrong:
            return wrong
        return tree

    def _require(self, project: str, analysis: str) -> None:
        last = self._client.last_analysis(project)
        if last is None or last.id != analysis:
            found = f"{last.id!r} of {last.date}" if last is not None else "none"
            raise StaleAnalysisError(
                f"the last analysis of {project!r} on the server is {found}, recorded was {analysis!r}; "
                f"{AGAIN}"
            )


def measures_record(side: SideMeasures) -> dict[str, Any]:
    """Return a side's measures as JSON-ready values."""
    return {
        "files": [asdict(file) for file in side.files],
        "own": dict(side.own),
        "additive": list(side.additive),
    }


def measures_from(record: Mapping[str, Any]) -> SideMeasures:
    """Return a side's measures from their record; raises StaleAnalysisError where it is of another form."""
    try:
        files = tuple(
            FileMeasures(
                **{**file, **{name: tuple(file[name]) for name in ("not_measured", "not_applicable")}}
            )
            for file in record["files"]
        )
        return SideMeasures(files, dict(record["own"]), tuple(record["additive"]))
    except (KeyError, TypeError) as wrong:
        raise StaleAnalysisError(f"kept measures are of another form ({wrong}); {AGAIN}") from None
