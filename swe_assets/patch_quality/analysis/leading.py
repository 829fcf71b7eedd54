"""Which estimator of a logit is to be reported, and why: maximum likelihood, or Firth's in its place."""

from typing import Literal

from swe_assets.patch_quality.analysis.column_words import words
from swe_assets.statistics.firth import Firth
from swe_assets.statistics.logistic import Logit, NoLogit
from swe_assets.statistics.sample_size import EventsPerVariable
from swe_assets.statistics.undefined import Undefined

Leader = Literal["ml", "firth"]
ENOUGH_EVENTS = 10
FIRTH_UP_TO = 5000
LEFT_OUT = Undefined(f"left out above {FIRTH_UP_TO} rows with events enough: maximum likelihood serves")
EPV_BANDS = words(
    "EPV, eventos (a classe mais rara) por preditor: insuficiente (too few), abaixo de 5: coeficientes de "
    "máxima verossimilhança enviesados para longe de 0 e intervalos que mentem; limítrofe (few), de 5 a "
    "abaixo de 10: com cautela; suficiente (enough), de 10 em diante: o viés é pequeno. Abaixo de 10 vale "
    "Firth.",
    "EPV, events (the rarer class) a predictor: too few, below 5: maximum likelihood coefficients biased "
    "away from 0 and intervals that mislead; few, from 5 to below 10: borderline, with caution; enough, "
    "from 10: the bias is small. Below 10 Firth leads.",
)


def distrust_of(ml: Logit | NoLogit, events: EventsPerVariable | Undefined) -> str:
    """Return why a maximum likelihood fit is not to be trusted, or an empty text."""
    if isinstance(ml, NoLogit):
        return f"{ml.obstacle}: {ml.reason.removeprefix(ml.obstacle).lstrip('; :')}"
    if isinstance(events, EventsPerVariable) and events.value < ENOUGH_EVENTS:
        return f"EPV {events.value:.2f} is below {ENOUGH_EVENTS}"
    return ""


def leader_of(
    ml: Logit | NoLogit, events: EventsPerVariable | Undefined, firth: Firth | Undefined
) -> Leader | None:
    """Return the estimator to report: ml, or firth where ml is not to be trusted; None without it.

    With one outcome only Firth's fit is finite but says nothing of the predictors: none is reported.
    """
    if not distrust_of(ml, events):
        return "ml"
    if isinstance(ml, NoLogit) and ml.obstacle == "constant outcome":
        return None
    return "firth" if isinstance(firth, Firth) else None


def firth_serves(ml: Logit | NoLogit, events: EventsPerVariable | Undefined, rows: int) -> bool:
    """Return whether Firth's fit is worth its time: not of many rows with events enough for ml."""
    return bool(distrust_of(ml, events)) or rows <= FIRTH_UP_TO
