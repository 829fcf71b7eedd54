"""Tests of the store and of the bridge to Dagster."""
