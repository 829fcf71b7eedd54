"""One public function a statistic, each with formula, reading, undefined case, reference and example.

* ``spearman``: rank correlation of every pair of columns, with p
* ``shapiro_wilk``: normality
* ``logit``: binary logistic regression, with its obstacles named
* ``firth_logit``: the same by penalised likelihood, finite under separation
* ``detect_separation``: complete or quasi-complete, term by term
* ``vif``: collinearity of predictors
* ``epv``: events per variable
* ``log1p``: the transformation of count columns
"""

from swe_assets.statistics.collinearity import vif
from swe_assets.statistics.firth import firth_logit
from swe_assets.statistics.logistic import logit
from swe_assets.statistics.normality import shapiro_wilk
from swe_assets.statistics.rank_correlation import spearman
from swe_assets.statistics.sample_size import epv
from swe_assets.statistics.separation import detect_separation
from swe_assets.statistics.transforms import log1p
from swe_assets.statistics.undefined import Undefined

__all__ = [
    "Undefined",
    "detect_separation",
    "epv",
    "firth_logit",
    "log1p",
    "logit",
    "shapiro_wilk",
    "spearman",
    "vif",
]
