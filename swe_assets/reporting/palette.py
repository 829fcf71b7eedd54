"""The colours by what they stand for, light and dark: the page, the figures and their copies share them."""

from collections.abc import Mapping

LIGHT: Mapping[str, str] = {
    "paper": "#ffffff",
    "surface": "#f6f7f8",
    "ink": "#1c2127",
    "muted": "#566069",
    "line": "#d5dade",
    "grid": "#e9ecee",
    "link": "#0a58a6",
    "neg": "#2b6cb0",
    "pos": "#c2452d",
    "bar": "#5b7f9f",
    "ml": "#0a58a6",
    "firth": "#a04a00",
    "third": "#2d6f4f",
    "fourth": "#6f4394",
    "good": "#1d6a43",
    "bad": "#a32a23",
    "warn": "#744c00",
    "warn_paper": "#fdf2d8",
    "add": "#e3f4e7",
    "del": "#fbe7e5",
}
DARK: Mapping[str, str] = {
    "paper": "#14171a",
    "surface": "#1c2024",
    "ink": "#e5e8ea",
    "muted": "#a4adb5",
    "line": "#3b424a",
    "grid": "#2a3036",
    "link": "#82b9f2",
    "neg": "#6fa8dc",
    "pos": "#e58473",
    "bar": "#7f9fbb",
    "ml": "#82b9f2",
    "firth": "#eda765",
    "third": "#7cc49d",
    "fourth": "#bd9be0",
    "good": "#7cc49d",
    "bad": "#f09a92",
    "warn": "#f0cd86",
    "warn_paper": "#382c12",
    "add": "#183022",
    "del": "#3a1f1d",
}
ESTIMATORS: Mapping[str, str] = {"ml": "ml", "firth": "firth", "cluster": "third", "mixed": "fourth"}
"""The role of each estimator's colour."""


def css_variables(colours: Mapping[str, str]) -> str:
    """Return the colours as CSS custom properties."""
    return "".join(f"--{role.replace('_', '-')}:{colour};" for role, colour in colours.items())


def css_roles() -> str:
    """Return the CSS classes that paint a figure's marks in the page's own colours."""
    named = (role.replace("_", "-") for role in LIGHT)
    return "".join(f".f-{role}{{fill:var(--{role})}}.s-{role}{{stroke:var(--{role})}}" for role in named)


def luminance(colour: str) -> float:
    """Return the relative luminance of #rrggbb, 0 to 1 (WCAG 2.2, https://www.w3.org/TR/WCAG22/)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, 1 to 21 (WCAG 2.2).

    >>> round(contrast("#000000", "#ffffff"), 1)
    21.0
    """
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def mixed(colour: str, share: float, paper: str) -> str:
    """Return a colour laid over a paper with an opacity between 0 and 1."""
    pairs = [(int(colour[at : at + 2], 16), int(paper[at : at + 2], 16)) for at in (1, 3, 5)]
    return "#" + "".join(f"{round(share * top + (1 - share) * under):02x}" for top, under in pairs)
