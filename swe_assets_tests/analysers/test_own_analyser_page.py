"""The page on one's own analyser says what is so."""

import re
import subprocess
import sys

from swe_assets_tests.shared_data import CHECKOUT

PAGE = (CHECKOUT / "docs" / "how-to" / "own-analyser.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    """Return the page's one code block of a language."""
    (code,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return str(code)


def test_the_analyser_on_the_page_works() -> None:
    """The page's analyser runs as it stands and prints what the page says."""
    run = subprocess.run(
        [sys.executable, "-c", block("python")], capture_output=True, text=True, check=True, cwd=CHECKOUT
    )
    assert run.stdout == block("text")
