"""The agreement of a jury as tables: alpha by measure, kappa by pair of judges, and their confusion."""

from collections.abc import Iterable, Sequence

from swe_assets.judging.jury_agreement import MeasureAgreement
from swe_assets.patch_quality.analysis.bounds import bounds
from swe_assets.patch_quality.analysis.column_words import words
from swe_assets.reporting.tables import Column, Table
from swe_assets.statistics.undefined import Undefined

NAME = "acordo_juizes"


MEASURE = Column("measure", words("Medida", "Measure"), "id")
N = Column("n", words("n", "n"), "integer")
LOW = Column("low", words("IC 95 % inf.", "95 % CI low"), "number")
HIGH = Column("high", words("IC 95 % sup.", "95 % CI high"), "number")
A = Column("judge_a", words("Juiz A", "Judge A"), "id")
B = Column("judge_b", words("Juiz B", "Judge B"), "id")

ALPHA_COLUMNS = (
    MEASURE,
    Column("level", words("Nível", "Level"), "id"),
    N,
    Column("stated", words("Valores afirmados", "Values stated"), "integer"),
    Column("alpha", words("Alfa de Krippendorff", "Krippendorff's alpha"), "number"),
    LOW,
    HIGH,
)
PAIR_COLUMNS = (
    MEASURE,
    A,
    B,
    N,
    Column("same", words("Iguais", "Equal"), "share"),
    Column("kappa", words("Kappa", "Kappa"), "number"),
    LOW,
    HIGH,
)
COUNT_COLUMNS = (
    MEASURE,
    A,
    Column("value_a", words("Valor de A", "Value of A"), "integer"),
    B,
    Column("value_b", words("Valor de B", "Value of B"), "integer"),
    Column("count", words("Instâncias", "Instances"), "integer"),
)
JURY_COLUMNS = (
    N,
    Column("judges", words("Juízes", "Judges"), "integer"),
    Column("unanimous", words("Unânimes", "Unanimous"), "share"),
    Column("ties", words("Empates", "Ties"), "integer"),
    Column("mean_spread", words("Amplitude média de score_confianca", "Mean spread of confidence"), "number"),
)
_READING = words(
    "Alfa: 1 é acordo pleno, 0 o que o acaso dá; a partir de 0.8 confiável, de 0.667 para conclusões "
    "provisórias (Krippendorff). Intervalo: bootstrap de instâncias. Um valor de reserva não é afirmação do "
    "juiz e não conta; n são as instâncias com dois valores afirmados ou mais.",
    "Alpha: 1 is full agreement, 0 what chance gives; from 0.8 reliable, from 0.667 for tentative "
    "conclusions (Krippendorff). Interval: bootstrap over instances. A fallback value is nothing that a "
    "judge stated and does not count; n are the instances with two stated values or more.",
)
_WEIGHTS = words(
    "Kappa com pesos quadráticos nas medidas ordinais, sem pesos em resolve_issue.",
    "Kappa with quadratic weights on ordinal measures, unweighted on resolve_issue.",
)


def agreement_tables(
    found: Sequence[MeasureAgreement],
    votes: Sequence[tuple[int, int]],
    spreads: Sequence[int],
    *,
    marks: frozenset[str],
) -> list[Table]:
    """Return the tables of a jury's agreement.

    ``votes``: (resolved, of) for each instance; ``spreads``: largest score less smallest for each. ``marks``
    says what the judges must not be taken for.
    """
    return [
        Table(NAME, words("Acordo por medida", "Agreement by measure"), ALPHA_COLUMNS,
              tuple(map(_alpha_row, found)), (_READING,), marks),
        Table(f"{NAME}_pares", words("Acordo por par de juízes", "Agreement by pair"), PAIR_COLUMNS,
              tuple(_pair_rows(found)), (_WEIGHTS,), marks),
        Table(f"{NAME}_confusao", words("Confusão por par de juízes", "Confusion by pair"), COUNT_COLUMNS,
              tuple(_count_rows(found)), (), marks),
        Table(f"{NAME}_juri", words("O júri", "The jury"), JURY_COLUMNS,
              (_jury_row(votes, spreads),), (), marks),
    ]  # fmt: skip


def confusion_tables(found: Sequence[MeasureAgreement], *, marks: frozenset[str]) -> list[Table]:
    """Return the confusion of each pair as a reader wants it: a table a measure, b's values as columns."""
    tables = []
    for one in found:
        values = [Column(f"b_{v}", words(f"B: {v}", f"B: {v}"), "integer") for v in one.measure.values]
        said = Column("value_a", words("A diz", "A says"), "integer")
        rows = [
            (pair.a, pair.b, value, *counts)
            for pair in one.pairs
            for value, counts in zip(one.measure.values, pair.counts, strict=True)
        ]
        title = words(f"Confusão: {one.measure.name}", f"Confusion: {one.measure.name}")
        tables.append(Table(one.measure.name, title, (A, B, said, *values), tuple(rows), (), marks))
    return tables


def _alpha_row(one: MeasureAgreement) -> tuple[object, ...]:
    return (one.measure.name, one.measure.level, one.n, one.stated, *bounds(one.alpha))


def _pair_rows(found: Iterable[MeasureAgreement]) -> Iterable[tuple[object, ...]]:
    for one in found:
        for pair in one.pairs:
            same = pair.same / pair.n if pair.n else Undefined("no instance was rated by both")
            yield (one.measure.name, pair.a, pair.b, pair.n, same, *bounds(pair.kappa))


def _count_rows(found: Iterable[MeasureAgreement]) -> Iterable[tuple[object, ...]]:
    for one in found:
        values = one.measure.values
        for pair in one.pairs:
            for value_a, row in zip(values, pair.counts, strict=True):
                for value_b, count in zip(values, row, strict=True):
                    yield (one.measure.name, pair.a, value_a, pair.b, value_b, count)


def _jury_row(votes: Sequence[tuple[int, int]], spreads: Sequence[int]) -> tuple[object, ...]:
    if not votes or votes[0][1] < 2:
        why = Undefined("no jury: one judge alone" if votes else "nothing was judged")
        return (len(votes), votes[0][1] if votes else 0, why, why, why)
    unanimous = sum(resolved in (0, of) for resolved, of in votes)
    ties = sum(2 * resolved == of for resolved, of in votes)
    return (len(votes), votes[0][1], unanimous / len(votes), ties, sum(spreads) / len(spreads))
