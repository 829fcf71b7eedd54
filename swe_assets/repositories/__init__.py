"""Mirrors, base commits and patch application on bare git repositories."""
