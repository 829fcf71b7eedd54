"""Tests of what the benchmarks stand on: that they measure what they say. No time is tested."""
