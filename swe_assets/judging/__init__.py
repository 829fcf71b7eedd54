"""Rubric, judge and extraction: what turns a model's words into records.

* ``prompts`` the texts of both passes; ``payload`` the question about one instance
* ``verdict`` the first pass; ``extraction`` the second; ``coherence`` what needs no call
* ``provenance`` what a stored judgement depends on
"""
