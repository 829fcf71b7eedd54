"""The patch-quality study: from a SWE-bench submission to its correlation and logit reports."""
