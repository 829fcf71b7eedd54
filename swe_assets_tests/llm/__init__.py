"""Tests of the models, their failures and what is read from their words."""
