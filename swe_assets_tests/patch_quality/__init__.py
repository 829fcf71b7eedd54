"""Tests of the patch-quality study."""
