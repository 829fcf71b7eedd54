"""One public function a statistic, each with formula, reading, undefined case, reference and example.

Relations and models
* ``spearman``: rank correlation of every pair of columns, with p
* ``spearman_interval``, ``spearman_permutation``, ``partial_spearman``: its bootstrap, exact p, given size
* ``shapiro_wilk``: normality
* ``logit``: binary logistic regression, with its obstacles named
* ``firth_logit``: the same by penalised likelihood, finite under separation
* ``firth_test``: penalised likelihood ratio of several terms
* ``exact_logit``: exact conditional results of tiny tables
* ``cluster_logit``: a logit's errors where rows come in clusters
* ``cross_validated``: chances for rows that a fit has not seen
* ``detect_separation``, ``separation_cells``: complete or quasi-complete, term by term, and where
* ``vif``: collinearity of predictors
* ``mixed_logit``: random intercepts beside the predictors, crossed or nested
* ``leave_one_out``: what one row carries
* ``epv``: events per variable
* ``detectable_rate_difference``, ``detectable_paired_difference``, ``detectable_rho``,
  ``detectable_odds_ratio``: what a sample could have shown
* ``log1p``: the transformation of count columns

Agreement and quality of a judge
* ``krippendorff_alpha``, ``krippendorff_interval``: any number of raters, any level, missing ratings
* ``weighted_kappa``, ``fleiss_kappa``: two raters by ordered categories; several by unordered ones
* ``confusion``: MCC, and sensitivity, specificity and the like with intervals
* ``brier``, ``reliability_curve``, ``expected_calibration_error``: whether chances come true
* ``auc``, ``auc_difference``: whether a score tells the classes apart
* ``prediction_powered_mean``: a judge's mean, corrected by a person's scores of some
* ``needs_adjudication``, ``swapped_verdict``: raters too far apart, orders of showing that disagree

Intervals
* ``wilson_interval``, ``clopper_pearson_interval``: of a share
* ``bootstrap_interval``, ``mean_interval``: of any statistic, over items or clusters
* ``clustered_mean``: standard errors of a mean of clustered items

Comparisons
* ``paired_difference``, ``mcnemar_exact``: two of anything over the same items
* ``bradley_terry``, ``bradley_terry_interval``: strengths from games between pairs
* ``rank_intervals``, ``technical_tie``: how sure an order is
* ``holm``, ``benjamini_hochberg``: many tests at once
"""

from swe_assets.statistics.adjudication import needs_adjudication, swapped_verdict, technical_tie
from swe_assets.statistics.agreement import krippendorff_alpha, krippendorff_interval
from swe_assets.statistics.bootstrap import bootstrap_interval, mean_interval
from swe_assets.statistics.bradley_terry import bradley_terry
from swe_assets.statistics.calibration import brier, expected_calibration_error, reliability_curve
from swe_assets.statistics.classification import confusion
from swe_assets.statistics.cluster_logit import cluster_logit
from swe_assets.statistics.clustered_mean import clustered_mean
from swe_assets.statistics.collinearity import vif
from swe_assets.statistics.cross_validation import cross_validated
from swe_assets.statistics.discrimination import auc, auc_difference
from swe_assets.statistics.exact_logit import exact_logit
from swe_assets.statistics.firth import firth_logit, firth_test
from swe_assets.statistics.influence import leave_one_out
from swe_assets.statistics.kappa import fleiss_kappa, weighted_kappa
from swe_assets.statistics.logistic import logit
from swe_assets.statistics.mixed_logit import mixed_logit
from swe_assets.statistics.multiple_tests import benjamini_hochberg, holm
from swe_assets.statistics.normality import shapiro_wilk
from swe_assets.statistics.paired import mcnemar_exact, paired_difference
from swe_assets.statistics.partial_correlation import partial_spearman
from swe_assets.statistics.power import (
    detectable_odds_ratio,
    detectable_paired_difference,
    detectable_rate_difference,
    detectable_rho,
)
from swe_assets.statistics.prediction_powered import prediction_powered_mean
from swe_assets.statistics.proportion import clopper_pearson_interval, wilson_interval
from swe_assets.statistics.rank_bootstrap import spearman_interval
from swe_assets.statistics.rank_correlation import spearman
from swe_assets.statistics.rank_intervals import rank_intervals
from swe_assets.statistics.rank_permutation import spearman_permutation
from swe_assets.statistics.rating_bootstrap import bradley_terry_interval
from swe_assets.statistics.sample_size import epv
from swe_assets.statistics.separation import detect_separation
from swe_assets.statistics.separation_cells import separation_cells
from swe_assets.statistics.transforms import log1p
from swe_assets.statistics.undefined import Undefined

__all__ = [
    "Undefined",
    "auc",
    "auc_difference",
    "benjamini_hochberg",
    "bootstrap_interval",
    "bradley_terry",
    "bradley_terry_interval",
    "brier",
    "clopper_pearson_interval",
    "cluster_logit",
    "clustered_mean",
    "confusion",
    "cross_validated",
    "detect_separation",
    "detectable_odds_ratio",
    "detectable_paired_difference",
    "detectable_rate_difference",
    "detectable_rho",
    "epv",
    "exact_logit",
    "expected_calibration_error",
    "firth_logit",
    "firth_test",
    "fleiss_kappa",
    "holm",
    "krippendorff_alpha",
    "krippendorff_interval",
    "leave_one_out",
    "log1p",
    "logit",
    "mcnemar_exact",
    "mean_interval",
    "mixed_logit",
    "needs_adjudication",
    "paired_difference",
    "partial_spearman",
    "prediction_powered_mean",
    "rank_intervals",
    "reliability_curve",
    "separation_cells",
    "shapiro_wilk",
    "spearman",
    "spearman_interval",
    "spearman_permutation",
    "swapped_verdict",
    "technical_tie",
    "vif",
    "weighted_kappa",
    "wilson_interval",
]
