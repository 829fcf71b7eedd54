"""The analysis of a consolidated matrix: from its rows to the study's tables, figure and report.

* ``matrix``: the checked rows (``read_matrix``, ``matrix_of``); ``table``: reading CSV as text
* ``joining``: the inner join on instance_id
* ``labels``: what tables and figures must say of the numbers' origin
* ``correlation``: Spearman and Shapiro-Wilk; ``heatmap``: their figure
* ``fitted_outcome``: the logit of pass@1; ``summary``: its text; ``outcome_model``: its files
* ``whole``: all of it in one call (``analyse_matrix``)
"""
