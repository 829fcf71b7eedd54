"""The page: complete, escaped, self-contained, and readable on a phone."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from swe_assets.patch_quality.analysis.correlation import correlate
from swe_assets.patch_quality.analysis.fitted_outcome import model_outcome
from swe_assets.patch_quality.analysis.matrix import METRICS, matrix_of
from swe_assets.patch_quality.analysis.report import account_of, report_html, write_report
from swe_assets_tests.patch_quality.analysis.matrices import frame, labelled, separated

ACCOUNT = {"pinned": 163, "in_matrix": 160, "excluded": {"empty": ["x-1"], "does_not_apply": ["x-2", "x-3"]}}
EVIL = "<script>alert('x')</script>"


def page(table: Any = None, **options: Any) -> str:
    """Return the page of a matrix."""
    matrix = matrix_of(labelled() if table is None else table)
    return report_html(correlate(matrix), model_outcome(matrix), **{"title": "demo", **options})


def test_everything_is_on_the_page() -> None:
    """Title, metadata, account with ids, figure, every metric, normality and logit are there."""
    text = page(account=ACCOUNT, metadata={"name": "Demo", "tags": {"os": True}})
    for part in ("<h1>demo</h1>", "Demo", "&#34;os&#34;: true", "163", "x-2, x-3", "data:image/png;base64,"):
        assert part in text
    for part in (*(name.replace("_", "_<wbr>") for name in METRICS), "Shapiro-Wilk", "Odds ratio", "EPV:"):
        assert part in text


def test_banners_follow_the_labels() -> None:
    """Rehearsal and stand-in have a banner each on the page, and none without them."""
    assert page().count('class="banner"') == 2
    assert "ENSAIO / rehearsal" in page() and "são do Ruff, não do SonarQube" in page()
    assert 'class="banner"' not in page(frame())


def test_nothing_is_asked_of_any_other_place() -> None:
    """No link, script, style or image leads elsewhere, and the policy forbids it."""
    text = page(metadata={"site": "https://example.org"})
    assert re.findall(r'(?:src|href|action)="(?!data:)', text) == []
    assert (
        "default-src 'none'" in text
        and "<script" not in text
        and "@import" not in text
        and "url(" not in text
    )


def test_hostile_texts_are_escaped() -> None:
    """Markup in a title, in metadata, in a reason or in an id stays text."""
    hostile = {"pinned": 1, "in_matrix": 0, "excluded": {EVIL: [EVIL]}}
    text = page(title=EVIL, metadata={EVIL: EVIL, "b": {"c": [EVIL]}}, account=hostile)
    assert "<script" not in text and "&lt;script&gt;" in text


def test_lone_surrogates_are_written(tmp_path: Path) -> None:
    """Text that no encoding holds is escaped instead of ending the report."""
    matrix = matrix_of(frame())
    path = write_report(tmp_path, correlate(matrix), model_outcome(matrix), title="a\ud800b")
    assert "a\\ud800b" in path.read_text(encoding="utf-8")


def test_no_fit_no_numbers() -> None:
    """Without a fit the page says why, and has neither odds ratios nor likelihoods."""
    text = page(separated())
    assert "Sem resultado a relatar" in text and "complete separation" in text
    assert "Odds ratio" not in text and "McFadden" not in text


def test_undefined_cells_are_marked() -> None:
    """A constant metric's cells are marked, with their reason for pointer and reader."""
    text = page(frame(violations=0))
    assert text.count('class="none" title="column &#39;violations&#39; is constant"') == 17
    assert "Indefinido:" in text


def test_account_adds_up_or_says_so() -> None:
    """The most frequent reason comes first; an account that does not add up says by how many."""
    account = account_of(ACCOUNT)
    assert [group.reason for group in account.exclusions] == ["does_not_apply", "empty"]
    assert account.unexplained == 0 and "não fecha" not in page(account=ACCOUNT)
    assert "A conta não fecha: 2 instância(s)" in page(account={**ACCOUNT, "pinned": 165})


def test_figure_has_words_for_those_who_cannot_see_it() -> None:
    """The figure's alternative text names n, the strongest pairs and the labels."""
    alt = re.search(r'alt="([^"]+)"', page())
    assert alt and "n = 160" in alt[1] and "complexity e ncloc" in alt[1] and "ENSAIO" in alt[1]


@pytest.mark.skipif(not shutil.which("chromium"), reason="no browser here")
@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (390, "light"), (390, "dark")])
def test_page_in_a_browser(width: int, scheme: str, tmp_path: Path) -> None:
    """In a browser the page asks for nothing, fits the screen's width, and follows its colour scheme."""
    sync_api = pytest.importorskip("playwright.sync_api")
    path = tmp_path / "report.html"
    path.write_text(page(account=ACCOUNT, metadata={"url": "x" * 300}), encoding="utf-8")
    with sync_api.sync_playwright() as driver:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=flags, timeout=90_000)
        view = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
        asked: list[str] = []
        view.on("request", lambda request: asked.append(request.url))
        view.goto(path.as_uri(), timeout=90_000)
        wide = view.evaluate("document.documentElement.scrollWidth")
        paper = view.evaluate("getComputedStyle(document.body).backgroundColor")
        browser.close()
    assert [url for url in asked if not url.startswith("data:")] == [path.as_uri()]
    assert wide <= width
    assert (paper == "rgb(255, 255, 255)") == (scheme == "light")
