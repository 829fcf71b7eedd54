"""Power: the smallest effects that this sample would have shown in four of five cases."""

from collections.abc import Sequence

from swe_assets.patch_quality.analysis.column_words import columns, words
from swe_assets.patch_quality.analysis.evidence import Evidence
from swe_assets.patch_quality.analysis.logit_tables import Fitted
from swe_assets.reporting.tables import Table
from swe_assets.statistics.power import detectable_odds_ratio, detectable_paired_difference, detectable_rho
from swe_assets.statistics.undefined import Undefined

POWER = 0.8
DISCORDANT = 0.2  # share of instances that one of two submissions resolves and the other does not
COLUMNS = columns("what:id", "what_pt:text", "what_en:text", "n", "effect", "power")
_NOTES = (
    words(
        "Efeito mínimo visto em 80 % dos casos ao nível de 0.05; não ter visto um menor nada diz sobre ele.",
        "The smallest effect seen in 80 % of cases at the 0.05 level; not to have seen a smaller one says "
        "nothing about it.",
    ),
)


def power_table(evidence: Evidence, found: Sequence[Fitted]) -> Table:
    """Return what the sample could show: a correlation, an odds ratio a standard deviation, a difference.

    The difference is one in resolved rate from another submission on the same instances, of which a fifth
    have different outcomes.
    """
    n = evidence.matrix.n
    rows: list[tuple[object, ...]] = [
        (
            "rho",
            "uma correlação de Spearman",
            "a Spearman correlation",
            n,
            detectable_rho(n, power=POWER),
            POWER,
        )
    ]
    model = found[0]
    for name, factor in model.vif.items():
        rate = model.model.resolved / n
        effect = factor
        if not isinstance(factor, Undefined):
            effect = detectable_odds_ratio(n, rate, vif=factor, power=POWER)
        said = (
            f"uma razão de chances por desvio padrão de {name}",
            f"an odds ratio a standard deviation of {name}",
        )
        rows.append((f"odds_ratio {name}", *said, n, effect, POWER))
    gap = detectable_paired_difference(n, DISCORDANT, power=POWER)
    said = (
        "uma diferença na taxa resolvida para outra submissão com um quinto de desfechos diferentes",
        "a difference in resolved rate from another submission with a fifth of outcomes different",
    )
    rows.append(("paired_difference", *said, n, gap, POWER))
    return Table("power", words("Poder", "Power"), COLUMNS, tuple(rows), _NOTES)
