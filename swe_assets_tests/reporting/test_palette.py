"""The colours: what is written can be read, in both themes."""

from collections.abc import Mapping

import pytest

from swe_assets.reporting.figure_heatmap import STRONGEST
from swe_assets.reporting.palette import DARK, LIGHT, contrast, css_roles, css_variables, mixed

THEMES = pytest.mark.parametrize("colours", [LIGHT, DARK])
READ = ("ink", "muted", "link", "good", "bad", "warn")
SHOWN = ("neg", "pos", "bar", "ml", "firth", "third", "fourth")


def test_known_contrasts() -> None:
    """Two contrasts published with WCAG's formula are found: 21 of black on white, 4.54 of #767676."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)


@THEMES
def test_text_can_be_read(colours: Mapping[str, str]) -> None:
    """Every colour of text has a contrast of 4.5 or more on every paper that it stands on."""
    for role in READ:
        assert contrast(colours[role], colours["paper"]) >= 4.5, role
    for paper in ("surface", "warn_paper", "add", "del"):
        assert contrast(colours["ink"], colours[paper]) >= 4.5, paper
    assert contrast(colours["warn"], colours["warn_paper"]) >= 4.5
    assert contrast(colours["muted"], colours["surface"]) >= 4.5


@THEMES
def test_marks_can_be_seen(colours: Mapping[str, str]) -> None:
    """Every colour of a mark has a contrast of 3 or more on the paper."""
    assert {role: contrast(colours[role], colours["paper"]) >= 3 for role in SHOWN} == dict.fromkeys(
        SHOWN, True
    )


@THEMES
@pytest.mark.parametrize("role", ["pos", "neg", "bar"])
def test_numbers_on_the_heatmap_can_be_read(colours: Mapping[str, str], role: str) -> None:
    """The strongest cell leaves its number a contrast of 4.5 or more."""
    assert contrast(colours["ink"], mixed(colours[role], STRONGEST, colours["paper"])) >= 4.5


def test_both_themes_name_the_same_colours() -> None:
    """Every role has a colour in both themes, a CSS variable and its classes."""
    assert LIGHT.keys() == DARK.keys()
    assert css_variables({"warn_paper": "#fff"}) == "--warn-paper:#fff;"
    assert all(f".f-{role.replace('_', '-')}{{" in css_roles() for role in LIGHT)
