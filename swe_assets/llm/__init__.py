"""Language models behind one Protocol, one file a provider, and a public offline twin."""
