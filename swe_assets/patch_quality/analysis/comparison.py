"""Studies of one dataset side by side: resolved rates, paired differences, measures on common instances."""

import hashlib
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path

from swe_assets.errors import InputError
from swe_assets.patch_quality.analysis.column_words import columns, words
from swe_assets.patch_quality.analysis.evidence import Evidence, InstanceLine, repo_of
from swe_assets.patch_quality.analysis.evidence_files import read_evidence, sha256s_of_files
from swe_assets.patch_quality.analysis.evidence_tables import read_instances
from swe_assets.patch_quality.analysis.instance_table import VALUES, lines_of
from swe_assets.patch_quality.analysis.labels import labels_of_frame
from swe_assets.patch_quality.analysis.matrix import METRICS, read_matrix
from swe_assets.patch_quality.analysis.table import read_table
from swe_assets.reporting.tables import Table
from swe_assets.statistics.multiple_tests import holm
from swe_assets.statistics.numeric import Number, is_missing
from swe_assets.statistics.paired import McNemar, mcnemar_exact, paired_difference
from swe_assets.statistics.proportion import wilson_interval
from swe_assets.statistics.undefined import Undefined, Value

Pair = tuple["Submission", "Submission"]
UNKNOWN = Undefined("the repository of an instance is not known")


@dataclass(frozen=True)
class Submission:
    """One study as it is compared: a line an instance, with all of its measures that are known.

    ``marks`` are those that its measures must bear, such as rehearsal. ``inputs`` gives the sha256 of each
    file it was read from, as that was; ``changed`` says which of them are not what its own report was made
    from.
    """

    name: str
    lines: tuple[InstanceLine, ...]
    marks: frozenset[str] = frozenset()
    inputs: Mapping[str, str] = field(default_factory=dict)
    changed: tuple[str, ...] = ()

    @property
    def outcomes(self) -> dict[str, bool]:
        """Return the known outcomes by instance."""
        return {line.instance_id: line.resolved for line in self.lines if line.resolved is not None}

    @property
    def values(self) -> dict[str, Mapping[str, Number]]:
        """Return the measures by instance."""
        return {line.instance_id: line.known for line in self.lines}


def submission_of(name: str, evidence: Evidence) -> Submission:
    """Return a study's evidence as it is compared."""
    matrix = evidence.matrix
    named = {**matrix.columns, **matrix.sides}
    rows = {
        key: {column: named[column][row] for column in VALUES if column in named}
        for row, key in enumerate(matrix.ids)
    }
    lines = []
    for line in lines_of(evidence):
        known = rows.get(line.instance_id, line.known)
        kept = {column: value for column, value in known.items() if not is_missing(value)}
        lines.append(
            InstanceLine(
                line.instance_id,
                line.repo,
                line.place,
                line.stage,
                line.reason,
                line.outcome,
                line.resolved,
                kept,
            )
        )
    return Submission(name, tuple(lines), evidence.marks_of("judge", *VALUES))


def submission_of_folder(name: str, folder: Path) -> Submission:
    """Return the study whose report lies in a folder, under its own title where no name is given.

    Raises ReportError and MatrixError as ``read_evidence`` does.
    """
    evidence, changed = read_evidence(folder)
    found = submission_of(name or evidence.title, evidence)
    return replace(found, inputs=sha256s_of_files(folder), changed=tuple(changed))


def submission_of_csv(name: str, path: Path) -> Submission:
    """Return what a CSV tells of one study: a consolidated matrix, or at least instance_id and pass@1.

    A table with a column place holds instances that are in no matrix, and need not have all measures. Its
    columns judge, analyser, rehearsal and marks, where present, say what the measures must bear.
    Raises MatrixError as ``read_matrix`` and ``read_instances`` do.
    """
    table, inputs = read_table(path), {path.name: hashlib.sha256(path.read_bytes()).hexdigest()}
    if set(METRICS) <= set(table.columns) and "place" not in table.columns:
        return replace(submission_of(name, Evidence(name, read_matrix(path))), inputs=inputs)
    return Submission(name, read_instances(path), frozenset(labels_of_frame(table).marks), inputs)


def check_submissions(submissions: Sequence[Submission]) -> None:
    """Raise InputError for fewer than two submissions, a name twice, or two without a common instance."""
    names = [submission.name for submission in submissions]
    if len(names) < 2 or len(set(names)) < len(names):
        raise InputError(f"compare {names!r}: give at least two studies, each under a name of its own")
    for one, other in combinations(submissions, 2):
        if not one.outcomes.keys() & other.outcomes.keys():
            raise InputError(
                f"{one.name!r} and {other.name!r} have no common instance with a known outcome; compare "
                "studies of the same dataset"
            )


def studies_table(submissions: Sequence[Submission]) -> Table:
    """Return each study's resolved rate over its own instances, with Wilson's interval."""
    rows = []
    for one in submissions:
        outcomes = list(one.outcomes.values())
        share = wilson_interval(sum(outcomes), len(outcomes))
        bounds = (
            (share, share, share) if isinstance(share, Undefined) else (share.value, share.low, share.high)
        )
        rows.append((one.name, len(outcomes), sum(outcomes), *bounds))
    named = columns("study", "n", "resolved", "rate", "low:share", "high:share")
    return Table("comparison_studies", words("Os estudos", "The studies"), named, tuple(rows))


COMPARISON = columns(
    "a", "b", "n", "both", "only_a", "only_b", "neither", "rate_a", "rate_b", "difference", "low", "high",
    "p_mcnemar", "p_holm", "p_clustered:p", "n_clusters",
)  # fmt: skip


def comparison_table(submissions: Sequence[Submission]) -> Table:
    """Return each pair's paired difference in resolved rate over their common instances.

    McNemar's exact p, Newcombe's interval of a - b, Holm over all pairs; ``p_clustered`` is the paired t test
    with the repositories as clusters.
    """
    tests = [_test(*pair) for pair in combinations(submissions, 2)]
    corrected = holm([p for _cells, p, _rest in tests]).adjusted
    rows = [(*cells, p, q, *rest) for (cells, p, rest), q in zip(tests, corrected, strict=True)]
    title = words("Diferenças pareadas na taxa resolvida", "Paired differences in resolved rate")
    note = words(
        "A diferença é A menos B sobre as instâncias comuns; no teste só falam as que uma resolve e a "
        "outra não.",
        "The difference is A minus B over common instances; only those that one resolves and the other does "
        "not speak in the test.",
    )
    return Table("comparison", title, COMPARISON, tuple(rows), (note,))


def _test(one: Submission, other: Submission) -> tuple[tuple[object, ...], Value, tuple[object, ...]]:
    """Return the cells before p, McNemar's p, and the cells after Holm's."""
    first, second = one.outcomes, other.outcomes
    common = [key for key in first if key in second]
    pairs = [(first[key], second[key]) for key in common]
    both, only_a, only_b, neither = (
        pairs.count(pair) for pair in ((True, True), (True, False), (False, True), (False, False))
    )
    found = mcnemar_exact(both, only_a, only_b, neither)
    n = len(common)
    why = found if isinstance(found, Undefined) else None
    rates = (why, why) if why else ((both + only_a) / n, (both + only_b) / n)
    gap: tuple[object, ...] = (why, why, why)
    if isinstance(found, McNemar):
        gap = (found.difference, found.low, found.high)
    cells = (one.name, other.name, n, both, only_a, only_b, neither, *rates, *gap)
    p = found if isinstance(found, Undefined) else found.p
    return cells, p, _clustered(repositories(one, other, common), pairs)


def repositories(one: Submission, other: Submission, common: Sequence[str]) -> list[Hashable] | None:
    """Return the repository of each common instance, which either study or its id tells; None without one."""
    told = {line.instance_id: line.repo for line in (*one.lines, *other.lines) if line.repo}
    found = [told.get(key) or repo_of(key) for key in common]
    return None if None in found else list(found)


def _clustered(repos: list[Hashable] | None, pairs: Sequence[tuple[bool, bool]]) -> tuple[object, object]:
    """Return the paired t test's p with repositories as clusters, and how many there are."""
    if repos is None:
        return UNKNOWN, None
    found = paired_difference([int(a) for a, _ in pairs], [int(b) for _, b in pairs], clusters=repos)
    return (found if isinstance(found, Undefined) else found.p), len(set(repos))
