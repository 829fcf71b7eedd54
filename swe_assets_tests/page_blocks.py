"""The code blocks of a page of docs, and what running them prints."""

import re
import subprocess
import sys

from swe_assets_tests.shared_data import CHECKOUT


def page(name: str) -> str:
    """Return the text of a how-to page."""
    return (CHECKOUT / "docs" / "how-to" / name).read_text(encoding="utf-8")


def block(text: str, language: str) -> str:
    """Return the page's one code block of a language."""
    (code,) = re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)
    return str(code)


def printed(text: str) -> str:
    """Run the page's Python block as it stands and return what it prints."""
    command = [sys.executable, "-c", block(text, "python")]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=CHECKOUT).stdout
