"""The page's words: each is used, and each is in both languages."""

import re
from pathlib import Path

from swe_assets.reporting import section_words, words
from swe_assets.reporting.figures import SKETCHES
from swe_assets.reporting.sections import SECTIONS
from swe_assets.reporting.words import named, word

FOLDER = Path(words.__file__).parent
OWN = {"words.py", "section_words.py"}


def test_every_word_is_used() -> None:
    """A key stands in the page's template or code, or is the name of a section or figure, or its caption."""
    parts = [p for p in (*FOLDER.glob("*.py"), *FOLDER.glob("page_parts/*.j2")) if p.name not in OWN]
    quoted = set(re.findall(r"[\"']([a-z_]+)[\"']", "".join(part.read_text("utf-8") for part in parts)))
    names = {*SKETCHES, *(section.name for section in SECTIONS)}
    used = {*quoted, *names, *(f"{name}_how" for name in {*names, "findings", "instances"})}
    keys = {*words._WORDS, *section_words.SECTION_WORDS}
    assert len(keys) > 90 and keys - used == set()


def test_words_differ_by_language() -> None:
    """A word is asked for by key and language; a name in a cell keeps itself where it has no words."""
    assert (word("resolved", "pt"), word("resolved", "en")) == ("resolvidas", "resolved")
    assert named("odds_ratio M_defesa", "pt") == "razão de chances M_defesa"
    assert named("demo__pkg-1", "pt") == "demo__pkg-1"
