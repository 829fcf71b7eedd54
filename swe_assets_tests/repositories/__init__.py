"""Tests of mirrors, reading and patch application, on real git repositories."""
