"""A page of an audit whose every text is hostile, and a browser that looks at it."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Page, sync_playwright

from swe_assets.judging.audit_form import DrawnItem
from swe_assets.judging.audit_page import (
    AuditPage,
    JudgedValue,
    JudgeWords,
    PageItem,
    PageText,
    page_html,
)
from swe_assets.judging.quotes import Quotable, check_quotes
from swe_assets.patch_quality.auditoria_itens import FORM

CHROMIUM = shutil.which("chromium")
QUIET = ("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")
PATIENCE_MS = 90_000

EVIL = (
    "</pre></script><script>window.hacked=1</script><img src=x onerror='window.hacked=1'>"
    "<style>*{display:none}</style><a href='https://example.org/x'>x</a><base href='https://example.org/'>"
)
HIDDEN = "safe\u202eelif\u2066\u200b\u200f\u00ad\U000e0041\x1b[31m"
PATCH = (
    f"diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n-{EVIL}\n+{HIDDEN}\n --- no head\n"
)
ISSUE = f"{EVIL}\nThe total is wrong.\n{HIDDEN}\n" + "x" * 400


def hostile_page(*, blind: bool = False, count: int = 3, auditor: str = "") -> AuditPage:
    """Return a page of items whose issue, patch, reasoning, names and justifications are markup."""
    texts = {"issue": Quotable(ISSUE), "patch": Quotable(PATCH, diff=True)}
    quotes = check_quotes(["The total is wrong.", "nowhere at all", EVIL], texts)
    values = (
        JudgedValue("resolve_issue", "SECRET-SCORE"),
        JudgedValue("M_defesa", "3", "stated", EVIL, check_quotes(["total"], texts)[0]),
    )
    judges = tuple(JudgeWords(f"SECRET-JUDGE-{n} {EVIL}", f"{EVIL} {HIDDEN}", quotes, values) for n in (1, 2))
    shown = (PageText("issue", "Issue", ISSUE), PageText("patch", "Patch", PATCH, "diff"))
    items = tuple(
        PageItem(
            DrawnItem(f"demo__demo-{n}", f"item-{n}"), shown, judges, (EVIL,), (("pass@1", "SECRET-TESTS"),)
        )
        for n in range(1, count + 1)
    )
    return AuditPage(f"Auditoria {EVIL}", FORM, items, (EVIL,), (EVIL,), auditor, blind)


def written(folder: Path, page: AuditPage) -> Path:
    """Write a page and return its path."""
    path = folder / "auditoria.html"
    path.write_text(page_html(page), encoding="utf-8")
    return path


@dataclass
class Seen:
    """A page in the browser, and what it asked for and complained of."""

    page: Page
    asked: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)


@contextmanager
def opened(path: Path, *, width: int = 1200, scheme: str = "light") -> Iterator[Seen]:
    """Open a page in a browser of its own, or skip the test where there is none."""
    if CHROMIUM is None:
        pytest.skip("no chromium on PATH")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=list(QUIET), timeout=PATIENCE_MS)
        dark = scheme == "dark"
        page = browser.new_page(
            viewport={"width": width, "height": 900}, color_scheme="dark" if dark else "light"
        )
        page.set_default_timeout(PATIENCE_MS)
        seen = Seen(page)
        page.on("request", lambda request: seen.asked.append(request.url))
        page.on("console", lambda message: seen.complaints.append(message.text))
        page.on("pageerror", lambda error: seen.complaints.append(str(error)))
        page.goto(path.as_uri())
        yield seen
        browser.close()


def fill(page: Page, item: int, choices: dict[str, str], comment: str = "") -> None:
    """Fill in one item of the page (from 1) as a person does: by the labels of its choices."""
    article = page.locator(".item").nth(item - 1)
    for scale, value in choices.items():
        article.locator(f'input[data-column="humano_{scale}"][value="{value}"]').check()
    article.locator("textarea").fill(comment)


def saved(page: Page, folder: Path) -> Path:
    """Save the sheet as the page's button does, and return the file."""
    with page.expect_download() as download:
        page.get_by_role("button", name="Salvar CSV").click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path
