"""The judges beside the tests: confusion, calibration and discrimination of each, and of a jury."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import fmean

from swe_assets.judging.jury_quality import JURY, Quality, Said, chance_of, quality
from swe_assets.patch_quality.analysis.bounds import bounds
from swe_assets.patch_quality.analysis.column_words import columns, words
from swe_assets.patch_quality.analysis.evidence import Evidence, Judgement
from swe_assets.patch_quality.analysis.instance_table import lines_of
from swe_assets.reporting.tables import Table
from swe_assets.statistics.calibration import ReliabilityBin
from swe_assets.statistics.classification import Rate

RATES: tuple[Rate, ...] = ("accuracy", "sensitivity", "specificity", "precision")
TESTS = columns(
    "judge", "n", "tp", "fp", "fn", "tn",
    *(f"{rate}{end}:share" for rate in RATES for end in ("", "_low", "_high")),
    "balanced_accuracy", "f1", "mcc", "mcc_low", "mcc_high",
)  # fmt: skip
CALIBRATION = columns("who", "bin", "n", "mean_said", "rate", "low:share", "high:share")
SCALE = words(
    "Probabilidade dita: veredito e confiança (1 a 5) em dez degraus iguais, de 0.05 a 0.95; a rubrica pede "
    "uma confiança ordinal, de modo que este mapa é uma escolha.",
    "Probability stated: verdict and confidence (1 to 5) on ten equal steps from 0.05 to 0.95; the rubric "
    "asks for an ordinal confidence, so this map is a choice.",
)


def judge_qualities(evidence: Evidence) -> list[Quality]:
    """Return how each judge's verdicts stand to the tests, over the instances with a known outcome.

    With several judges the jury is the last: a strict majority, and the mean of the chances. An instance
    that the jury did not judge whole is not in the jury's numbers.
    """
    passed = {line.instance_id: line.resolved for line in lines_of(evidence) if line.resolved is not None}
    by_judge: dict[str, list[Said]] = defaultdict(list)
    by_instance: dict[str, list[Judgement]] = defaultdict(list)
    for one in evidence.judgements:
        if one.instance_id in passed:
            chance = chance_of(one.resolve_issue, one.score_confianca)
            said = Said(one.instance_id, one.resolve_issue, chance, bool(passed[one.instance_id]))
            by_judge[one.judge].append(said)
            by_instance[one.instance_id].append(one)
    found = [_quality(evidence, judge, said) for judge, said in by_judge.items()]
    if len(by_judge) > 1:
        whole = {key: those for key, those in by_instance.items() if len(those) == len(by_judge)}
        jury = [_of_jury(key, those, passed=bool(passed[key])) for key, those in whole.items()]
        found.append(_quality(evidence, JURY, jury))
    return found


def judge_tests_table(evidence: Evidence, found: Iterable[Quality]) -> Table | None:
    """Return each judge's verdicts against the tests; rates have Wilson's intervals, MCC a bootstrap's."""
    rows = []
    for one in found:
        seen = one.confusion
        rates = [cell for rate in RATES for cell in bounds(seen.rate(rate))]
        cells = (seen.n, seen.tp, seen.fp, seen.fn, seen.tn)
        rows.append((one.judge_id, *cells, *rates, seen.balanced_accuracy, seen.f1, *bounds(one.mcc)))
    if not rows:
        return None
    title = words("O juiz diante dos testes", "The judge against the tests")
    return Table("judge_tests", title, TESTS, tuple(rows), marks=evidence.marks_of("judge"))


def calibration_rows(who: str, curve: Iterable[ReliabilityBin]) -> list[tuple[object, ...]]:
    """Return the rows of table calibration for one reliability curve, bins numbered by tenth from 1."""
    return [
        (who, round(part.low * 10) + 1, part.n, part.mean_chance, part.rate, part.rate_low, part.rate_high)
        for part in curve
    ]


def _quality(evidence: Evidence, judge: str, said: Sequence[Said]) -> Quality:
    seed = evidence.settings.stream(f"judge_tests {judge}")
    return quality(judge, said, draws=evidence.settings.draws, seed=seed)


def _of_jury(instance_id: str, those: Sequence[Judgement], *, passed: bool) -> Said:
    chance = fmean(chance_of(one.resolve_issue, one.score_confianca) for one in those)
    return Said(instance_id, 2 * sum(one.resolve_issue for one in those) > len(those), chance, passed)
