"""Servers of this machine: an account to run them as, their processes, a private Postgres."""
