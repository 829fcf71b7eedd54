"""Tests of payloads, verdicts and extraction."""
