"""A browser that looks at a report: what it asked for, what it complained of, what is hard to use in it."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, sync_playwright

from swe_assets.reporting.page_files import write_page
from swe_assets.reporting.tables import Analysis

CHROMIUM = shutil.which("chromium")
QUIET = ("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")
PATIENCE_MS, ACTION_MS = 90_000, 30_000
AUDIT = Path(__file__).with_name("accessibility.js")


@dataclass
class Seen:
    """A page in the browser, and what it asked for and complained of."""

    page: Page
    asked: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def ids(self) -> list[str]:
        """Return the instances that the table shows, from top to bottom."""
        names = self.page.locator("#instances tbody > tr > th")
        return [text.strip() for text in names.all_inner_texts()]

    def faults(self) -> list[str]:
        """Return what of the page as it stands would keep somebody out, by axe and by our own rules."""
        own: list[str] = self.page.evaluate(AUDIT.read_text("utf-8"))
        found = Axe().run(self.page, options={"rules": {"target-size": {"enabled": True}}}).response
        assert len(found["passes"]) > 40, "axe looked at next to nothing"
        return [*own, *(f"axe: {one['impact']}: {one['help']}" for one in found["violations"])]


@contextmanager
def opened(
    folder: Path, analysis: Analysis, lang: str = "en", *, width: int = 1280, scheme: Any = "light"
) -> Iterator[Seen]:
    """Write an analysis' page and open it in a browser of its own, or skip the test where there is none."""
    if CHROMIUM is None:
        pytest.skip("no chromium on PATH")
    path = write_page(folder, analysis, lang)[0]
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=list(QUIET), timeout=PATIENCE_MS)
        page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        page.set_default_timeout(ACTION_MS)
        page.set_default_navigation_timeout(PATIENCE_MS)
        seen = Seen(page)
        page.on("request", lambda request: seen.asked.append(request.url))
        page.on("console", lambda message: seen.complaints.append(message.text))
        page.on("pageerror", lambda error: seen.complaints.append(str(error)))
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-ready]", state="attached")
        yield seen
        browser.close()
