"""The page as text: self-contained, escaped, complete, and the same each time."""

import base64
import gzip
import hashlib
import json
import re
from dataclasses import replace
from typing import Any

import pytest

from swe_assets.reporting.page import page_html
from swe_assets.reporting.page_tables import MOST_ROWS
from swe_assets.reporting.section_words import SECTION_WORDS
from swe_assets.reporting.sections import OWN_PLACE, SECTIONS
from swe_assets.reporting.tables import Analysis, to_csv
from swe_assets.reporting.words import LANGUAGES, MARKS, VALUES, language, word
from swe_assets.statistics.undefined import Undefined
from swe_assets_tests.reporting.analyses import EVIL, PATCH, findings, table, whole, without

WHOLE = whole()
LANGS = pytest.mark.parametrize("lang", LANGUAGES)


def data(page: str, name: str) -> Any:
    """Return one of the page's data blocks."""
    found = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


def unpacked(text: str) -> bytes:
    """Return what is packed in base64 and gzip."""
    return gzip.decompress(base64.b64decode(text))


@LANGS
def test_same_analysis_same_page(lang: str) -> None:
    """The page is the same text twice, and says its language."""
    page = page_html(WHOLE, lang)
    assert page == page_html(whole(), lang)
    assert f'<html lang="{"pt-BR" if lang == "pt" else "en"}">' in page


def test_unknown_language() -> None:
    """A language that the page has no words for is an error that names those it has."""
    with pytest.raises(ValueError, match="'de': give one of pt, en"):
        page_html(WHOLE, "de")


def test_policy_allows_its_own_style_and_script_only() -> None:
    """The policy names the sha256 of the one style and the one script, and nothing leads elsewhere."""
    page = page_html(WHOLE, "en")
    for tag, policy in (("style", "style-src"), ("script", "script-src")):
        (text,) = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{policy} 'sha256-{digest}'" in page
    assert "default-src 'none'" in page and "@import" not in page and "url(" not in page
    assert re.findall(r'\b(?:src|href|action|data)="(?!data:,|#)', page) == []


def test_hostile_texts_are_escaped() -> None:
    """Markup in a title, a cell, a finding, a command or a patch begins no element."""
    page = page_html(WHOLE, "en")
    assert page.count("<script") == 4 and "<img" not in page and "<style>*{" not in page
    assert page.count("&lt;script&gt;window.hacked=1&lt;/script&gt;") >= 4


def test_nothing_invisible_reaches_the_page() -> None:
    """What turns letters round or hides among them is spelled out in the texts of an instance."""
    packed = data(page_html(WHOLE, "en"), "texts")["demo__pkg-0"]
    (name, text), (_other, said) = json.loads(unpacked(packed))
    assert name == "patch" and text == PATCH.replace("\u202e", "⟨U+202E⟩").replace("\u200b", "⟨U+200B⟩")
    assert said == EVIL


@LANGS
def test_every_table_is_there_with_its_csv(lang: str) -> None:
    """Every table is on the page, and its CSV within it byte for byte."""
    page = page_html(WHOLE, lang)
    assert {name: unpacked(text) for name, text in data(page, "csv").items()} == {
        name: to_csv(one) for name, one in WHOLE.tables.items()
    }
    for name in WHOLE.tables.keys() - {"instances"}:
        assert f'id="t-{name}"' in page and f'data-csv="{name}"' in page


def test_a_table_that_no_section_foresees_is_shown() -> None:
    """A table of another study stands under further tables."""
    other = table("leaderboard", "who:id score", ("a", 1.0))
    page = page_html(Analysis("t", {"leaderboard": other}, {}), "en")
    assert "Further tables" in page and 'id="t-leaderboard-0"' in page


def test_sections_without_tables_are_left_out_and_the_reason_told() -> None:
    """What is not in the report has no section, and stands with its reason at the end."""
    page = page_html(without(WHOLE, "flow", "missing_bounds"), "en")
    assert 'id="s-flow"' not in page and "It was not asked for." in page


def test_findings_lead_to_their_rows() -> None:
    """Each finding says its certainty, bears its marks as such, and links to a row that is there."""
    page = page_html(WHOLE, "en")
    block = re.search(r'<ol class="findings">(.*?)</ol>', page, re.DOTALL)
    assert block is not None and "[REHEARSAL" not in block[1]
    anchors = re.findall(r'href="#([^"]+)"', block[1])
    assert anchors == ["t-spearman-0", "t-logit-2", "t-flow-0"]
    assert all(f'id="{anchor}"' in page for anchor in anchors)
    assert re.search(r'class="mark rehearsal"[^>]*>rehearsal</span>', block[1])
    assert [text in block[1] for text in ("strong</span>", "fragile</span>", "not shown</span>")] == [
        True
    ] * 3


@LANGS
def test_marks_stand_where_the_numbers_are(lang: str) -> None:
    """Figure titles, captions, column headings and names of marked measures bear the mark itself."""
    page, at = page_html(WHOLE, lang), language(lang)
    rehearsal = MARKS["rehearsal"][at]
    assert re.search(rf"<caption>[^<]*(?:<span[^>]*>[^<]*</span>\s*)*<span[^>]*>{rehearsal}", page)
    assert re.search(rf"<h3>[^<]*\s*<span[^>]*>{rehearsal}", page)
    assert re.search(rf">M_defesa\s*<span[^>]*>{rehearsal}</span>", page)
    assert {"name": "M_defesa", "marks": [rehearsal]}.items() <= data(page, "rows")["columns"][
        3
    ].items() or any(
        one["name"] == "M_defesa" and one["marks"] == [rehearsal] for one in data(page, "rows")["columns"]
    )
    assert "Ruff 0.17.6" in page


def test_undefined_cells_say_why() -> None:
    """An undefined cell is a dash with its reason, for the pointer and for the ear, and below the table."""
    page = page_html(WHOLE, "en")
    assert 'title="Undefined: the outcome of 1 is not known">–<span class="vh"> Undefined:' in page
    assert "– undefined: the outcome of 1 is not known." in page


def test_long_tables_are_cut_and_say_so() -> None:
    """The page shows the first 500 rows of a long table, and that the CSV has them all."""
    long = table("histograms", "column:id n:integer", *(("a", at) for at in range(MOST_ROWS + 3)))
    page = page_html(Analysis("t", {"histograms": long}, {}), "en")
    assert f"The first {MOST_ROWS} of {MOST_ROWS + 3} rows; the CSV has them all." in page
    assert page.count('<tr id="t-histograms-') == MOST_ROWS


def test_words_of_the_other_language_are_left_out() -> None:
    """Sentences that a table holds in both languages are shown in the page's."""
    page = page_html(WHOLE, "pt")
    assert "Frágil." in page and "Fragile." not in page


def test_an_empty_analysis_is_a_page() -> None:
    """Without a table there is a page that says so, with the manifest."""
    page = page_html(Analysis("nothing", {}, {"n": 0}), "en")
    assert "<h1>nothing</h1>" in page and 'id="s-manifest"' in page and "<table" not in page


def test_every_section_has_words() -> None:
    """Every heading and figure has words in both languages, and no table has two places."""
    for section in SECTIONS:
        for key in (section.name, *section.figures):
            assert all(word(key, lang) for lang in LANGUAGES)
    placed = [name for section in SECTIONS for name in section.tables]
    assert len(placed) == len(set(placed)) and not set(placed) & set(OWN_PLACE)
    assert all(all(pair) for pair in VALUES.values())


def test_what_was_found_on_the_judges_is_told() -> None:
    """Sentences on the judges stand under a heading, marks as badges, escaped; without any is none."""
    told = replace(findings(), name="judge_findings")
    page = page_html(replace(WHOLE, tables={**WHOLE.tables, "judge_findings": told}), "en")
    _before, section = page.split('<h2 id="s-judge-findings">')
    section = section.partition("</section>")[0]
    assert "REHEARSAL: the rehearsal judge" in section.partition("<ol")[2].partition("</li>")[0]
    assert "[REHEARSAL" not in section.partition("</ol>")[0] and "<script>" not in section
    assert "s-judge-findings" not in page_html(WHOLE, "en")


def test_decimals_are_points_in_both_languages() -> None:
    """No word of the page has a decimal comma; the page in Portuguese says which sign decimals have."""
    pairs = (*SECTION_WORDS.values(), *VALUES.values())
    assert not [text for pair in pairs for text in pair if re.search(r"[0-9],[0-9]", text)]
    assert "Os decimais levam ponto" in page_html(WHOLE, "pt")


def test_reasons_and_the_manifest_are_in_the_language_of_the_page() -> None:
    """Why a cell is undefined, why an instance was lost and the manifest's keys are told in Portuguese."""
    unknown = Undefined("the outcome of 3 of 9 is not known")
    rows = ((1, unknown, "not_a_diff"),)
    told = table("others", "n:integer rate:share reason:text", *rows)
    analysis = replace(WHOLE, tables={"others": told}, manifest={"inputs": {"inputs": "ab"}, "n": 3})
    page, english = page_html(analysis, "pt"), page_html(analysis, "en")
    assert "o desfecho de 3 de 9 não é conhecido" in page and "não é um diff" in page
    assert "<dt>entradas</dt>" in page and "<dt>inputs</dt>" in page  # the second is a file's name
    assert "the outcome of 3 of 9 is not known" in english and "not_a_diff" in english


def test_every_finding_leads_to_a_place_on_the_page() -> None:
    """A finding whose table has no rows, or more than the page shows, leads to an anchor that is there."""
    rows = ((1, "Nada.", "Nothing.", "undefined", "empty", 0), (2, "X.", "X.", "none", "long", MOST_ROWS))
    told = table("findings", "order:integer pt:text en:text strength:id table:id row:integer", *rows)
    more = [table("empty", "n:integer"), table("long", "n:integer", *((at,) for at in range(MOST_ROWS + 1)))]
    page = page_html(replace(WHOLE, tables={one.name: one for one in (told, *more)}), "en")
    anchors = re.findall(r'<a href="#(t-[^"]+)">', page)
    assert anchors == ["t-empty", "t-long"] and all(f'id="{anchor}"' in page for anchor in anchors)
    assert ">0 rows<" in page and ">2 rows<" in page
