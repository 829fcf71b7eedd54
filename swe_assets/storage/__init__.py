"""The per-instance store and the bridge to Dagster's records."""
