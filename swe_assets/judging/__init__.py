"""Rubric, judge and extraction: what turns a model's words into records."""
