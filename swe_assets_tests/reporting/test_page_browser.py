"""The page in a real browser: quiet, usable by pointer, keyboard and ear, on any screen and on paper."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import expect

from swe_assets.reporting.tables import to_csv
from swe_assets_tests.reporting.analyses import EVIL, instances, whole, without
from swe_assets_tests.reporting.browser import Seen, opened

WHOLE = whole()


@pytest.fixture
def seen(tmp_path: Path) -> Iterator[Seen]:
    """Give the English page on a desk."""
    with opened(tmp_path, WHOLE) as found:
        yield found


@pytest.mark.parametrize("lang", ["pt", "en"])
@pytest.mark.parametrize(
    ("width", "scheme"), [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")]
)
def test_any_screen(width: int, scheme: str, lang: str, tmp_path: Path) -> None:
    """On each screen, theme and language: no complaint, no request, no overflow even unfolded, all seen."""
    with opened(tmp_path, WHOLE, lang, width=width, scheme=scheme) as seen:
        page = seen.page
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        dark = (
            page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
            != "rgb(255, 255, 255)"
        )
        assert dark == (scheme == "dark")
        figures = page.locator("figure")
        assert figures.count() == 16
        for at in range(figures.count()):
            shown = [svg for svg in figures.nth(at).locator("svg").all() if svg.is_visible()]
            (box,) = [svg.bounding_box() for svg in shown]
            assert box and box["width"] > 300 and box["x"] >= 0 and box["x"] + box["width"] <= width
        assert seen.complaints == []
        assert [url for url in seen.asked if not url.startswith(("file:", "data:"))] == []
        assert len([url for url in seen.asked if url.startswith("file:")]) == 1
        assert page.evaluate("window.hacked") is None
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (1280, "dark"), (390, "light")])
def test_nothing_keeps_anybody_out(width: int, scheme: str, tmp_path: Path) -> None:
    """Names, labels, headings, table headers, targets and contrast are as they ought to be, all unfolded."""
    with opened(tmp_path, WHOLE, width=width, scheme=scheme) as seen:
        assert seen.faults() == []
        seen.page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        seen.page.get_by_role("button", name="demo__pkg-0", exact=True).click()
        seen.page.locator(".detail pre").first.wait_for()
        assert seen.faults() == []


def test_what_keeps_people_out_is_noticed(seen: Seen) -> None:
    """Pale words and a button without a name are faults, to axe too."""
    seen.page.evaluate(
        "document.querySelector('main p').style.color = '#ccc';"
        "document.querySelector('#previous').textContent = '';"
    )
    found = seen.faults()
    assert any(fault.startswith("contrast ") for fault in found)
    assert {"axe: serious", "axe: critical"} == {":".join(f.split(":")[:2]) for f in found if f[:3] == "axe"}


def test_sorting(seen: Seen) -> None:
    """A heading sorts numbers as numbers, the other way round at the second press, and says so."""
    head = seen.page.locator("#instances thead th").filter(has_text="ncloc")
    for order in ("ascending", "descending"):
        head.get_by_role("button").click()
        expect(head).to_have_attribute("aria-sort", order)
        place = [text.split()[0] for text in seen.page.locator("#instances thead th").all_inner_texts()]
        at = next(n for n, text in enumerate(place) if text.startswith("ncloc"))
        cells = seen.page.locator(f"#instances tbody tr > :nth-child({at + 1})").all_inner_texts()
        pairs = list(pairwise(int(text) for text in cells))
        assert all(a <= b if order == "ascending" else a >= b for a, b in pairs)
    assert seen.page.locator("#instances th[aria-sort=descending]").count() == 1


def test_names_sort_as_people_count(seen: Seen) -> None:
    """Instances sort by the numbers within their names, and empty cells come last both ways."""
    head = seen.page.locator("#instances thead th")
    head.first.get_by_role("button").click()
    assert seen.ids()[:3] == ["demo__pkg-0", "demo__pkg-1", "demo__pkg-2"]
    judged = head.filter(has_text="resolve_issue").get_by_role("button")
    for _press in range(2):
        judged.click()
        assert "demo__pkg-9" not in seen.ids()


def test_searching(seen: Seen) -> None:
    """Every word must be found; the number found is told to those who listen; no result is said."""
    box = seen.page.get_by_label("Search instances")
    box.fill("pkg-11 PKG2")
    assert seen.ids() == [f"demo__pkg-{n}" for n in (11, 110, 113, 116, 119)]
    expect(seen.page.get_by_role("status")).to_have_text("5 of 120 instances")
    box.fill("nowhere")
    expect(seen.page.get_by_text("No instance matches.")).to_be_visible()
    box.fill("")
    expect(seen.page.get_by_role("status")).to_have_text("120 of 120 instances")


@pytest.mark.parametrize(
    ("only", "count"), [("resolved", 40), ("not resolved", 80), ("not in the matrix", 12), ("all", 120)]
)
def test_filters(seen: Seen, only: str, count: int) -> None:
    """A filter keeps the instances that it names."""
    seen.page.get_by_label("Show").select_option(label=only)
    expect(seen.page.get_by_role("status")).to_have_text(f"{count} of 120 instances")


def test_pages(seen: Seen) -> None:
    """Fifty instances at a time, forward and back, and no further than there are."""
    previous, following = (seen.page.get_by_role("button", name=name) for name in ("Previous", "Next"))
    expect(previous).to_be_disabled()
    found = seen.ids()
    for _press in range(2):
        following.click()
        found += seen.ids()
    expect(following).to_be_disabled()
    assert found == [f"demo__pkg-{n}" for n in range(120)]
    previous.click()
    expect(seen.page.get_by_text("Page 2 of 3")).to_be_visible()


def test_details_are_inert_text(seen: Seen) -> None:
    """An instance opens by keyboard to measures, patch and reasoning; markup in them stays text."""
    button = seen.page.get_by_role("button", name="demo__pkg-2", exact=True)
    button.focus()
    seen.page.keyboard.press("Enter")
    detail = seen.page.locator(".detail")
    expect(detail.locator("pre").first).to_contain_text("window.hacked=1")
    expect(detail.locator("pre").nth(1)).to_have_text(EVIL)
    assert detail.locator("pre .add, pre .del").count() == 2
    assert detail.locator("img, a, style, script").count() == 0
    assert seen.page.evaluate("window.hacked") is None
    seen.page.keyboard.press("Enter")
    expect(detail).to_have_count(0)


def test_instance_without_texts_says_so(seen: Seen) -> None:
    """Where neither patch nor reasoning was kept the details say so."""
    seen.page.get_by_role("button", name="demo__pkg-1", exact=True).click()
    expect(seen.page.locator(".detail")).to_contain_text("Neither patch nor reasoning was kept.")


def test_findings_unfold_their_table(seen: Seen) -> None:
    """Following a finding opens the folded table at the row it was read from."""
    expect(seen.page.locator("#t-logit-2")).not_to_be_visible()
    seen.page.locator(".findings a").nth(1).click()
    expect(seen.page.locator("#t-logit-2")).to_be_in_viewport()


@pytest.mark.parametrize("name", ["spearman", "instances"])
def test_csv_is_made_in_the_page(seen: Seen, name: str, tmp_path: Path) -> None:
    """The button saves the table's CSV, byte for byte, without a request."""
    if name != "instances":
        seen.page.locator(f"#t-{name} summary").click()
    with seen.page.expect_download() as download:
        seen.page.locator(f"button[data-csv={name}]").click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    assert path.name == f"{name}.csv" and path.read_bytes() == to_csv(WHOLE.tables[name])
    assert [url for url in seen.asked if url.startswith("http")] == []


def test_keyboard_alone(seen: Seen) -> None:
    """The first stop leads past the contents; what has the focus shows it."""
    seen.page.keyboard.press("Tab")
    assert seen.page.evaluate("document.activeElement.className") == "skip"
    assert seen.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    seen.page.keyboard.press("Enter")
    assert seen.page.evaluate("location.hash") == "#content"


def test_the_last_page_keeps_the_focus(seen: Seen) -> None:
    """Whoever turns to the last page by keyboard is on the button that leads back."""
    seen.page.get_by_role("button", name="Next").focus()
    for _press in range(2):
        seen.page.keyboard.press("Enter")
    expect(seen.page.get_by_role("button", name="Previous")).to_be_focused()


def test_paper(seen: Seen) -> None:
    """On paper: light, tables unfolded and folded again, no buttons, figures whole, several pages."""
    pdf = seen.page.pdf()
    assert pdf.startswith(b"%PDF") and len(re.findall(rb"/Type\s*/Page\b", pdf)) >= 5
    assert seen.page.locator("details[open]").count() == 0
    seen.page.emulate_media(media="print", color_scheme="dark")
    seen.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert seen.page.locator("details.data:not([open])").count() == 0
    assert (
        seen.page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
        == "rgb(255, 255, 255)"
    )
    assert [
        one for one in seen.page.locator("button[data-csv], nav, #search").all() if one.is_visible()
    ] == []
    assert all(one.is_visible() for one in seen.page.locator("figure svg.wide").all())
    seen.page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert seen.page.locator("details[open]").count() == 0


def test_page_without_instances(tmp_path: Path) -> None:
    """A comparison has no instances of its own; its page opens as quietly."""
    with opened(tmp_path, without(WHOLE, "instances")) as seen:
        assert seen.complaints == [] and seen.page.locator("#instances").count() == 0


def test_one_instance(tmp_path: Path) -> None:
    """A single instance is one page, with both ways closed."""
    analysis = whole(1)
    assert len(instances(1).rows) == 1
    with opened(tmp_path, analysis) as seen:
        expect(seen.page.get_by_role("status")).to_have_text("1 of 1 instances")
        assert seen.ids() == ["demo__pkg-0"] and seen.faults() == []
