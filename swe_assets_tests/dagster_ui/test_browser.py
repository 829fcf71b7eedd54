"""A browser opens the UI on a study and finds assets, partitions, the reason of an exclusion and checks."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

from swe_assets.home import CHECKOUT
from swe_assets.patch_quality.report_assets import REPORT_NAMES
from swe_assets.patch_quality.stages import STAGE_NAMES
from swe_assets_tests.dagster_ui.conftest import PICTURE
from swe_assets_tests.dagster_ui.graphql import Ui
from swe_assets_tests.dagster_ui.test_both_ways import counts
from swe_assets_tests.patch_quality.small_study import SmallStudy

CHROMIUM = shutil.which("chromium")
QUIET = ("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking")
PATIENCE_MS = 90_000
PICTURES = CHECKOUT / "docs" / "images"

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium on PATH")


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    """Give a page of a headless browser, patient, so large that the whole graph is drawn, names in full."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET), timeout=PATIENCE_MS)
        opened = browser.new_page(viewport={"width": 3000, "height": 2400})
        opened.set_default_timeout(PATIENCE_MS)
        expect.set_options(timeout=PATIENCE_MS)
        yield opened
        browser.close()


def asset_address(ui: Ui, study: SmallStudy, asset: str, view: str) -> str:
    """Return the address of one view of an asset."""
    return f"{ui.address}/assets/{study.name}/{asset}?view={view}"


def test_graph_shows_every_asset(page: Page, ui: Ui, ran: SmallStudy) -> None:
    """The graph of the study's group names each of its assets."""
    page.goto(f"{ui.address}/locations/patch_quality/asset-groups/{ran.name}")
    for asset in (*STAGE_NAMES, *REPORT_NAMES):
        expect(page.get_by_text(asset, exact=True).first).to_be_visible()


def test_partitions_are_counted(page: Page, ui: Ui, ran: SmallStudy) -> None:
    """The partitions of a stage are listed with how many are materialised."""
    page.goto(asset_address(ui, ran, "patches", "partitions"))
    expect(page.get_by_text("Materialized").first).to_be_visible()
    expect(page.get_by_text(ran.instances[0]).first).to_be_visible()


def test_reason_of_an_exclusion(page: Page, ui: Ui, ran: SmallStudy) -> None:
    """An excluded partition's page says that it is excluded and why."""
    reason, ids = next(iter(counts(ran, "arquivos_reconstruidos")["reasons"].items()))
    page.goto(asset_address(ui, ran, "arquivos_reconstruidos", "partitions") + f"&partition={ids[0]}")
    expect(page.get_by_text(reason.removeprefix("excluded: "), exact=True).first).to_be_visible()
    expect(page.get_by_text("excluded", exact=True).first).to_be_visible()


def test_checks_are_listed(page: Page, ui: Ui, ran: SmallStudy) -> None:
    """The checks of the sample stand beside it by name, with what they found."""
    page.goto(asset_address(ui, ran, "amostra", "checks"))
    for check in ("account_adds_up", "matrix_schema", "large_enough_for_the_logit"):
        expect(page.get_by_text(check, exact=True).first).to_be_visible()


@pytest.mark.skipif(PICTURE not in os.environ, reason=f"{PICTURE} is not set")
def test_picture_of_the_graph(page: Page, ui: Ui, studies: dict[str, SmallStudy]) -> None:
    """The picture of the graph in the docs shows the whole sample as it is now, in less than 300 kB."""
    studies["sample"].run()
    take_picture(page, f"{ui.address}/locations/patch_quality/asset-groups/sample", PICTURES)
    assert (PICTURES / "graph.png").stat().st_size < 300_000


def take_picture(page: Page, address: str, folder: Path) -> None:
    """Save the asset graph at address as graph.png, wide enough for the details of each asset."""
    page.goto(address)
    expect(page.get_by_text(REPORT_NAMES[-1], exact=True).first).to_be_visible()
    expect(page.get_by_text("Loading")).to_have_count(0)
    page.wait_for_timeout(2000)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "graph.png"
    page.screenshot(path=path, clip={"x": 240, "y": 380, "width": 2740, "height": 1760})
    Image.open(path).convert("RGB").quantize(64, dither=Image.Dither.NONE).save(path, optimize=True)
