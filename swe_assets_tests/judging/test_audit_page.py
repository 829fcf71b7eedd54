"""The page's text: everything there, everything escaped, and no score where it is blind."""

import hashlib
import re
from base64 import b64decode
from dataclasses import replace

from swe_assets.judging.audit_form import AuditForm, Scale
from swe_assets.judging.audit_page import PageText, lines, marked, page_html, spelled
from swe_assets_tests.judging.audit_pages import EVIL, HIDDEN, PATCH, hostile_page


def test_markup_stays_text() -> None:
    """Of all the markup in texts, names and titles none is markup on the page."""
    text = page_html(hostile_page())
    assert text.count("<script>") == text.count("<style>") == 1
    assert "<img" not in text and "<base" not in text and "&lt;/script&gt;&lt;script&gt;" in text
    assert re.findall(r'(?:src|href|action)="(?!#)', text) == []


def test_policy_allows_the_own_script_alone() -> None:
    """The policy names the sha256 of the one script and the one style, and fetches nothing."""
    text = page_html(hostile_page())
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]+)"', text)
    for kind in ("style", "script"):
        (inline,) = re.findall(rf"<{kind}>(.*?)</{kind}>", text, re.DOTALL)
        (named,) = re.findall(rf"{kind}-src 'sha256-([^']+)'", policy)
        assert b64decode(named) == hashlib.sha256(inline.encode()).digest()
    assert "default-src 'none'" in policy and "unsafe" not in policy


def test_hidden_characters_are_spelled_out() -> None:
    """Bidirectional controls, joiners, tags and escapes are spelled out and set apart."""
    shown = str(marked(HIDDEN))
    for code in ("202E", "2066", "200B", "200F", "00AD", "E0041", "001B"):
        assert f"<mark>⟨U+{code}⟩</mark>" in shown
    assert not set("\u202e\u2066\u200b\u200f\u00ad\U000e0041\x1b") & set(page_html(hostile_page()))


def test_blind_page_has_no_score() -> None:
    """A blind page holds no judge's name, score, justification or tests' outcome; an open one does."""
    assert "SECRET" not in page_html(hostile_page(blind=True))
    for word in ("SECRET-JUDGE-1", "SECRET-SCORE", "SECRET-TESTS"):
        assert word in page_html(hostile_page())


def test_lines_of_a_diff() -> None:
    """A diff's lines are told by what they do: a removed line that looks like a head is a removed line."""
    text = PageText("patch", "Patch", "diff --git a b\n--- a\n+++ b\n@@ -1 +1 @@\n--- x\n+y\n z\n", "diff")
    kinds = [kind for _number, kind, _line in lines(text)]
    assert kinds == ["head", "head", "head", "hunk", "del", "add", ""]
    assert [number for number, _kind, _line in lines(text)][-1] == 7


def test_quotes_say_whether_they_are_there() -> None:
    """A quote that is there links to its line on the page, another is said not to be there."""
    text = page_html(hostile_page())
    assert '<a href="#i1-issue-2">issue, linha 2</a>' in text and 'id="i1-issue-2"' in text
    assert "não encontrada ao pé da letra" in text


def test_scale_without_steps() -> None:
    """A scale without steps has a field for a number with its bounds."""
    form = AuditForm((Scale("nota", 0, 10, step=None, question="Quanto?"),), id_column="item_id")
    text = page_html(replace(hostile_page(), form=form))
    assert 'inputmode="decimal"' in text and "Quanto? (0 a 10)" in text


def test_same_input_same_bytes() -> None:
    """The same items give the same page."""
    assert page_html(hostile_page()) == page_html(hostile_page())


def test_spelled_keeps_plain_text() -> None:
    """Text without hidden characters stays as it is, other scripts and accents too."""
    for text in ("não, 中文, עברית, e\u0301", EVIL, PATCH.replace(HIDDEN, "")):
        assert spelled(text) == text
