"""Binary logistic regression by maximum likelihood, with its ways of having no answer."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal

from swe_assets.statistics.design import INTERCEPT, Design, design
from swe_assets.statistics.numeric import SMALLEST_P
from swe_assets.statistics.odds import ratio
from swe_assets.statistics.separation import Separation, Unsolved, separation_of
from swe_assets.statistics.undefined import Undefined, Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Obstacle = Literal[
    "too few rows",
    "constant outcome",
    "constant predictor",
    "collinear predictors",
    "complete separation",
    "quasi-complete separation",
    "separation unknown",
    "not converged",
]
Z_95 = 1.959963984540054


@dataclass(frozen=True)
class Term:
    """One coefficient (log odds) with its Wald statistics, and its odds ratio, each with a 95 % interval."""

    name: str
    coef: float
    se: float
    z: float
    p: float
    coef_low: float
    coef_high: float
    odds_ratio: Value
    ci_low: Value
    ci_high: Value


@dataclass(frozen=True)
class Logit:
    """A fitted logit: terms (const first), likelihoods, tests and criteria, and statsmodels' summary."""

    n: int
    events: int
    terms: tuple[Term, ...]
    llf: float
    llnull: float
    lr: float
    lr_df: int
    lr_p: float
    mcfadden: float
    aic: float
    bic: float
    summary: str = field(repr=False)
    defined: ClassVar[bool] = True
    converged: ClassVar[bool] = True


@dataclass(frozen=True, kw_only=True)
class NoLogit(Undefined):
    """A logit without a maximum likelihood estimate: what stands in the way, and the terms concerned."""

    obstacle: Obstacle
    terms: Mapping[str, str]
    converged: ClassVar[bool] = False


def logit(
    outcome: Iterable[object],
    predictors: Mapping[str, Iterable[object]],
    *,
    max_iterations: int = 100,
    name: str = "outcome",
) -> Logit | NoLogit:
    """Return the maximum likelihood fit of a binary outcome on its predictors and an intercept.

    ``name`` is what the summary calls the outcome.

    Formula: ln(P / (1 - P)) = b0 + sum b_j x_j; odds ratio exp(b_j); Wald z = b / se, interval exp(b -+
    1.96 se); LR = 2 (logL - null logL); McFadden = 1 - logL / null logL; AIC = 2k - 2 logL; BIC = k ln n
    - 2 logL.
    Reading: an odds ratio of 2 doubles the odds of outcome 1 for each unit of the predictor, the others
    held.
    A p too small for a float is given as the smallest positive float, an upper bound.
    Undefined (checked in this order, before the fit): fewer rows than parameters, a constant outcome,
    constant or collinear predictors, separation (found by linear programmes) or that it could not be looked
    for; and after it a fit that did not converge.
    Raises InputError as ``design`` does (missing values are named, not dropped).
    Reference: D. R. Cox (1958), doi:10.1111/j.2517-6161.1958.tb00292.x; D. McFadden (1974), Conditional
    logit analysis of qualitative choice behavior; separation: doi:10.1093/biomet/71.1.1.

    >>> found = logit([0, 0, 1, 1, 0, 1], {"g": [0, 0, 0, 1, 1, 1]})
    >>> round(found.terms[1].odds_ratio, 6)  # (2/1) / (1/2)
    4.0
    >>> logit([0, 0, 1, 1], {"x": [1, 2, 3, 4]}).obstacle
    'complete separation'
    """
    data = design(outcome, predictors)
    return _obstacle(data) or _fit(data, max_iterations, name)


def _obstacle(data: Design) -> NoLogit | None:
    """Return what is known to stand in the way before any fit."""
    parameters = len(data.terms)
    if data.events in (0, data.n):
        return _no("constant outcome", f"all {data.n} outcomes are {int(data.events > 0)}")
    if constant := data.constant():
        return _no("constant predictor", f"predictor(s) with one value only: {', '.join(constant)}", constant)
    if data.n < parameters:
        return _no("too few rows", f"{data.n} rows for {parameters} parameters")
    if collinear := _collinear(data):
        return _no("collinear predictors", f"perfectly collinear: {', '.join(collinear)}", collinear)
    found = separation_of(data)
    if not isinstance(found, Separation):
        unsolved = isinstance(found, Unsolved)
        return _no("separation unknown" if unsolved else "collinear predictors", found.reason)
    if found.kind == "none":
        return None
    terms = ", ".join(f"{term} ({sign})" for term, sign in found.terms.items())
    alone = f"; separated already by {' or by '.join(found.alone)} alone" if found.alone else ""
    why = f"{found.kind} separation{alone}; no finite maximum likelihood estimate of {terms}"
    kind: Obstacle = "complete separation" if found.kind == "complete" else "quasi-complete separation"
    return NoLogit(why, obstacle=kind, terms=found.terms)


def _no(obstacle: Obstacle, reason: str, terms: Iterable[str] = ()) -> NoLogit:
    return NoLogit(reason, obstacle=obstacle, terms=dict.fromkeys(terms, ""))


def _collinear(data: Design) -> list[str]:
    """Return the predictors that the others and the intercept determine."""
    from swe_assets.statistics.collinearity import vif

    factors = vif({name: data.matrix[:, j] for j, name in enumerate(data.terms) if name != INTERCEPT})
    return [name for name, factor in factors.items() if isinstance(factor, Undefined) and factor.infinite]


def _fit(data: Design, max_iterations: int, name: str) -> Logit | NoLogit:
    """Fit on standardised predictors, where Newton's method is stable, and carry the estimate back."""
    import warnings

    import numpy as np
    from statsmodels.discrete.discrete_model import Logit as Model

    scaled, transform = data.standardised()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # convergence is judged below, separation was before
        try:
            fit = Model(data.outcome, scaled).fit(disp=0, method="newton", maxiter=max_iterations)
        except np.linalg.LinAlgError as wrong:
            return _no("not converged", f"the fit ended with {wrong}")
    estimate = np.asarray(fit.params, dtype=np.float64)
    slope = np.abs(fit.model.score(estimate)).max() / data.n
    if not fit.mle_retvals["converged"] or not slope < 1e-6:
        return _no(
            "not converged", f"no convergence within {max_iterations} iterations (mean score {slope:.1e})"
        )
    coef = transform @ estimate
    se = np.sqrt(np.diag(transform @ np.asarray(fit.cov_params()) @ transform.T))
    return _result(data, float(fit.llf), coef, se, _summary(data, coef, name))


def _result(
    data: Design, llf: float, coef: "NDArray[np.float64]", se: "NDArray[np.float64]", summary: str
) -> Logit:
    from scipy.stats import chi2

    k, n = len(coef), data.n
    llnull = _null_loglik(data)
    lr = max(2 * (llf - llnull), 0.0)
    return Logit(
        n=n,
        events=data.events,
        terms=tuple(
            wald_term(*row) for row in zip(data.terms, map(float, coef), map(float, se), strict=True)
        ),
        llf=llf,
        llnull=llnull,
        lr=lr,
        lr_df=k - 1,
        lr_p=max(float(chi2.sf(lr, k - 1)), SMALLEST_P),
        mcfadden=1 - llf / llnull,
        aic=2 * k - 2 * llf,
        bic=k * math.log(n) - 2 * llf,
        summary=summary,
    )


def _null_loglik(data: Design) -> float:
    """Return the log-likelihood of the intercept alone: both classes occur, so it has a closed form."""
    ones, zeros = data.events, data.n - data.events
    return ones * math.log(ones / data.n) + zeros * math.log(zeros / data.n)


def wald_term(name: str, coef: float, se: float) -> Term:
    """Return a coefficient with its Wald test, interval and odds ratio."""
    z = coef / se
    p = max(math.erfc(abs(z) / math.sqrt(2)), SMALLEST_P)
    low, high = coef - Z_95 * se, coef + Z_95 * se
    return Term(name, coef, se, z, p, low, high, ratio(coef), ratio(low), ratio(high))


def _summary(data: Design, coef: "NDArray[np.float64]", name: str) -> str:
    """Return statsmodels' summary, with library and version where it prints date and time."""
    import warnings

    import numpy as np
    import statsmodels
    from statsmodels.discrete.discrete_model import Logit as Model

    model = Model(data.outcome, data.matrix)
    model.exog_names[:] = list(data.terms)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # as in _fit
        try:
            table = model.fit(start_params=coef, disp=0, method="newton", maxiter=50).summary(yname=name)
        except np.linalg.LinAlgError as wrong:
            return f"statsmodels {statsmodels.__version__} has no summary on these scales: {wrong}"
    instead = {"Date:": ("Library:", "statsmodels"), "Time:": ("Version:", statsmodels.__version__)}
    for row in table.tables[0]:
        label, value = row[0], row[1]
        label.data, value.data = instead.get(label.data.strip(), (label.data, value.data))
    return "\n".join(line.rstrip() for line in str(table.as_text()).splitlines())
