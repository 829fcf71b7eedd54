"""Tests that a study can be worked from the Dagster UI and the stock command line, with real processes."""
