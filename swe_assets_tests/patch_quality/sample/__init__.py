"""Tests of the sample submission."""
