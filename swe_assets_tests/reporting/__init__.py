"""Tests of the tables that reports are made from."""
