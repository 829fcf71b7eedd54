"""Tests of the SonarQube server, its web API and scanning."""
