"""Power: the smallest effects that this sample would have shown in four of five cases."""

from collections.abc import Callable, Sequence
from functools import partial

from swe_assets.patch_quality.analysis.column_words import columns, words
from swe_assets.patch_quality.analysis.correlation_tables import PAIRS
from swe_assets.patch_quality.analysis.evidence import Evidence
from swe_assets.patch_quality.analysis.finding import ALPHA
from swe_assets.patch_quality.analysis.logit_tables import Fitted
from swe_assets.reporting.tables import Column, Table
from swe_assets.statistics.power import detectable_odds_ratio, detectable_paired_difference, detectable_rho
from swe_assets.statistics.undefined import Undefined, Value

POWER = 0.8
DISCORDANT = 0.2  # share of instances that one of two submissions resolves and the other does not
COLUMNS = (
    *columns("what:id", "what_pt:text", "what_en:text", "n", "effect"),
    Column("effect_holm", words("efeito após Holm", "effect after Holm"), "number"),
    Column("tests", words("testes da família", "tests of the family"), "integer"),
    *columns("power"),
)
_NOTES = (
    words(
        "Efeito mínimo visto em 80 % dos casos: efeito (effect) ao nível de 0.05; effect_holm ao nível "
        "0.05/m, o que a correção de Holm pede no pior caso de uma família de m testes (36 pares; os "
        "preditores de um modelo; uma só comparação), e que um achado forte precisa. Não ter visto um menor "
        "nada diz sobre ele.",
        "The smallest effect seen in 80 % of cases: effect at the 0.05 level; effect_holm at 0.05/m, what "
        "Holm's correction asks at worst of a family of m tests (36 pairs; the predictors of a model; one "
        "comparison alone), and a strong finding needs. Not to have seen a smaller one says nothing about "
        "it.",
    ),
)


def power_table(evidence: Evidence, found: Sequence[Fitted]) -> Table:
    """Return what the sample could show: a correlation, an odds ratio a standard deviation, a difference.

    Each at 0.05 and at Holm's worst case for its family of tests. The difference is one in resolved rate from
    another submission on the same instances, of which a fifth have different outcomes.
    """
    n, model = evidence.matrix.n, found[0]
    rate, predictors = model.model.resolved / n, len(model.vif)
    rows = [
        _row(
            "rho",
            "uma correlação de Spearman",
            "a Spearman correlation",
            n,
            len(PAIRS),
            partial(detectable_rho, n),
        )
    ]
    for name, factor in model.vif.items():
        pt = f"uma razão de chances por desvio padrão de {name}"
        en = f"an odds ratio a standard deviation of {name}"
        if isinstance(factor, Undefined):
            rows.append((f"odds_ratio {name}", pt, en, n, factor, factor, predictors, POWER))
            continue
        shown = partial(detectable_odds_ratio, n, rate, vif=factor)
        rows.append(_row(f"odds_ratio {name}", pt, en, n, predictors, shown))
    pt = "uma diferença na taxa resolvida para outra submissão com um quinto de desfechos diferentes"
    en = "a difference in resolved rate from another submission with a fifth of outcomes different"
    gap = partial(detectable_paired_difference, n, DISCORDANT)
    rows.append(_row("paired_difference", pt, en, n, 1, gap))
    return Table("power", words("Poder", "Power"), COLUMNS, tuple(rows), _NOTES)


def _row(what: str, pt: str, en: str, n: int, tests: int, shown: Callable[..., Value]) -> tuple[object, ...]:
    """Return the smallest effect shown at 0.05, and at 0.05 over the number of tests of its family."""
    effects = (shown(power=POWER, alpha=ALPHA / m) for m in (1, tests))
    return (what, pt, en, n, *effects, tests, POWER)
