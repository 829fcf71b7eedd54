"""The page on one's own judge says what is so."""

import re
import subprocess
import sys

from swe_assets.judging.prompts import FILES
from swe_assets_tests.shared_data import CHECKOUT

PAGE = (CHECKOUT / "docs" / "how-to" / "own-judge.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    """Return the page's one code block of a language."""
    (code,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return str(code)


def test_the_provider_on_the_page_works() -> None:
    """The page's provider runs as it stands and prints what the page says."""
    run = subprocess.run(
        [sys.executable, "-c", block("python")], capture_output=True, text=True, check=True, cwd=CHECKOUT
    )
    assert run.stdout == block("text")


def test_the_page_names_every_prompt_and_placeholder() -> None:
    """Each prompt file stands on the page with the placeholders that it must hold."""
    for name, placeholders in FILES.items():
        wanted = ", ".join(f"`{{{{{word}}}}}`" for word in sorted(placeholders)) or "none"
        assert f"| `{name}` | {wanted} |" in PAGE
