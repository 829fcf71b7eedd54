"""Static analysers of source files behind one Protocol, with SonarQube's metric keys."""
