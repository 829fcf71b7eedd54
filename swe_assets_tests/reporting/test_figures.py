"""The figures: each has its marks within its bounds, the marks of its numbers, and a message in words."""

import io
import xml.etree.ElementTree as ET

import pytest

from swe_assets.reporting.drawing import Dot, Drawing, Line, Rect, Text, cut, text_width, wrapped
from swe_assets.reporting.figure_style import NARROW, WIDE
from swe_assets.reporting.figures import SKETCHES, Figure, drawable, figure, figures
from swe_assets.reporting.palette import LIGHT
from swe_assets.reporting.raster import png
from swe_assets.reporting.svg import page_svg, paper_svg
from swe_assets.statistics.undefined import Undefined
from swe_assets_tests.reporting.analyses import EVIL, spearman, table, whole, without

WHOLE = whole()
EACH = pytest.mark.parametrize("name", SKETCHES)
LANGS = pytest.mark.parametrize("lang", ["pt", "en"])


def texts(drawing: Drawing) -> list[str]:
    """Return what is written on a drawing."""
    return [mark.text for mark in drawing.marks if isinstance(mark, Text)]


def spans(drawing: Drawing) -> list[tuple[float, float, float]]:
    """Return (left, right, lowest y) of each mark; of a text by its estimated width."""
    found = []
    for mark in drawing.marks:
        if isinstance(mark, Text):
            wide = text_width(mark.text, mark.size)
            left = mark.x - {"start": 0.0, "middle": wide / 2, "end": wide}[mark.anchor]
            found.append((left, left + wide, mark.y))
        elif isinstance(mark, Rect):
            found.append((mark.x, mark.x + mark.width, mark.y + mark.height))
        elif isinstance(mark, Dot):
            found.append((mark.x - mark.radius, mark.x + mark.radius, mark.y))
        elif isinstance(mark, Line):
            found.append((min(mark.x1, mark.x2), max(mark.x1, mark.x2), max(mark.y1, mark.y2)))
    return found


@EACH
@LANGS
def test_every_mark_lies_within_the_figure(name: str, lang: str) -> None:
    """At both widths nothing is drawn beyond an edge, texts included."""
    made = figure(name, WHOLE, lang)
    for drawing, width in ((made.wide, WIDE), (made.narrow, NARROW)):
        assert drawing.width == width and len(drawing.marks) > 5
        for left, right, foot in spans(drawing):
            assert left >= -1 and right <= width + 1 and foot <= drawing.height + 1


@EACH
@LANGS
def test_every_figure_has_a_message_and_its_marks(name: str, lang: str) -> None:
    """A figure says in words what it shows, and bears the marks of the tables it is drawn from."""
    made = figure(name, WHOLE, lang)
    assert made.title and made.caption and made.alt and "None" not in made.alt
    tables = (WHOLE.tables[needed] for needed in SKETCHES[name].tables)
    assert set(made.marks) == set().union(*(one.marks for one in tables))


def test_languages_differ() -> None:
    """Titles and captions are of the language asked for."""
    pairs = [(figure(name, WHOLE, "pt"), figure(name, WHOLE, "en")) for name in SKETCHES]
    assert all(pt.caption != en.caption for pt, en in pairs)


@EACH
def test_figure_without_its_table_is_left_out(name: str) -> None:
    """A figure is drawn only where its tables are there and have rows."""
    needed = SKETCHES[name].tables[0]
    assert drawable(name, WHOLE.tables)
    assert not drawable(name, without(WHOLE, needed).tables)
    assert name not in {one.name for one in figures(without(WHOLE, needed), "en")}
    assert not drawable(name, {**WHOLE.tables, needed: table(needed, "a:id")})


@pytest.mark.parametrize("name", ["heatmap", "intervals", "missing_bounds", "vif", "forest", "fragility"])
def test_names_bear_their_marks_in_place(name: str) -> None:
    """Where a figure names a measure that is rehearsed or stood in for, the name says so."""
    written = " ".join(texts(figure(name, WHOLE, "en").wide))
    for measure, mark in (("M_defesa", "[rehearsal]"), ("violations", "[stand-in]")):
        assert written.count(measure) == written.count(f"{measure} {mark}")


def test_heatmap_says_what_is_undefined() -> None:
    """A pair without rho is a dash, and does not enter the message."""
    tables = {**WHOLE.tables, "spearman": spearman(Undefined("constant"))}
    made = figure("heatmap", type(WHOLE)("t", tables, WHOLE.manifest), "en")
    assert texts(made.wide).count("–") == 1 and "M_defesa" not in made.alt.split(";")[0]


def test_an_interval_without_end_is_an_arrow() -> None:
    """A bound that is infinite is drawn to the axis' end and led on by an arrow head."""
    made = figure("forest", WHOLE, "en").wide
    right = max(mark.x2 for mark in made.marks if isinstance(mark, Line) and mark.role == "firth")
    heads = [
        mark for mark in made.marks if isinstance(mark, Line) and mark.role == "firth" and mark.y1 != mark.y2
    ]
    assert len(heads) >= 4 and all(mark.x1 == right for mark in heads[:2])


def test_the_instance_that_decides_is_named() -> None:
    """The message on fragility names the instance that changes a conclusion, and the figure shows it red."""
    made = figure("fragility", WHOLE, "en")
    assert "demo__pkg-1" in made.alt and any("demo__pkg-1" in text for text in texts(made.wide))
    assert any(isinstance(mark, Dot) and mark.role == "pos" for mark in made.wide.marks)


def test_hostile_texts_stay_text() -> None:
    """Markup in a reason is text of the SVG, on a page and in a file of its own."""
    made: Figure = figure("flow", WHOLE, "en")
    for text in (page_svg(made.wide, label=EVIL), paper_svg(made.wide, title=EVIL)):
        root = ET.fromstring(text.split("?>\n")[-1])  # noqa: S314 # of this test's own making
        tags = {element.tag.rpartition("}")[2] for element in root.iter()}
        assert tags <= {"svg", "title", "rect", "line", "polyline", "circle", "polygon", "text"}


@EACH
def test_paper_copy_has_its_own_colours(name: str) -> None:
    """A figure as a file names no CSS class and only the light colours."""
    text = paper_svg(figure(name, WHOLE, "pt").wide, title="t")
    root = ET.fromstring(text.split("?>\n")[-1])  # noqa: S314 # of this test's own making
    used = {value for e in root.iter() for key, value in e.items() if key in ("fill", "stroke")}
    assert "class=" not in text and used <= {*LIGHT.values(), "none"}


@pytest.mark.parametrize("name", ["forest", "calibration"])
def test_picture_is_300_dots_to_the_inch_and_the_same_each_time(name: str) -> None:
    """A picture is 2375 dots wide for 760 pixels, says 300 dpi, and has the same bytes twice."""
    from PIL import Image

    drawing = figure(name, WHOLE, "en").wide
    first = png(drawing)
    image = Image.open(io.BytesIO(first))
    assert image.width == 2375 and round(image.info["dpi"][0]) == 300
    assert png(drawing) == first and b"matplotlib" not in first


def test_pictures_and_pages_show_the_same_marks() -> None:
    """The colour of each role is in the picture of a drawing as in its SVG."""
    drawing = Drawing(60, 20)
    drawing.add(
        *(Rect(10 * at, 0, 10, 20, role) for at, role in enumerate(("pos", "neg", "bar", "ml", "firth")))
    )
    from PIL import Image

    image = Image.open(io.BytesIO(png(drawing, dpi=96))).convert("RGB")
    found = [f"#{bytes(image.crop((at, 9, at + 1, 10)).tobytes()).hex()}" for at in range(5, 50, 10)]
    assert found == [LIGHT[role] for role in ("pos", "neg", "bar", "ml", "firth")]


def test_long_texts_are_cut_to_their_room() -> None:
    """A cut text fits its room and says that it was cut; wrapped lines fit theirs."""
    assert text_width(cut("w" * 100, 80), 12) <= 80 and cut("w" * 100, 80).endswith("…")
    lines = wrapped("one two three four five six seven", 60, 12, 2)
    assert len(lines) == 2 and all(text_width(line, 12) <= 60 for line in lines)
