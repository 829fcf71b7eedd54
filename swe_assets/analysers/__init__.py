"""Static analysers of source files behind one Protocol, with SonarQube's metric keys.

* protocol   what an analyser is, what it is given and what it answers
* registry   analysers by name
* embedded   the default: needs no server
* python     its eight structural measures, as SonarQube reads Python
* ruff       its violations and sqale_index, from the rules in ruff_rules.toml
"""
