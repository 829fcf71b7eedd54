"""Tests of the analysis of a consolidated matrix."""
