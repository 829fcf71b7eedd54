"""The page and its figures as files: what lies in a report's folder, and what a paper takes."""

from collections.abc import Iterator
from pathlib import Path

from swe_assets.reporting.figures import SKETCHES, figures
from swe_assets.reporting.page import page_html
from swe_assets.reporting.raster import png
from swe_assets.reporting.svg import paper_svg
from swe_assets.reporting.table_shape import Analysis
from swe_assets.storage.atomic import write_bytes

PAGE = "report.html"
FIGURES = "figures"


def figure_files() -> tuple[str, ...]:
    """Return the names below the folder of every figure that a report can have as SVG."""
    return tuple(f"{FIGURES}/{name}.svg" for name in SKETCHES)


def write_page(out: Path, analysis: Analysis, lang: str, *, pictures: bool = False) -> list[Path]:
    """Write the page and each figure as SVG into a folder (made if absent) and return their paths.

    ``pictures`` adds each figure as a PNG of 300 dots to the inch. The same analysis gives the same bytes.
    Raises ValueError for an unknown language, StoreError where the folder cannot be written.
    """
    written = []
    for name, content in page_files(analysis, lang, pictures=pictures):
        write_bytes(out / name, content)
        written.append(out / name)
    return written


def page_files(analysis: Analysis, lang: str, *, pictures: bool = False) -> Iterator[tuple[str, bytes]]:
    """Yield the name below the folder and the bytes of the page and of its figures."""
    yield PAGE, page_html(analysis, lang).encode("utf-8", "backslashreplace")
    for one in figures(analysis, lang):
        title = f"{analysis.title}: {one.title}"
        yield (
            f"{FIGURES}/{one.name}.svg",
            paper_svg(one.wide, title=title).encode("utf-8", "backslashreplace"),
        )
        if pictures:
            yield f"{FIGURES}/{one.name}.png", png(one.wide)
