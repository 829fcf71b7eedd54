"""report.html: an analysis as one page that fetches nothing, in Portuguese or in English."""

import base64
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from swe_assets.llm.plain_text import visible
from swe_assets.reporting.figure_style import Marked
from swe_assets.reporting.figures import SKETCHES, Figure, drawable, figure, marked_of
from swe_assets.reporting.page_data import block, csv_block, instance_block, text_block
from swe_assets.reporting.page_head import absences, banners, facts, finding_lines, told_manifest
from swe_assets.reporting.page_tables import Badge, PageTable, badges, page_table
from swe_assets.reporting.palette import DARK, LIGHT, css_roles, css_variables
from swe_assets.reporting.section_words import SECTION_WORDS
from swe_assets.reporting.sections import OWN_PLACE, SECTIONS, Section
from swe_assets.reporting.svg import page_svg
from swe_assets.reporting.table_shape import Analysis
from swe_assets.reporting.words import HTML_LANGUAGES, language, named, word

if TYPE_CHECKING:
    from markupsafe import Markup

FOLDER = Path(__file__).parent / "page_parts"
TEMPLATE, STYLE, SCRIPTS = "page.html.j2", "page.css", ("page.js", "instances.js")


@dataclass(frozen=True)
class PageFigure:
    """A figure ready for the page: both of its sizes as markup."""

    figure: Figure
    badges: tuple[Badge, ...]
    wide: "Markup"
    narrow: "Markup"


@dataclass(frozen=True)
class PageSection:
    """A section ready for the page: its figures and their tables; a lead where it has no figure."""

    anchor: str
    title: str
    lead: str
    figures: tuple[PageFigure, ...]
    tables: tuple[PageTable, ...]


def page_html(analysis: Analysis, lang: str = "pt") -> str:
    """Return the page as text; the same analysis and language give the same text.

    Everything is escaped. Its policy (Content-Security-Policy) names the sha256 of the one style and the one
    script, and lets nothing be fetched; the script sets texts only as text.
    Raises ValueError for an unknown language.
    """
    import jinja2

    language(lang)
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(TEMPLATE).render(_context(analysis, lang))


def sections_of(analysis: Analysis, lang: str) -> list[PageSection]:
    """Return the sections that the analysis has tables for; unforeseen tables stand in one of their own."""
    known = {name for section in SECTIONS for name in section.tables} | set(OWN_PLACE)
    rest = tuple(name for name in analysis.tables if name not in known)
    wanted = [*SECTIONS, Section("others", (), rest)]
    made = (_section(section, analysis, lang) for section in wanted)
    return [section for section in made if section.figures or section.tables]


def _context(analysis: Analysis, lang: str) -> dict[str, Any]:
    style, script = _style(), "\n".join((FOLDER / name).read_text("utf-8") for name in SCRIPTS)
    marked, instances = marked_of(analysis), analysis.tables.get("instances")
    return {
        "title": visible(analysis.title).replace("\n", " ") or "swe_assets",
        "html_lang": HTML_LANGUAGES[lang],
        "w": lambda key: word(key, lang),
        "style": _inline(style),
        "script": _inline(script),
        "style_hash": _hash(style),
        "script_hash": _hash(script),
        "banners": banners(analysis, lang),
        "facts": facts(analysis, lang),
        "findings": finding_lines(analysis, lang),
        "findings_table": _table("findings", analysis, lang, marked),
        "sections": sections_of(analysis, lang),
        "judge_findings": finding_lines(analysis, lang, "judge_findings"),
        "instances": _table_head(analysis, lang),
        "absent": absences(analysis, lang),
        "manifest": told_manifest(_manifest(analysis), lang),
        "blocks": {
            "csv": block(csv_block(analysis)),
            "instances": block(instance_block(instances, lang, marked) if instances else None),
            "texts": block(text_block(analysis.texts)),
        },
        "inside": named("in_matrix", lang),
    }


def _section(section: Section, analysis: Analysis, lang: str) -> PageSection:
    marked = marked_of(analysis)
    drawn = [name for name in section.figures if name in SKETCHES and drawable(name, analysis.tables)]
    return PageSection(
        anchor=section.anchor,
        title=word(section.name, lang),
        lead="" if drawn or f"{section.name}_how" not in SECTION_WORDS else word(f"{section.name}_how", lang),
        figures=tuple(_figure(figure(name, analysis, lang), lang) for name in drawn),
        tables=tuple(
            page_table(analysis.tables[name], lang, marked)
            for name in section.tables
            if name in analysis.tables
        ),
    )


def _figure(made: Figure, lang: str) -> PageFigure:
    from markupsafe import Markup

    label = f"{made.title}. {made.alt}"
    wide, narrow = (
        Markup(page_svg(drawing, label=label, css_class=size))  # noqa: S704 # svg escapes every text
        for drawing, size in ((made.wide, "wide"), (made.narrow, "narrow"))
    )
    return PageFigure(made, badges(made.marks, lang), wide, narrow)


def _table(name: str, analysis: Analysis, lang: str, marked: Marked) -> PageTable | None:
    return page_table(analysis.tables[name], lang, marked) if name in analysis.tables else None


def _table_head(analysis: Analysis, lang: str) -> dict[str, Any] | None:
    """Return the title and marks of the instances, whose rows the script shows."""
    table = analysis.tables.get("instances")
    if table is None:
        return None
    known = set(table.names)
    filters = [("all", True), ("resolved", "pass@1" in known), ("unresolved", "pass@1" in known)]
    filters += [("outside", len(set(table.column("place"))) > 1 if "place" in known else False)]
    judged = {"pass@1", "resolve_issue"} <= known and any(
        v is not None for v in table.column("resolve_issue")
    )
    filters += [("disagree", judged)]
    return {
        "title": table.title[lang],
        "badges": badges(table.marks, lang),
        "count": len(table.rows),
        "filters": [(name, word(name, lang)) for name, there in filters if there],
    }


def _manifest(analysis: Analysis) -> dict[str, Any]:
    """Return the manifest without what the page shows elsewhere."""
    return {key: value for key, value in analysis.manifest.items() if key not in ("absent", "marked")}


def _style() -> str:
    """Return the whole style: colours by theme, and what paints the figures."""
    light, dark = css_variables(LIGHT), css_variables(DARK)
    themes = f":root{{{light}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}"
    return f"{themes}\n{css_roles()}\n{(FOLDER / STYLE).read_text('utf-8')}"


def _inline(text: str) -> "Markup":
    """Return the product's own style or script as it stands between its tags."""
    from markupsafe import Markup

    return Markup(text)  # noqa: S704 # a file of this package


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
