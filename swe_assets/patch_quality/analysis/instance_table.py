"""The instances: one row for each, in the matrix or not, with everything that is known of it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean

from swe_assets.patch_quality.analysis.column_words import columns, words
from swe_assets.patch_quality.analysis.evidence import Evidence, InstanceLine, Judgement
from swe_assets.patch_quality.analysis.matrix import MEASURED, METRICS, OUTCOME, SIDES
from swe_assets.reporting.tables import Table
from swe_assets.statistics.numeric import Number, is_missing

RATED = METRICS[1:4]
VALUES = (*RATED, *MEASURED, *(f"{side}_{metric}" for side in SIDES for metric in MEASURED))


def instance_table(evidence: Evidence) -> Table:
    """Return one row an instance: repository, place, reason, pass@1, ratings, measures, the judges' words.

    Measures that neither matrix nor account knows are absent. With several judges resolve_issue is their
    strict majority and score_confianca their mean.
    """
    verdicts: dict[str, list[Judgement]] = defaultdict(list)
    for judgement in evidence.judgements:
        verdicts[judgement.instance_id].append(judgement)
    inside, repos = _inside(evidence), dict(zip(evidence.matrix.ids, evidence.repos, strict=True))
    rows = [
        (
            line.instance_id, line.repo or repos.get(line.instance_id), line.place, line.stage or None,
            line.reason or None, line.outcome or None, None if line.resolved is None else int(line.resolved),
            *_values(inside.get(line.instance_id, line.known)), *_said(verdicts[line.instance_id]),
        )
        for line in lines_of(evidence)
    ]  # fmt: skip
    named = columns(
        "instance_id", "repo", "place", "stage", "reason", "outcome", OUTCOME, *VALUES,
        "resolve_issue", "score_confianca",
    )  # fmt: skip
    title = words("Todas as instâncias", "All instances")
    return Table("instances", title, named, tuple(rows), marks=evidence.marks_of("judge", *VALUES))


def lines_of(evidence: Evidence) -> Sequence[InstanceLine]:
    """Return one line an instance: the account's, or where there is none the matrix's own rows."""
    matrix = evidence.matrix
    outcomes = dict(zip(matrix.ids, map(bool, matrix.columns[OUTCOME]), strict=True))
    if not evidence.lines:
        rows = zip(matrix.ids, evidence.repos, strict=True)
        return [InstanceLine(key, repo, resolved=outcomes[key]) for key, repo in rows]
    return evidence.lines


def _inside(evidence: Evidence) -> dict[str, dict[str, Number]]:
    """Return the matrix's values by instance and column."""
    matrix = evidence.matrix
    named = {**matrix.columns, **matrix.sides}
    return {key: {name: named[name][row] for name in named} for row, key in enumerate(matrix.ids)}


def _values(known: Mapping[str, Number]) -> list[Number | None]:
    found = (known.get(name) for name in VALUES)
    return [None if value is None or is_missing(value) else value for value in found]


def _said(verdicts: Sequence[Judgement]) -> tuple[bool | None, float | None]:
    if not verdicts:
        return None, None
    yes = sum(verdict.resolve_issue for verdict in verdicts)
    return 2 * yes > len(verdicts), fmean(verdict.score_confianca for verdict in verdicts)
