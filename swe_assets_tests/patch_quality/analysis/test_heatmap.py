"""The correlation report's figure: its colours, its bytes, its notes."""

import os
import subprocess
import sys
from pathlib import Path

import matplotlib as mpl
import pytest

from swe_assets.patch_quality.analysis.correlation import correlate
from swe_assets.patch_quality.analysis.heatmap import heatmap_drawing
from swe_assets.patch_quality.analysis.matrix import matrix_of
from swe_assets.reporting.drawing import Drawing, Rect, Text
from swe_assets.reporting.raster import png
from swe_assets.statistics import spearman
from swe_assets_tests.patch_quality.analysis.matrices import labelled

COLUMNS = {"a": [1, 2, 3, 4, 5, 6, 7], "b": [7, 6, 5, 4, 3, 2, 1], "c": [1, 2, 3, 4, 5, 7, 6], "k": [1] * 7}


def drawn(title: str = "demo", notes: tuple[str, ...] = ()) -> Drawing:
    """Return the figure of an opposition, a likeness and a constant."""
    return heatmap_drawing(spearman(COLUMNS), tuple(COLUMNS), title=title, notes=notes)


def written(drawing: Drawing) -> list[str]:
    """Return the texts of a drawing."""
    return [mark.text for mark in drawing.marks if isinstance(mark, Text)]


def test_same_bytes_whatever_the_readers_style() -> None:
    """The bytes do not hang on the style that the session has set, nor do they change it."""
    first = png(drawn())
    with mpl.rc_context({"font.size": 30, "axes.facecolor": "green", "savefig.dpi": 20}):
        assert png(drawn()) == first
        assert mpl.rcParams["font.size"] == 30


def test_same_bytes_in_another_process(tmp_path: Path) -> None:
    """Another process, with another hash seed and clock zone, draws the same bytes."""
    code = (
        "import sys; from swe_assets_tests.patch_quality.analysis.test_heatmap import drawn;"
        "from swe_assets.reporting.raster import png; sys.stdout.buffer.write(png(drawn()))"
    )
    env = {**os.environ, "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "MPLCONFIGDIR": str(tmp_path)}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, env=env)
    assert run.stdout == png(drawn())


def test_no_trace_of_time_or_software() -> None:
    """The file names neither the software nor a time."""
    image = png(drawn())
    assert b"Software" not in image and b"tIME" not in image and b"matplotlib" not in image


def test_colours_tell_the_sign_and_depth_the_strength() -> None:
    """An opposition is blue and full, a likeness red and less so, an undefined pair grey with a dash."""
    cells = [mark for mark in drawn().marks if isinstance(mark, Rect)]
    assert [cell.role for cell in cells] == ["neg", "pos", "neg", "grid", "grid", "grid"]
    assert cells[0].opacity > cells[1].opacity > 0.4
    assert written(drawn()).count("–") == 3


def test_what_holds_after_correction_is_bold() -> None:
    """A perfect opposition of seven is bold; its number is never rounded to one that it is not."""
    bold = {mark.text: mark.bold for mark in drawn().marks if isinstance(mark, Text) and mark.size == 11.5}
    assert bold == {"−1.00": True, "0.96": True, "−0.96": True}


def test_notes_are_written_on_the_figure() -> None:
    """A note stands below the figure in its own colour, and makes it higher."""
    noted = drawn(notes=("ENSAIO / rehearsal",))
    assert "ENSAIO / rehearsal" in written(noted) and noted.height > drawn().height


def test_names_bear_their_marks() -> None:
    """Ratings that were rehearsed and measures that are a stand-in's say so beside their names."""
    texts = written(correlate(matrix_of(labelled())).heatmap)
    assert "4  M_defesa [ensaio]" in texts and "9  violations [substituto]" in texts and "7  ncloc" in texts


def test_picture_for_the_ui_says_what_it_shows() -> None:
    """The figure is a picture in Markdown with the strongest pairs as its text, small enough for an event."""
    text = correlate(matrix_of(labelled()), title="demo").heatmap_markdown
    assert text.startswith("![Spearman, n = 160: complexity e ncloc 0.9")
    assert "](data:image/png;base64,iVBOR" in text and 20_000 < len(text) < 150_000


@pytest.mark.parametrize("title", ["", "$x^2$ \\frac{", "题目 " * 40, "line\nbreak\x07", "<b>&amp;</b>"])
def test_any_title(title: str, recwarn: pytest.WarningsRecorder) -> None:
    """Any title is drawn as it is, at most two lines of it, without a warning."""
    assert (
        png(drawn(title)).startswith(b"\x89PNG") and len(written(drawn(title))) <= len(written(drawn())) + 1
    )
    assert not recwarn.list
