"""The page in a real browser: inert, offline, legible, by keyboard, on a phone; its sheet is taken."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from swe_assets.judging.audit_csv import read_sheet
from swe_assets.judging.audit_form import DrawnItem
from swe_assets.judging.audit_return import read_return
from swe_assets.patch_quality.auditoria_itens import FORM
from swe_assets_tests.judging.audit_pages import fill, hostile_page, opened, saved, written

CHOICES = {
    "resolve_issue": "sim",
    "score_confianca": "4",
    "M_profundidade": "2",
    "M_integridade": "3",
    "M_defesa": "1",
}
COMMENT = '=HYPERLINK("x");@a\n-1\n\'citado\', "aspas"; 中文'
DRAWN = [DrawnItem(f"demo__demo-{n}", f"item-{n}") for n in (1, 2, 3)]
LOOKS = [(1200, "light"), (1200, "dark"), (390, "light"), (390, "dark")]

CONTRAST = """() => {
  const parse = (c) => { const p = c.match(/[\\d.]+/g).map(Number); return [p[0], p[1], p[2], p[3] ?? 1]; };
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
    .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, n) => sum + v * [0.2126, 0.7152, 0.0722][n], 0);
  const back = (e) => { for (; e; e = e.parentElement) {
    const c = parse(getComputedStyle(e).backgroundColor); if (c[3] === 1) return c; }
    return [255, 255, 255]; };
  const poor = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let looked = 0;
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !e.getClientRects().length) continue;
    if (e.closest("script,noscript")) continue;
    const [a, b] = [light(parse(getComputedStyle(e).color)), light(back(e))].sort((x, y) => y - x);
    looked += 1;
    if ((a + 0.05) / (b + 0.05) < 4.5) poor.push([e.className, e.tagName, (a + 0.05) / (b + 0.05)]);
  }
  return [looked, poor];
}"""
LABELS = """() => {
  const named = (e) => e.closest("label") || e.getAttribute("aria-label")
    || document.getElementById(e.getAttribute("aria-labelledby"));
  const all = [...document.querySelectorAll("input,textarea")];
  const text = (e) => { const n = named(e); return n && (n.textContent || String(n)).trim(); };
  const buttons = [...document.querySelectorAll("button")].filter((b) => !b.textContent.trim());
  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
  return [all.length, all.filter((e) => !text(e)).length, buttons.length, ids.length - new Set(ids).size,
    [...document.querySelectorAll("h1,h2,h3,h4")].map((h) => Number(h.tagName[1]))];
}"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Write the hostile page."""
    return written(tmp_path, hostile_page())


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_looks(width: int, scheme: str, path: Path) -> None:
    """At desk and phone width, light and dark, all fits, every text has 4.5:1, nothing is asked for."""
    with opened(path, width=width, scheme=scheme) as seen:
        seen.page.locator("details").evaluate_all("all => all.forEach((one) => { one.open = true; })")
        assert seen.page.evaluate("document.documentElement.scrollWidth") <= width
        looked, poor = seen.page.evaluate(CONTRAST)
        paper = seen.page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert looked > 100 and poor == []
        assert (paper == "rgb(255, 255, 255)") == (scheme == "light")
        assert seen.asked == [path.as_uri()] and seen.complaints == []


def test_planted_script_is_inert(path: Path) -> None:
    """No planted script, handler, style or base has any effect."""
    with opened(path) as seen:
        assert seen.page.evaluate("window.hacked") is None
        assert seen.page.evaluate("document.baseURI") == path.as_uri()
        assert seen.page.locator("img, base, main script, main style").count() == 0
        assert seen.page.get_by_role("heading", level=1).is_visible()


def test_policy_stops_what_would_get_through(tmp_path: Path) -> None:
    """Even markup that is put into the page unescaped runs no script and fetches nothing."""
    text = written(tmp_path, hostile_page()).read_text("utf-8")
    planted = "<script>window.hacked=1</script><img src='http://127.0.0.1:9/x'>"
    worse = tmp_path / "worse.html"
    worse.write_text(text.replace("<main", planted + "<main", 1), encoding="utf-8")
    with opened(worse) as seen:
        assert seen.page.evaluate("window.hacked") is None
        assert len(seen.complaints) == 2 and all("Content Security Policy" in c for c in seen.complaints)


def test_names_and_headings(path: Path) -> None:
    """Every field has a label, every button words, every id is unique, and no level of heading is skipped."""
    with opened(path) as seen:
        fields, unnamed, empty, doubled, levels = seen.page.evaluate(LABELS)
    assert fields > 50 and (unnamed, empty, doubled) == (0, 0, 0)
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_saved_sheet_is_taken(path: Path, tmp_path: Path) -> None:
    """What is filled in comes back by the saved sheet, a comment full of formulas unchanged and harmless."""
    with opened(path) as seen:
        for number in (1, 2, 3):
            fill(seen.page, number, CHOICES, COMMENT if number == 2 else "")
        assert "3 de 3" in seen.page.get_by_role("status").inner_text()
        seen.page.get_by_label("Seu nome").fill("Ana Sousa")
        sheet = saved(seen.page, tmp_path)
        assert seen.asked[0] == path.as_uri() and all(u.startswith(("file:", "blob:")) for u in seen.asked)
        assert seen.complaints == []
    assert sheet.name == "auditoria-ana-sousa.csv"
    found = read_return(sheet.read_bytes(), FORM, DRAWN)
    assert (found.auditor, found.items[1].comment, found.notes) == ("Ana Sousa", COMMENT, ())
    assert found.items[2].scores == {
        "resolve_issue": 1,
        "score_confianca": 4,
        "M_profundidade": 2,
        "M_integridade": 3,
        "M_defesa": 1,
    }
    assert not any(
        line.lstrip('"').startswith(("=", "-", "@")) for line in sheet.read_text("utf-8-sig").split("\n")
    )


def test_name_is_asked_for(path: Path) -> None:
    """Without a name nothing is saved: the field gets the focus and the status says why."""
    with opened(path) as seen:
        seen.page.get_by_role("button", name="Salvar CSV").click()
        assert "nome" in seen.page.get_by_role("status").inner_text()
        assert seen.page.evaluate("document.activeElement.id") == "auditor"


def test_kept_in_the_browser(path: Path) -> None:
    """What was filled in is there after the page is loaded again, and can be cleared."""
    with opened(path) as seen:
        page: Any = seen.page
        page.on("dialog", lambda dialog: dialog.accept())
        fill(page, 1, CHOICES, "fica")
        page.reload()
        assert page.locator("textarea").first.input_value() == "fica"
        assert "1 de 3" in page.get_by_role("status").inner_text()
        page.get_by_role("button", name="Limpar as notas de demo__demo-1").click()
        assert "0 de 3" in page.get_by_role("status").inner_text()


def test_by_keyboard_alone(path: Path, tmp_path: Path) -> None:
    """From the name field on, Tab, arrows and Enter fill in a score and reach the next incomplete item."""
    with opened(path) as seen:
        keyboard = seen.page.keyboard
        seen.page.get_by_label("Seu nome").focus()
        keyboard.type("Rui")
        keyboard.press("Tab")
        keyboard.press("Enter")
        assert seen.page.evaluate("document.activeElement.id") == "i1-title"
        for _step in range(3):
            keyboard.press("Tab")
        keyboard.press("Space")
        keyboard.press("ArrowRight")
        assert seen.page.evaluate("document.activeElement.value") == "sim"
        outline = seen.page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        sheet = read_sheet(saved(seen.page, tmp_path).read_bytes(), FORM.columns)
    assert outline != "none" and sheet.rows[0][1]["humano_resolve_issue"] == "sim"
