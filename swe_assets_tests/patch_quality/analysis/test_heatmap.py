"""The heatmap as a picture: its size, its colours, its bytes."""

import io
import os
import subprocess
import sys
from pathlib import Path

import matplotlib as mpl
import matplotlib.image
import numpy as np
import pytest
from numpy.typing import NDArray

from swe_assets.patch_quality.analysis.heatmap import heatmap_png
from swe_assets.statistics import spearman

COLUMNS = {"a": [1, 2, 3, 4], "b": [4, 3, 2, 1], "k": [1, 1, 1, 1]}


def drawn(title: str = "demo", notes: tuple[str, ...] = ()) -> bytes:
    """Return the figure of a perfect opposition beside a constant."""
    return heatmap_png(spearman(COLUMNS), tuple(COLUMNS), title=title, notes=notes)


def pixels(png: bytes) -> NDArray[np.float64]:
    """Return a picture's red, green and blue."""
    return np.asarray(matplotlib.image.imread(io.BytesIO(png), format="png"))[:, :, :3]


def test_same_bytes_whatever_the_readers_style() -> None:
    """The bytes do not hang on the style that the session has set, nor do they change it."""
    first = drawn()
    with mpl.rc_context({"font.size": 30, "axes.facecolor": "green", "savefig.dpi": 20}):
        assert drawn() == first
        assert mpl.rcParams["font.size"] == 30


def test_same_bytes_in_another_process(tmp_path: Path) -> None:
    """Another process, with another hash seed and clock zone, draws the same bytes."""
    code = (
        "import sys; from swe_assets_tests.patch_quality.analysis.test_heatmap import drawn;"
        "sys.stdout.buffer.write(drawn())"
    )
    env = {**os.environ, "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "MPLCONFIGDIR": str(tmp_path)}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, env=env)
    assert run.stdout == drawn()


def test_no_trace_of_time_or_software() -> None:
    """The file names neither the software nor a time."""
    assert b"Software" not in drawn() and b"tIME" not in drawn() and b"matplotlib" not in drawn()


def test_colours_run_from_blue_over_grey_to_red() -> None:
    """A rho of 1 is deep red, of -1 deep blue, and an undefined cell is grey."""
    image = pixels(drawn())
    for colour in ((0.404, 0.0, 0.122), (0.020, 0.188, 0.380), (0.851, 0.851, 0.851)):
        share = (np.abs(image - colour).max(axis=2) < 0.02).mean()
        assert share > 0.02, colour


def test_notes_are_written_on_the_figure() -> None:
    """A note adds ink of its own colour to the foot of the figure."""
    dark_red = (0x8A / 255, 0x1C / 255, 0)

    def ink(png: bytes) -> int:
        image = pixels(png)
        return int((np.abs(image[-200:] - dark_red).max(axis=2) < 0.05).sum())

    assert ink(drawn()) == 0
    assert ink(drawn(notes=("ENSAIO / rehearsal",))) > 300


@pytest.mark.parametrize("title", ["", "$x^2$ \\frac{", "题目 " * 40, "line\nbreak\x07", "<b>&amp;</b>"])
def test_any_title(title: str, recwarn: pytest.WarningsRecorder) -> None:
    """Any title is drawn as it is, in a figure of the same size, without a warning."""
    assert pixels(drawn(title)).shape == (1440, 1440, 3)
    assert not recwarn.list
