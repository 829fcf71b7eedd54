"""The order in which parameters may stand, for functions and lambdas alike.

SonarQube's grammar takes defaults in any order and a doubled comma at the end of a function's list.
"""

FIRST, POSITIONAL, SLASH, STARRED, KEYWORDS = "first", "positional", "slash", "starred", "keywords"
"""Stages of a parameter list: nothing yet, after a parameter, after `/`, after `*`, after `**`."""


def next_stage(stage: str, kind: str) -> str | None:
    """Return the stage that a parameter opening with `kind` leads to, or None if none may come.

    `kind` is `/`, `*`, `**` or anything else for a parameter with a name.
    """
    if stage == KEYWORDS:
        return None
    if kind == "**":
        return KEYWORDS
    if stage == STARRED:
        return None if kind in ("*", "/") else STARRED
    if kind == "*":
        return STARRED
    if kind == "/":
        return SLASH if stage == POSITIONAL else None
    return SLASH if stage == SLASH else POSITIONAL
