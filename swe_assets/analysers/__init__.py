"""Static analysers of source files behind one Protocol, with SonarQube's metric keys.

* protocol   what an analyser is, what it is given and what it answers
* projects   a study's two steps: projects are handed over, later their measures are read
* registry   analysers by name, settings: what a study tells them
* sonarqube  a server that scans, and whose own measures are read back
* measured_here  any analyser of files as one of projects
* embedded   the default: needs no server
* python     its eight structural measures, as SonarQube reads Python
* ruff       its violations and sqale_index, from the rules in ruff_rules.toml
"""
