"""Python as SonarQube 25.11 reads it: characters, tokens, grammar and the eight structural measures.

SonarQube reads Python 2 and 3 with one grammar, wider than CPython's in places and narrower in others.
Tolerant grammars of other tools come near but refuse and take other sources than it does, so its rules are
written out here, as its documentation, its behaviour and a real server's measures showed them.

* decoding      bytes to text
* lexer         text to tokens, with f-strings in fstrings
* expressions   expressions in one pass; comprehensions, brackets, lambdas and strings add to it
* clauses       lists, names and other parts of statements
* simple        simple statements; statements adds compound ones, with parameters and patterns beside it
* tally         the counters that grow while the parser walks
* structure     the whole: bytes to measures
"""
