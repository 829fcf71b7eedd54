"""Benchmarks: what the product takes, each beside a baseline in the same run; see docs/benchmarks.md."""
