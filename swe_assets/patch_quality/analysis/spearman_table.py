"""The rank correlations of the nine metrics: corrected p, intervals, permutation, and given size."""

from swe_assets.patch_quality.analysis.bounds import bounds
from swe_assets.patch_quality.analysis.column_words import columns, words
from swe_assets.patch_quality.analysis.correlation_tables import PAIRS, corrected
from swe_assets.patch_quality.analysis.evidence import Evidence
from swe_assets.patch_quality.analysis.matrix import METRICS
from swe_assets.reporting.tables import Column, Table
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
FEWEST_REPOS = (
    5  # of 4 or fewer there are at most 35 different resamples: a tail of 2.5 % has none of its own
)
ROUGH_REPOS = 20
COLUMNS = (
    *columns(
        "a", "b", "rho", "p", "p_holm", "p_bh", "ci_low", "ci_high", "ci_method", "p_permutation",
        "partial_rho_given_size", "partial_p", "n",
    ),
    Column("repo_low", words("IC 95 % inf. (repositórios)", "95 % CI low (repositories)"), "number"),
    Column("repo_high", words("IC 95 % sup. (repositórios)", "95 % CI high (repositories)"), "number"),
    Column("n_repos", words("repositórios", "repositories"), "integer"),
)  # fmt: skip


def spearman_table(evidence: Evidence) -> Table:
    """Return each pair of the nine metrics once, pass@1 first.

    p from t with n - 2 degrees of freedom; Holm and Benjamini-Hochberg over the 36 pairs; a seeded bootstrap
    interval over instances (BCa where it has a value); a seeded permutation p; rho and p given ncloc, absent
    for pairs with ncloc itself; and a seeded bootstrap interval over whole repositories.
    """
    matrix, settings = evidence.matrix, evidence.settings
    draws, orders = (drawn(matrix.n, asked) for asked in (settings.draws, settings.permutations))
    ranks = spearman(matrix.columns)
    how = Bootstrap(draws=draws, seed=settings.stream("spearman bootstrap"))
    intervals = spearman_interval(matrix.columns, how=how)
    permuted = spearman_permutation(
        matrix.columns, draws=orders, seed=settings.stream("spearman permutation")
    )
    grouped, repos = _by_repository(evidence, draws)
    partial, adjusted = partial_spearman(matrix.columns, [SIZE]), corrected(ranks)
    rows = []
    for pair in PAIRS:
        _value, low, high = bounds(intervals[pair])
        rows.append((
            *pair, ranks.rho[pair], ranks.p[pair], *adjusted[pair], low, high, _method(intervals[pair]),
            _permuted(permuted[pair]), *_partial(partial, pair), matrix.n,
            *_ends(grouped, pair), repos,
        ))  # fmt: skip
    note = words(
        f"IC: {draws} reamostras das instâncias; permutação: {orders} ordens; semente {settings.seed}, "
        f"um fluxo próprio para cada; "
        f"tamanho: {SIZE}.",
        f"CI: {draws} resamples of the instances; permutation: {orders} orders; seed {settings.seed}, a "
        f"stream of its own for each; size: "
        f"{SIZE}.",
    )
    title = words("Correlações de Spearman", "Spearman correlations")
    return Table("spearman", title, COLUMNS, tuple(rows), (note, _REPOS), evidence.marks_of(*METRICS))


_REPOS = words(
    f"repo_low e repo_high: o IC quando se reamostram repositórios inteiros, pois instâncias de um deles se "
    f"parecem; pede o repositório de toda instância e ao menos {FEWEST_REPOS} deles, e com menos de "
    f"{ROUGH_REPOS} é aproximado.",
    f"repo_low and repo_high: the CI when whole repositories are resampled, for instances of one are "
    f"alike; it takes the repository of every instance and at least {FEWEST_REPOS} of them, and with fewer "
    f"than {ROUGH_REPOS} it is rough.",
)


def _by_repository(
    evidence: Evidence, draws: int
) -> tuple[dict[tuple[str, str], Estimate | Undefined] | Undefined, int | None]:
    """Return the intervals over whole repositories, or why there are none, and how many repositories."""
    repos = evidence.repos
    if None in repos:
        return Undefined("the repository of an instance is not known"), None
    count = len(set(repos))
    if count < FEWEST_REPOS:
        return Undefined(f"{count} repositories to draw from, at least {FEWEST_REPOS} are needed"), count
    how = Bootstrap(draws=draws, seed=evidence.settings.stream("spearman bootstrap of repositories"))
    return spearman_interval(evidence.matrix.columns, clusters=repos, how=how), count


def _ends(
    found: dict[tuple[str, str], Estimate | Undefined] | Undefined, pair: tuple[str, str]
) -> tuple[object, object]:
    _value, low, high = bounds(found if isinstance(found, Undefined) else found[pair])
    return low, high


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
