"""How well a yes or no was told: the confusion matrix, its rates with intervals, and MCC."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Literal

from swe_assets.statistics.design import binary
from swe_assets.statistics.estimate import Estimate
from swe_assets.statistics.numeric import equal_length
from swe_assets.statistics.proportion import wilson_interval
from swe_assets.statistics.undefined import Undefined, Value

Rate = Literal[
    "accuracy", "sensitivity", "specificity", "precision", "negative_predictive_value", "prevalence"
]


@dataclass(frozen=True)
class Confusion:
    """True and false positives and negatives of what was said against what is."""

    tp: int
    fp: int
    fn: int
    tn: int
    defined: ClassVar[bool] = True

    @property
    def n(self) -> int:
        """Return the number of pairs."""
        return self.tp + self.fp + self.fn + self.tn

    def rate(self, name: Rate, *, confidence: float = 0.95) -> Estimate | Undefined:
        """Return a rate with its Wilson interval: accuracy, sensitivity (recall), specificity and so on.

        ``precision`` is the share of the said that are, ``negative_predictive_value`` that of the denied
        that are not, ``prevalence`` that of all that are. Undefined where the rate's denominator is 0.
        """
        right, of = {
            "accuracy": (self.tp + self.tn, self.n),
            "sensitivity": (self.tp, self.tp + self.fn),
            "specificity": (self.tn, self.tn + self.fp),
            "precision": (self.tp, self.tp + self.fp),
            "negative_predictive_value": (self.tn, self.tn + self.fn),
            "prevalence": (self.tp + self.fn, self.n),
        }[name]
        if of == 0:
            return Undefined(f"{name}: {self._absent(name)}")
        return wilson_interval(right, of, confidence=confidence)

    @property
    def f1(self) -> Value:
        """Return 2 tp / (2 tp + fp + fn); undefined where nothing is positive nor was said to be."""
        of = 2 * self.tp + self.fp + self.fn
        return 2 * self.tp / of if of else Undefined("f1: nothing is positive, nor was said to be")

    @property
    def balanced_accuracy(self) -> Value:
        """Return the mean of sensitivity and specificity; undefined where one of them is."""
        parts = self.rate("sensitivity"), self.rate("specificity")
        undefined = next((part for part in parts if isinstance(part, Undefined)), None)
        return undefined or sum(part.value for part in parts if isinstance(part, Estimate)) / 2

    @property
    def mcc(self) -> Value:
        """Return Matthews' correlation; undefined where what is, or what was said, is all one class."""
        import math

        said, denied = self.tp + self.fp, self.fn + self.tn
        are, are_not = self.tp + self.fn, self.fp + self.tn
        if not all((said, denied, are, are_not)):
            one = "what was said" if not (said and denied) else "what is"
            return Undefined(f"MCC: {one} is all one class" if self.n else "MCC: no pairs")
        product = self.tp * self.tn - self.fp * self.fn
        return max(-1.0, min(1.0, product / math.sqrt(said * denied * are * are_not)))

    def _absent(self, name: Rate) -> str:
        return {
            "sensitivity": "nothing is positive",
            "specificity": "nothing is negative",
            "precision": "nothing was said to be positive",
            "negative_predictive_value": "nothing was said to be negative",
        }.get(name, "no pairs")


def confusion(actual: Iterable[object], said: Iterable[object]) -> Confusion:
    """Return the confusion matrix of what was said (0, 1 or a boolean) against what is.

    Formula: counts of the four pairs; ``mcc`` = (tp tn - fp fn) / sqrt((tp + fp)(tp + fn)(tn + fp)(tn + fn)).
    Reading: MCC is 1 where all is right, 0 where what was said tells nothing, -1 where all is wrong; unlike
    accuracy it does not reward saying the frequent class. Rates come with Wilson intervals.
    Undefined: a rate whose denominator is 0; MCC where either side is all one class.
    Raises InputError for values other than 0 and 1 and lists of different lengths.
    Reference: B. W. Matthews (1975), doi:10.1016/0005-2795(75)90109-9; D. Chicco, G. Jurman (2020),
    doi:10.1186/s12864-019-6413-7.

    >>> found = confusion([1, 1, 1, 0, 0, 0], [1, 1, 0, 0, 0, 1])
    >>> found, round(found.mcc, 6), round(found.rate("sensitivity").low, 4)
    (Confusion(tp=2, fp=1, fn=1, tn=2), 0.333333, 0.2077)
    """
    columns = {"actual": binary(actual, name="actual"), "said": binary(said, name="said")}
    equal_length(columns)
    pairs = list(zip(columns["actual"], columns["said"], strict=True))
    return Confusion(*(pairs.count(pair) for pair in ((1.0, 1.0), (0.0, 1.0), (1.0, 0.0), (0.0, 0.0))))
