"""The page on one's own judge says what is so."""

from swe_assets.judging.prompts import FILES
from swe_assets_tests.page_blocks import block, page, printed

PAGE = page("own-judge.md")


def test_the_provider_on_the_page_works() -> None:
    """The page's provider runs as it stands and prints what the page says."""
    assert printed(PAGE) == block(PAGE, "text")


def test_the_page_names_every_prompt_and_placeholder() -> None:
    """Each prompt file stands on the page with the placeholders that it must hold."""
    for name, placeholders in FILES.items():
        wanted = ", ".join(f"`{{{{{word}}}}}`" for word in sorted(placeholders)) or "none"
        assert f"| `{name}` | {wanted} |" in PAGE
