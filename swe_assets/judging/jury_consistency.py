"""How steady a judge is: the same question again, the patch first, other words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from swe_assets.judging.jury_agreement import DRAWS, SEED, alpha_with_interval
from swe_assets.judging.jury_quality import chance_of
from swe_assets.judging.wording import BASE, ORDER, WORDING
from swe_assets.statistics.estimate import Estimate
from swe_assets.statistics.proportion import wilson_interval
from swe_assets.statistics.undefined import Undefined, Value

FORMS = (ORDER, WORDING)


@dataclass(frozen=True)
class Answer:
    """One verdict on one instance in one variant of the question; without a verdict there is an error."""

    instance_id: str
    variant: str
    resolved: bool | None = None
    confidence: int | None = None
    error: str = ""

    @property
    def again(self) -> bool:
        """Tell whether the question was the study's own, asked once or again."""
        return self.variant not in FORMS


@dataclass(frozen=True)
class Repeats:
    """One judge asked the same question again.

    ``n``: instances with two verdicts or more; ``flipped``: the share of them whose verdicts differ;
    ``resolve`` and ``confidence``: alpha over the repeats; ``spread``: the mean of largest less smallest
    confidence. ``failed``: calls without a verdict.
    """

    judge_id: str
    n: int
    verdicts: int
    failed: int
    flipped: Estimate | Undefined
    resolve: Estimate | Undefined
    confidence: Estimate | Undefined
    spread: Value


@dataclass(frozen=True)
class Form:
    """One judge asked in another form, each verdict beside that of the study's own form.

    ``to_resolved`` and ``to_not``: how many verdicts flipped which way; ``shift``: the mean change of the
    chance that a verdict stands for (see ``jury_quality.chance_of``).
    """

    judge_id: str
    form: str
    n: int
    failed: int
    flipped: Estimate | Undefined
    to_resolved: int
    to_not: int
    shift: Value


def repeats(judge_id: str, answers: Iterable[Answer], *, draws: int = DRAWS, seed: int = SEED) -> Repeats:
    """Return how steady a judge is on the same question; what has no value says why."""
    asked = [one for one in answers if one.again]
    by_instance = [given for given in _grouped(asked) if len(given) > 1]
    differing = sum(len({one.resolved for one in given}) > 1 for given in by_instance)
    votes = [[float(bool(one.resolved)) for one in given] for given in by_instance]
    scores = [[float(one.confidence or 0) for one in given] for given in by_instance]
    n = len(by_instance)
    none = Undefined("no instance has two verdicts")
    return Repeats(
        judge_id,
        n,
        sum(map(len, by_instance)),
        sum(one.resolved is None for one in asked),
        wilson_interval(differing, n),
        alpha_with_interval(_raters(votes), "nominal", draws=draws, seed=seed),
        alpha_with_interval(_raters(scores), "ordinal", draws=draws, seed=seed),
        sum(max(given) - min(given) for given in scores) / n if n else none,
    )


def form(judge_id: str, name: str, answers: Iterable[Answer]) -> Form:
    """Return how far a judge's verdicts change in another form (``order`` or ``wording``)."""
    given = list(answers)
    base = {one.instance_id: one for one in given if one.variant == BASE and one.resolved is not None}
    asked = [one for one in given if one.variant == name]
    valid = [one for one in asked if one.resolved is not None and one.instance_id in base]
    pairs = [(base[one.instance_id], one) for one in valid]
    n = len(pairs)
    up = sum(bool(new.resolved) and not old.resolved for old, new in pairs)
    down = sum(bool(old.resolved) and not new.resolved for old, new in pairs)
    shifts = [_chance(new) - _chance(old) for old, new in pairs]
    none = Undefined("no instance has a verdict in both forms")
    failed = sum(one.resolved is None for one in asked)
    shift = sum(shifts) / n if n else none
    return Form(judge_id, name, n, failed, wilson_interval(up + down, n), up, down, shift)


def answers_of(instance_id: str, results: Iterable[Mapping[str, object]]) -> list[Answer]:
    """Return what ``wording.variant_results`` gave for one instance as answers."""
    found = []
    for one in results:
        variant = str(one["variant"])
        if "error" in one:
            found.append(Answer(instance_id, variant, error=str(one["error"])))
        else:
            confidence = int(str(one["score_confianca"]))
            found.append(Answer(instance_id, variant, bool(one["resolve_issue"]), confidence))
    return found


def _grouped(asked: Sequence[Answer]) -> list[list[Answer]]:
    """Return the verdicts by instance."""
    groups: dict[str, list[Answer]] = {}
    for one in asked:
        if one.resolved is not None:
            groups.setdefault(one.instance_id, []).append(one)
    return list(groups.values())


def _raters(units: Sequence[Sequence[float]]) -> list[list[float | None]]:
    """Return a row for each repeat of values given by instance, None where an instance has fewer."""
    longest = max(map(len, units), default=0)
    return [[unit[at] if at < len(unit) else None for unit in units] for at in range(longest)]


def _chance(answer: Answer) -> float:
    return chance_of(bool(answer.resolved), answer.confidence or 1)
