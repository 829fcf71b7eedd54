"""Tests of the analysers."""
