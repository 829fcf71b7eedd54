"""Tests of Python as SonarQube reads it."""
