"""What the tables about judges come to, in a few sentences for the report."""

from collections.abc import Iterable, Sequence

from swe_assets.judging.jury_agreement import MeasureAgreement
from swe_assets.judging.jury_consistency import Form, Repeats
from swe_assets.judging.jury_quality import Quality
from swe_assets.reporting.readable import readable
from swe_assets.statistics.estimate import Estimate
from swe_assets.statistics.kappa import Kappa
from swe_assets.statistics.undefined import Undefined


def agreement_sentences(found: Sequence[MeasureAgreement], votes: Sequence[tuple[int, int]]) -> list[str]:
    """Return how far the jury agrees; of one judge that there is nobody to agree with."""
    if not votes or votes[0][1] < 2:
        return [f"Sem acordo a medir: {_judged(len(votes))} por um só juiz."]
    unanimous = sum(resolved in (0, of) for resolved, of in votes)
    ties = sum(2 * resolved == of for resolved, of in votes)
    share = readable(unanimous / len(votes), "share", "pt")
    first = f"{votes[0][1]} juízes, {_judged(len(votes))}: unânimes em {share}; empates: {ties}."
    return [
        first,
        *(f"{one.measure.name}: alfa de Krippendorff {_with_interval(one.alpha)}." for one in found),
    ]


def quality_sentences(found: Iterable[Quality]) -> list[str]:
    """Return each judge's MCC, sensitivity and specificity, and what it said of patches that do nothing."""
    return [
        f"{one.judge_id}: MCC {_with_interval(one.mcc)}; sensibilidade "
        f"{_share(one.confusion.rate('sensitivity'))}, especificidade "
        f"{_share(one.confusion.rate('specificity'))}; «resolvida» dita de {one.refuted[-1].said} de "
        f"{one.refuted[-1].n} patches que nada resolvem."
        for one in found
    ]


def consistency_sentences(repeated: Iterable[Repeats], forms: Iterable[Form], *, asked: bool) -> list[str]:
    """Return how often each judge changes its verdict; where it was not asked for, that it was not."""
    if not asked:
        return ["Não foi pedida: os vereditos foram dados uma só vez."]
    again = [
        f"{one.judge_id}, a mesma pergunta de novo: muda de veredito em {_share(one.flipped)} de {one.n} "
        f"instâncias; chamadas sem veredito: {one.failed}."
        for one in repeated
    ]
    other = [
        f"{one.judge_id}, {one.form}: muda de veredito em {_share(one.flipped)} de {one.n} instâncias; "
        f"chamadas sem veredito: {one.failed}."
        for one in forms
    ]
    return [*again, *other]


def _judged(count: int) -> str:
    return f"{count} instância{'' if count == 1 else 's'} julgada{'' if count == 1 else 's'}"


def _share(value: Estimate | Undefined) -> str:
    """Return a share in per cent with its interval, or why there is none."""
    return _with_interval(value, "share")


def _with_interval(value: Estimate | Kappa | Undefined, kind: str = "number") -> str:
    """Return a value with its interval, or that and why it is undefined."""
    if isinstance(value, Undefined):
        return f"indefinido ({value.reason})"
    shown, bounds = readable(value.value, kind, "pt"), (value.low, value.high)
    undefined = next((bound for bound in bounds if isinstance(bound, Undefined)), None)
    if undefined is not None:
        return f"{shown} (IC indefinido: {undefined.reason})"
    low, high = (readable(bound, kind, "pt") for bound in bounds)
    return f"{shown} (IC 95 % {low} a {high})"
