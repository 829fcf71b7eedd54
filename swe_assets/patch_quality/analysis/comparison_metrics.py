"""Paired differences of every measure on the common instances of two studies, clusters taken into account."""

from collections.abc import Sequence
from itertools import combinations
from math import sqrt

from swe_assets.patch_quality.analysis.column_words import columns, words
from swe_assets.patch_quality.analysis.comparison import UNKNOWN, Submission, repositories
from swe_assets.patch_quality.analysis.instance_table import VALUES
from swe_assets.reporting.tables import Column, Table
from swe_assets.statistics.multiple_tests import holm
from swe_assets.statistics.paired import PairedDifference, paired_difference
from swe_assets.statistics.undefined import Undefined, Value

METRIC_COLUMNS = (
    *columns("a", "b", "metric", "n", "mean_a", "mean_b", "difference", "low", "high", "p", "p_holm"),
    Column("p_clustered", words("p (repositórios)", "p (repositories)"), "p"),
    Column("low_clustered", words("IC 95 % inf. (repositórios)", "95 % CI low (repositories)"), "number"),
    Column("high_clustered", words("IC 95 % sup. (repositórios)", "95 % CI high (repositories)"), "number"),
    *columns("n_clusters"),
    Column("d", words("diferença em desvios", "difference in sds"), "number"),
    Column("d_low", words("IC 95 % inf. em desvios", "95 % CI low in sds"), "number"),
    Column("d_high", words("IC 95 % sup. em desvios", "95 % CI high in sds"), "number"),
)
_NOTES = (
    words(
        "A diferença é A menos B, com o p do teste t pareado; Holm sobre as linhas. p_clustered e seu IC "
        "tomam os repositórios como grupos (CR1, t com um grau a menos que grupos; com menos de 20 é "
        "aproximado). d é a diferença em desvios padrão das diferenças, com o mais largo dos dois "
        "intervalos.",
        "The difference is A minus B, with the paired t test's p; Holm over the rows. p_clustered and its CI "
        "take repositories as clusters (CR1, t with one degree less than clusters; rough with fewer than "
        "20). d is the difference in standard deviations of the differences, with the wider of the two "
        "intervals.",
    ),
)


def metrics_table(submissions: Sequence[Submission]) -> Table:
    """Return each pair's paired difference in each measure over the instances where both have it."""
    found = [
        cells
        for one, other in combinations(submissions, 2)
        for metric in VALUES
        if (cells := _metric(one, other, metric)) is not None
    ]
    corrected = holm([p for _before, p, _after in found]).adjusted
    rows = tuple(
        (*before, p, adjusted, *after) for (before, p, after), adjusted in zip(found, corrected, strict=True)
    )
    title = words("Medidas nas instâncias comuns", "Measures on common instances")
    marks = frozenset().union(*(submission.marks for submission in submissions))
    return Table("comparison_metrics", title, METRIC_COLUMNS, rows, _NOTES, marks)


def _metric(
    one: Submission, other: Submission, metric: str
) -> tuple[tuple[object, ...], Value, tuple[object, ...]] | None:
    """Return the cells before p, p, and those after Holm's; None where no instance has it in both."""
    first, second = one.values, other.values
    common = [key for key in first if key in second and metric in first[key] and metric in second[key]]
    if not common:
        return None
    a, b = [first[key][metric] for key in common], [second[key][metric] for key in common]
    repos = repositories(one, other, common)
    plain = paired_difference(a, b)
    grouped = UNKNOWN if repos is None else paired_difference(a, b, clusters=repos)
    means = (float(sum(a)) / len(a), float(sum(b)) / len(b))
    spans = [_span(found) for found in (plain, grouped)]
    count = None if repos is None else len(set(repos))
    before = (one.name, other.name, metric, len(common), *means, *spans[0][:3])
    return before, spans[0][3], (spans[1][3], *spans[1][1:3], count, *_in_sds(plain, grouped))


def _span(found: PairedDifference | Undefined) -> tuple[Value, Value, Value, Value]:
    """Return difference, bounds and p, or four times why there are none."""
    if isinstance(found, Undefined):
        return (found,) * 4
    return found.mean, found.low, found.high, found.p


def _in_sds(
    plain: PairedDifference | Undefined, grouped: PairedDifference | Undefined
) -> tuple[Value, Value, Value]:
    """Return the difference and the wider interval in standard deviations of the paired differences."""
    if isinstance(plain, Undefined):
        return (plain,) * 3
    if isinstance(plain.se, Undefined):
        return (plain.se,) * 3
    sd = plain.se * sqrt(plain.n)
    half = _half(plain)
    if isinstance(grouped, PairedDifference):
        half = max(half, _half(grouped))
    return plain.mean / sd, (plain.mean - half) / sd, (plain.mean + half) / sd


def _half(found: PairedDifference) -> float:
    """Return half an interval's width, 0 where it has none."""
    return 0.0 if isinstance(found.high, Undefined) else found.high - found.mean
