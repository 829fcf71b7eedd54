"""Tests of swe_assets, in the shape of its tree."""
