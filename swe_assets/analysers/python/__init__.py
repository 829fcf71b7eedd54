"""Python as SonarQube 25.11 reads it: characters, tokens, grammar and the eight structural measures.

* decoding      bytes to text
* lexer         text to tokens, with f-strings in fstrings
* expressions   one pass over expressions without recursion; brackets, comprehensions and lambdas beside it
* statements    statements and blocks; parameters, imports and match patterns beside it
* tally         the counters that grow while the parser walks
* structure     the whole: bytes to measures
"""
