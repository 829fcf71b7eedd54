"""The models with instances of a repository taken as alike: robust errors, and random intercepts."""

from collections.abc import Sequence

from swe_assets.patch_quality.analysis.models import Model
from swe_assets.statistics.design import design
from swe_assets.statistics.logistic import Logit, NoLogit, Term
from swe_assets.statistics.mixed_logit import MixedLogit, mixed_logit
from swe_assets.statistics.numeric import SMALLEST_P
from swe_assets.statistics.undefined import Undefined

FEWEST = 5  # clusters: with fewer the sandwich says next to nothing
FEW = 30  # clusters below which its errors run small


def robust_terms(model: Model, ml: Logit | NoLogit) -> Sequence[Term] | Undefined:
    """Return maximum likelihood's coefficients with errors that allow a repository's instances to be alike.

    Formula: sandwich A^-1 B A^-1, A = X'WX, B the sum over clusters of the outer products of their scores,
    times G/(G - 1) (n - 1)/(n - k); t with G - 1 degrees of freedom for p and the 95 % interval.
    Undefined: no maximum likelihood estimate, a repository that is not known, fewer than 5 of them.
    Reference: K.-Y. Liang, S. L. Zeger (1986), doi:10.1093/biomet/73.1.13; A. C. Cameron, D. L. Miller
    (2015), doi:10.3368/jhr.50.2.317.
    """
    import numpy as np
    from scipy.special import expit
    from scipy.stats import t

    clusters = model.clusters
    if isinstance(ml, NoLogit):
        return Undefined(ml.reason)
    if clusters is None:
        return Undefined("the repository of an instance is not known")
    labels = {label: place for place, label in enumerate(dict.fromkeys(clusters))}
    groups = len(labels)
    if groups < FEWEST:
        return Undefined(f"{groups} repositories, at least {FEWEST} are needed")
    data = design(model.outcome, model.predictors)
    scaled, transform = data.standardised()
    coef = np.array([term.coef for term in ml.terms])
    fitted = expit(data.matrix @ coef)
    bread = transform @ np.linalg.inv(scaled.T @ ((fitted * (1 - fitted))[:, None] * scaled))
    codes = np.array([labels[label] for label in clusters])
    scores = np.zeros((groups, len(coef)))
    np.add.at(scores, codes, (data.outcome - fitted)[:, None] * scaled)
    n, k = data.matrix.shape
    small = groups / (groups - 1) * (n - 1) / (n - k)
    halves = scores @ bread.T
    errors = np.sqrt(small * (halves**2).sum(axis=0))
    reach = float(t.ppf(0.975, groups - 1))
    return [
        _term(
            name,
            float(b),
            float(se),
            float(b / se),
            max(2 * float(t.sf(abs(b / se), groups - 1)), SMALLEST_P),
            reach,
        )
        for name, b, se in zip(data.terms, coef, errors, strict=True)
    ]


def mixed_fit(model: Model) -> MixedLogit | Undefined:
    """Return the model with a random intercept for each repository; see ``mixed_logit``."""
    clusters = model.clusters
    if clusters is None:
        return Undefined("the repository of an instance is not known")
    return mixed_logit(model.outcome, model.predictors, {"repo": clusters})


def cluster_note(model: Model) -> str | None:
    """Return what few repositories mean for the robust errors, or None where they are many."""
    groups = len(set(model.clusters or ()))
    return f"{groups} repositories: robust errors run small with fewer than {FEW}" if groups < FEW else None


def _term(name: str, coef: float, se: float, z: float, p: float, reach: float) -> Term:
    from swe_assets.patch_quality.analysis.odds import ratio

    low, high = coef - reach * se, coef + reach * se
    return Term(name, coef, se, z, p, low, high, ratio(coef), ratio(low), ratio(high))
