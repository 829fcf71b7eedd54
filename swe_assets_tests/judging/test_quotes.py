"""Quotes: found where they are, by the letter or nearly, and not found where they are not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swe_assets.judging.quotes import Quotable, QuotePlace, check_quotes, find_quote, quotations

TEXT = 'A soma falha.\n\nO  laço usa "range(n)"\ne ignora o último item… por descuido.\n'
PATCH = (
    "--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,3 @@\n"
    " def total(items):\n-    return 0\n+    found = sum(\n+        items)\n"
)

PLACES = [
    ("O  laço usa", 3, "exact"),
    ("o laço USA “range(n)” e ignora", 3, "normalised"),
    ("ignora o último item... por", 4, "elided"),
    ('"A soma … último item"', 1, "elided"),
    ("A soma [...] descuido", 1, "elided"),
    ("u\u0301ltimo item", 4, "normalised"),
    ("último … laço", None, None),
    ("o laço usa range(n)", None, None),
    ("soma não falha", None, None),
    ("ignor", None, None),
    ("", None, None),
    ("“…”", None, None),
]


@pytest.mark.parametrize(("quote", "line", "how"), PLACES)
def test_places(quote: str, line: int | None, how: str | None) -> None:
    """A quote is at its line, exact or normalised or elided; a changed or cut word is not."""
    found = find_quote(quote, TEXT)
    assert (found and found.line, found and found.how) == (line, how)


def test_chinese_has_no_spaces() -> None:
    """A part of a Chinese sentence is found though no space bounds its words."""
    assert find_quote("根本原因", "补丁修复了根本原因。") == QuotePlace(1, "exact")


@pytest.mark.parametrize(
    ("quote", "line"),
    [("return 0", 5), ("found = sum( items)", 6), ("def total(items): return 0", 4), ("item", None)],
)
def test_code_in_a_diff(quote: str, line: int | None) -> None:
    """Code over several lines is found in a diff although each line begins with its mark."""
    found = Quotable(PATCH, diff=True).find(quote)
    assert (found and found.line) == line


def test_quotations_of_a_reasoning() -> None:
    """Backticks, blocks and all kinds of quotation marks quote; apostrophes and single letters do not."""
    text = (
        "Usa `sum(items)` e “o laço”, «o total»; don't, it's 'dentro' e \"fora\" `x` 「内」 `sum(items)`\n"
        "```python\nreturn 1\n```\n"
    )
    assert quotations(text) == ("sum(items)", "o laço", "o total", "dentro", "fora", "return 1")
    assert quotations("`aa` `bb` `cc`", limit=2) == ("aa", "bb")


def test_first_text_that_holds_it() -> None:
    """Each quote is told with the first text that holds it, or with none."""
    texts = {"issue": Quotable(TEXT), "patch": Quotable(PATCH, diff=True)}
    found = check_quotes(["A soma", "return 0", "nowhere"], texts)
    assert [(c.where, c.place and c.place.line) for c in found] == [("issue", 1), ("patch", 5), ("", None)]


@given(words=st.lists(st.text(st.characters(codec="utf-8"), min_size=1), min_size=1), data=st.data())
def test_every_line_is_found(words: list[str], data: st.DataObject) -> None:
    """Any line of any text is found in it, at its line or an earlier one."""
    lines = "\n".join(words).split("\n")
    number = data.draw(st.integers(0, len(lines) - 1))
    found = find_quote(lines[number], "\n".join(lines))
    if lines[number].strip():
        assert found is not None and found.line <= number + 1
    else:
        assert found is None
