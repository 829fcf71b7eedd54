"""The correlations in two scenarios for what is missing: favourable and contrary."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from statistics import median

from swe_assets.patch_quality.analysis.column_words import columns, words
from swe_assets.patch_quality.analysis.correlation_tables import PAIRS
from swe_assets.patch_quality.analysis.evidence import IN_MATRIX, Evidence, InstanceLine
from swe_assets.patch_quality.analysis.matrix import METRICS, OUTCOME
from swe_assets.reporting.tables import Column, Table
from swe_assets.statistics import spearman
from swe_assets.statistics.numeric import Number
from swe_assets.statistics.rank_correlation import RankCorrelation

_NOTES = (
    words(
        "Toda instância fixada conta. O que falta recebe o maior ou o menor valor observado, do modo que "
        "aumenta ρ (cenário favorável) ou o diminui (cenário contrário); o que se sabe fica. São dois "
        "cenários, não uma estimativa nem os limites de ρ.",
        "Every pinned instance counts. What is missing is given the largest or smallest value observed, the "
        "way that raises ρ (favourable scenario) or lowers it (contrary scenario); what is known stays. "
        "These are two scenarios, neither an estimate nor the bounds of ρ.",
    ),
    words(
        "Com pass@1 e todo desfecho conhecido, nenhum outro preenchimento com valores observados põe mais "
        "(no contrário, menos) resolvidas acima das não resolvidas; ρ ainda pode sair um pouco além, pelos "
        "empates. Entre duas medidas outro preenchimento pode passar dos dois cenários.",
        "With pass@1 and every outcome known, no other filling with observed values puts more (in the "
        "contrary one, fewer) resolved above unresolved instances; ρ may still come out a little beyond, "
        "by its ties. Between two measures another filling may go beyond both scenarios.",
    ),
)
Columns = Mapping[str, Sequence[Number]]


def missing_table(evidence: Evidence) -> Table | None:
    """Return each pair's rho in the matrix and in both scenarios, or None where nothing is missing.

    Scenario of a pair: where one value is known, the other is the largest observed if that value lies above
    its column's median (pass@1: is 1), the smallest if below, the median if on it; where neither is known,
    both are the largest or both the smallest, by turns. The contrary one gives the second the opposite end.
    """
    lost = [line for line in evidence.lines if line.place != IN_MATRIX]
    if not lost:
        return None
    seen = evidence.matrix.columns
    ranges = {name: _range(name, values) for name, values in seen.items()}
    whole = spearman(seen)
    rows = []
    for a, b in PAIRS:
        best, worst = (
            _rho(a, b, _filled(a, b, seen, lost, ranges, turned=turned)) for turned in (False, True)
        )
        unknown = sum(_known(line, a) is None or _known(line, b) is None for line in lost)
        rows.append((a, b, whole.rho[a, b], best, worst, evidence.matrix.n, len(lost), unknown))
    named = (
        *columns("a", "b", "rho"),
        Column("rho_best", words("ρ, cenário favorável", "ρ, favourable scenario"), "number"),
        Column("rho_worst", words("ρ, cenário contrário", "ρ, contrary scenario"), "number"),
        *columns("n"),
        Column("n_lost", words("faltam", "missing"), "integer"),
        Column("n_unknown", words("sem valor", "without a value"), "integer"),
    )
    title = words("O que falta, em dois cenários", "What is missing, in two scenarios")
    return Table("missing_bounds", title, named, tuple(rows), _NOTES, evidence.marks_of(*METRICS))


@dataclass(frozen=True)
class _Range:
    """The values that stand in for a missing one of a column, by side: smallest, middle, largest."""

    ends: tuple[Number, Number, Number]

    def like(self, value: Number, of: "_Range", *, turned: bool) -> Number:
        """Return the value on the side on which another column's value lies, or on the opposite one."""
        side = (value > of.ends[1]) - (value < of.ends[1])
        return self.ends[1 + (-side if turned else side)]


def _range(name: str, values: Sequence[Number]) -> _Range:
    middle = 0.5 if name == OUTCOME else median(values)
    return _Range((min(values), middle, max(values)))


def _filled(
    a: str, b: str, seen: Columns, lost: Sequence[InstanceLine], ranges: Mapping[str, _Range], *, turned: bool
) -> RankCorrelation:
    """Return the correlation of a pair over the matrix and the lost, what is missing at its ends."""
    first, second = list(seen[a]), list(seen[b])
    turns = cycle((0, 2))
    for line in lost:
        x, y = _known(line, a), _known(line, b)
        if x is None and y is None:
            x = ranges[a].ends[next(turns)]
        if x is None and y is not None:
            x = ranges[a].like(y, ranges[b], turned=turned)
        elif y is None and x is not None:
            y = ranges[b].like(x, ranges[a], turned=turned)
        first += [x] if x is not None else []
        second += [y] if y is not None else []
    return spearman({a: first, b: second})


def _rho(a: str, b: str, found: RankCorrelation) -> object:
    return found.rho[a, b]


def _known(line: InstanceLine, name: str) -> Number | None:
    if name == OUTCOME:
        return None if line.resolved is None else int(line.resolved)
    return line.known.get(name)
