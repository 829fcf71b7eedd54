"""The rank correlations of the nine metrics: corrected p, intervals, permutation, and given size."""

from swe_assets.patch_quality.analysis.bounds import bounds
from swe_assets.patch_quality.analysis.column_words import columns, words
from swe_assets.patch_quality.analysis.correlation_tables import PAIRS, corrected
from swe_assets.patch_quality.analysis.evidence import Evidence
from swe_assets.patch_quality.analysis.matrix import METRICS
from swe_assets.reporting.tables import Table
from swe_assets.statistics import spearman
from swe_assets.statistics.bootstrap import Bootstrap
from swe_assets.statistics.estimate import Estimate
from swe_assets.statistics.partial_correlation import partial_spearman
from swe_assets.statistics.rank_bootstrap import spearman_interval
from swe_assets.statistics.rank_correlation import RankCorrelation
from swe_assets.statistics.rank_permutation import PermutationTest, spearman_permutation
from swe_assets.statistics.undefined import Undefined, Value

SIZE = "ncloc"
MOST_CELLS = 20_000_000  # rows times draws: beyond it fewer are drawn, and the table says how many
FEWEST = 200
COLUMNS = columns(
    "a", "b", "rho", "p", "p_holm", "p_bh", "ci_low", "ci_high", "ci_method", "p_permutation",
    "partial_rho_given_size", "partial_p", "n",
)  # fmt: skip


def spearman_table(evidence: Evidence) -> Table:
    """Return each pair of the nine metrics once, pass@1 first.

    p from t with n - 2 degrees of freedom; Holm and Benjamini-Hochberg over the 36 pairs; a seeded bootstrap
    interval over instances (BCa where it has a value); a seeded permutation p; rho and p given ncloc, absent
    for pairs with ncloc itself.
    """
    matrix, settings = evidence.matrix, evidence.settings
    draws, orders = (drawn(matrix.n, asked) for asked in (settings.draws, settings.permutations))
    ranks = spearman(matrix.columns)
    intervals = spearman_interval(matrix.columns, how=Bootstrap(draws=draws, seed=settings.seed))
    permuted = spearman_permutation(matrix.columns, draws=orders, seed=settings.seed)
    partial, adjusted = partial_spearman(matrix.columns, [SIZE]), corrected(ranks)
    rows = []
    for pair in PAIRS:
        _value, low, high = bounds(intervals[pair])
        rows.append((
            *pair, ranks.rho[pair], ranks.p[pair], *adjusted[pair], low, high, _method(intervals[pair]),
            _permuted(permuted[pair]), *_partial(partial, pair), matrix.n,
        ))  # fmt: skip
    note = words(
        f"IC: {draws} reamostras das instâncias; permutação: {orders} ordens; semente {settings.seed}; "
        f"tamanho: {SIZE}.",
        f"CI: {draws} resamples of the instances; permutation: {orders} orders; seed {settings.seed}; size: "
        f"{SIZE}.",
    )
    title = words("Correlações de Spearman", "Spearman correlations")
    return Table("spearman", title, COLUMNS, tuple(rows), (note,), evidence.marks_of(*METRICS))


def drawn(rows: int, asked: int) -> int:
    """Return how many draws are made: those asked for, fewer where the rows are very many.

    >>> drawn(500, 10_000), drawn(50_000, 10_000)
    (10000, 400)
    """
    return min(asked, max(FEWEST, MOST_CELLS // max(rows, 1)))


def _method(found: Estimate | Undefined) -> str | None:
    if isinstance(found, Undefined):
        return None
    return f"{found.method} ({found.note})" if found.note else found.method


def _permuted(found: PermutationTest | Undefined) -> Value:
    return found if isinstance(found, Undefined) else found.p


def _partial(found: RankCorrelation, pair: tuple[str, str]) -> tuple[Value | None, Value | None]:
    return found.rho.get(pair), found.p.get(pair)
