"""The models with instances of a repository taken as alike: robust errors, and random intercepts."""

from collections.abc import Sequence

from swe_assets.patch_quality.analysis.models import Model
from swe_assets.statistics.cluster_logit import ClusteredLogit, cluster_logit
from swe_assets.statistics.logistic import Term
from swe_assets.statistics.mixed_logit import MixedLogit, mixed_logit
from swe_assets.statistics.odds import ratio
from swe_assets.statistics.undefined import Undefined

UNKNOWN = Undefined("the repository of an instance is not known")


def robust_fit(model: Model) -> ClusteredLogit | Undefined:
    """Return the maximum likelihood fit with errors by repository; see ``cluster_logit``."""
    clusters = model.clusters
    return UNKNOWN if clusters is None else cluster_logit(model.outcome, model.predictors, clusters)


def robust_terms(found: ClusteredLogit) -> Sequence[Term]:
    """Return the coefficients of a clustered fit; z is t with one less than the repositories as degrees."""
    return [
        Term(
            t.name, t.coef, t.se, t.t, t.p, t.coef_low, t.coef_high,
            *(ratio(value) for value in (t.coef, t.coef_low, t.coef_high)),
        )
        for t in found.terms
    ]  # fmt: skip


def mixed_fit(model: Model) -> MixedLogit | Undefined:
    """Return the model with a random intercept for each repository; see ``mixed_logit``."""
    clusters = model.clusters
    if clusters is None:
        return UNKNOWN
    return mixed_logit(model.outcome, model.predictors, {"repo": clusters})
