"""Tests of accounts, processes and servers of this machine."""
