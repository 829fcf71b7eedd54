"""The house's rules, each a function from a checkout to complaints, so that each can be shown to fail."""
