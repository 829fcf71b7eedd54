"""Rubric, judge and extraction: what turns a model's words into records.

* ``prompts`` the texts of both passes; ``payload`` the question about one instance
* ``verdict`` the first pass; ``extraction`` the second; ``coherence`` what needs no call
* ``injection`` text that speaks to its judge, flagged; found by ``folded_text``, ``injection_patterns``
* ``wording`` the same question again, the other way round and in other words
* ``rubric`` scores of open items, ``numerals`` as judges write them
* ``answer_outcome`` how an examinee's answer ended; ``language_hint`` whether in another language
* ``provenance`` what a stored judgement depends on
"""
